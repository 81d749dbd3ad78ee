// WaitingMessages: what was sent while a chat was being answered. It waits for the end of the answer, in each
// chat for its own, whichever chat is shown. After an answer that was stopped or failed it is held, until a
// person sends it. The history keeps it, so that it is there in the next run of the program, held.
//
// Thread: the window's. Read next: app/desk/answer_writer.h, widgets/chat/waiting_list.h.
#pragma once

#include <QObject>
#include <map>
#include <set>

#include "desk/answer_writer.h"
#include "desk/desk.h"
#include "widgets/chat/waiting_list.h"

namespace vitrine {

class WaitingMessages : public QObject {
  Q_OBJECT

 public:
  WaitingMessages(Desk& desk, const AnswerWriter& writer, QObject* parent = nullptr);

  void add(ChatId chat, const QString& text);
  // A message of the chat that could not be sent: it is the first again, and held.
  void putBack(ChatId chat, const QString& text);
  std::vector<WaitingMessage> of(ChatId chat);
  // Whether some wait for nothing but an answer: what is written next goes behind them.
  bool areDue(ChatId chat);
  bool isHeld(ChatId chat);

  void hold(ChatId chat);  // those that wait now
  void keep(ChatId chat);  // again: what is pending of it, and was waiting, has changed
  void sendNow(ChatId chat);
  QString take(ChatId chat, qint64 id);  // out of the list; empty: it has been sent

 signals:
  void changed();
  // It has left the list. The receiver submits it before it returns.
  void due(vitrine::ChatId chat, const QString& text);

 private:
  struct Queue {
    std::vector<WaitingMessage> messages = {};
    bool held = false;
  };

  Queue* queueOf(ChatId chat);                                  // nullptr: none waits
  std::vector<WaitingMessage> extract(ChatId chat, qint64 id);  // one at most
  std::vector<ChatId> ended() const;  // chats whose messages wait for an answer that is none any more
  void holdInterrupted();
  void sendDue();
  bool isBusy(ChatId chat) const;
  bool isAnswered(ChatId chat) const;
  void sendFirst(ChatId chat);

  Desk& m_desk;
  const AnswerWriter& m_writer;
  std::map<ChatId, Queue> m_queues;  // none is empty
  std::set<ChatId> m_read;           // chats whose messages of before are in m_queues
  qint64 m_ids = 0;
};

}  // namespace vitrine
