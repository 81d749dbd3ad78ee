// MessageDeletion: deletes messages of a chat: what menus offer of it, and why it has to wait.
//
// A chat that is being answered keeps its messages: the answer has read them, and what waits to be written
// hangs on one of them. Thread: the window's. Read next: app/desk/message_removal.h.
#pragma once

#include <QObject>

#include "desk/answer_writer.h"
#include "desk/message_removal.h"
#include "widgets/support/notice.h"

class QMenu;

namespace vitrine {

class MessageDeletion : public QObject {
  Q_OBJECT

 public:
  MessageDeletion(Desk& desk, const AnswerWriter& answers, QObject* parent);

  // Of the chat that is shown, at a message of it, and for a branch by its last message.
  void addTo(QMenu& menu, MessageId message);
  void addBranchTo(QMenu& menu, MessageId last);

 signals:
  void noticed(const vitrine::Notice& notice);

 private:
  bool isAnswered(ChatId chat) const;
  void add(QMenu& menu, const std::vector<MessageRemoval>& removals);
  void remove(ChatId chat, const std::vector<MessageId>& messages);
  void refuse();

  Desk& m_desk;
  const AnswerWriter& m_answers;
};

}  // namespace vitrine
