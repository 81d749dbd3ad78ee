// ChatController: connects the chat view with the engine's host. A message becomes a request, Stop cancels
// it. Thread: the window's. Read next: engine_host.h, sampling_controller.h, widgets/models/chat_model.h.
#pragma once

#include <QObject>

#include "engine_host.h"
#include "sampling_controller.h"
#include "widgets/models/chat_model.h"
#include "widgets/views/chat_view.h"

namespace vitrine {

class ChatController : public QObject {
  Q_OBJECT

 public:
  ChatController(EngineHost& host, Session& session, ChatView& view, ChatModel& model,
                 const SamplingController& sampling, QObject* parent);

  // The requests that wait when the built-in model has been loaded, so that the first Step has work.
  std::vector<ChatOrder> stagedRequests() const;
  void setThinking(bool thinking) { m_thinking = thinking; }

 public slots:
  void stop();
  void startAnew();

 signals:
  void sent();  // a request was submitted; the window decides whether the machine runs

 private:
  void send(const QString& text);
  Request requestNamed(const QString& name) const;

  EngineHost& m_host;
  Session& m_session;
  ChatView& m_view;
  ChatModel& m_model;
  const SamplingController& m_sampling;
  bool m_thinking = false;
  int m_sent = 0;
};

}  // namespace vitrine
