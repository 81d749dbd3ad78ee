// ChatController: connects the chat view with the engine's host. A message becomes a request, Stop cancels
// it, and a change of the sampling controls applies to every unfinished request. Thread: the window's. Read
// next: engine_host.h, widgets/models/chat_model.h.
#pragma once

#include <QObject>

#include "engine_host.h"
#include "widgets/models/chat_model.h"
#include "widgets/views/chat_view.h"
#include "widgets/views/sampler_controls.h"

namespace vitrine {

class ChatController : public QObject {
  Q_OBJECT

 public:
  ChatController(EngineHost& host, Session& session, ChatView& view, ChatModel& model,
                 SamplerControls& controls, QObject* parent);

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
  void applySampling(const SamplingOptions& sampling);
  Request requestNamed(const QString& name) const;

  EngineHost& m_host;
  Session& m_session;
  ChatView& m_view;
  ChatModel& m_model;
  SamplerControls& m_controls;
  bool m_thinking = false;
  int m_sent = 0;
};

}  // namespace vitrine
