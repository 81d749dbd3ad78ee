// ChatTrace: writes the run of a chat to a trace file, on a thread of the program's pool.
//
// One file at a time: a second order replaces the first, whose file is not written. Destroying it waits for
// nothing. Thread: the window's. Read next: app/desk/chat_run.h.
#pragma once

#include <QObject>
#include <atomic>
#include <functional>
#include <memory>

#include "desk/chat_run.h"
#include "gui/turns/chat_controller.h"

namespace vitrine {

class ChatTrace : public QObject {
  Q_OBJECT

 public:
  // All of them must outlive it.
  ChatTrace(Desk& desk, const Session& session, const ChatController& controller, QObject* parent);
  ~ChatTrace() override { cancel(); }

  void save(ChatId chat, const QString& file);  // noticed() follows
  void cancel();                                // and no file is written
  bool isUnderWay() const { return m_cancelled != nullptr; }

 signals:
  void progressed(double fraction, const QString& what);
  void ended();
  void noticed(const vitrine::Notice& notice);  // of a file: whether the tokens are those of the chat

 private:
  using Answer = std::function<void(ChatTrace&)>;  // told on the window's thread
  struct Order {
    ChatRun run;
    QString file;
    std::shared_ptr<std::atomic<bool>> cancelled;
  };

  void begin(ChatRun run, const QString& file);
  static Answer compute(const Order& order, const std::function<void(Answer)>& tell);
  void show(double fraction, int answer, int answers);
  void finish(const QString& file, const ChatRunReport& report);
  void end(const Notice& notice);

  Desk& m_desk;
  const Session& m_session;
  const ChatController& m_controller;
  std::shared_ptr<std::atomic<bool>> m_cancelled;  // of the order under way
};

}  // namespace vitrine
