// SideBySide: which conversation stands beside the one that is open: a branch of it or another chat, to read.
//
// It follows both: text as it is computed, messages that come, the chat that goes. A message is shown beside
// with what follows it, its newest answers first, as the chat itself would. The pane and its messages are
// there only while one is shown. Thread: the window's. Read next: chat_beside.h,
// widgets/conversation/chat_fork.h.
#pragma once

#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

#include "gui/turns/chat_controller.h"
#include "widgets/conversation/chat_fork.h"

class QMenu;

namespace vitrine {

class ChatBeside;
class ChatPage;

class SideBySide : public QObject {
  Q_OBJECT

 public:
  struct Sides {
    Desk& desk;
    Session& session;
    ChatController& controller;
    ChatView& view;
    ChatModel& shown;
    ChatPage& page;
  };

  SideBySide(Sides sides, QObject* parent);

  // Message 0: the branch that the chat shows. Nothing for a chat or a message that is not there.
  void open(ChatId chat, MessageId message = 0);
  void close();
  void swap();                                 // the two change places
  ChatBeside* pane() const { return m_pane; }  // null: none is shown

  // The offers of each place, in its menu.
  void addVersionsTo(QMenu& menu, MessageId message);
  void addChatTo(QMenu& menu, ChatId chat, MessageId message);
  void showBranchMenu(MessageId message, const QPoint& global);

 signals:
  void branchMenuMade(QMenu& menu, vitrine::MessageId last);  // for what others have to offer

 private:
  void makePane();
  bool isBeside(ChatId chat, MessageId message);
  void addChoice(QMenu& menu, const QString& text, ChatId chat, MessageId message);
  ChatFork fork() const;  // of the two in sight
  void read();
  void compare();
  void tell(const ChatFork& fork);
  void reveal(const ChatFork& fork);
  const MessageRecord* recordOf(int row) const;  // of the pane; null: not read yet
  QString about(const ChatFork& fork) const;
  QString parting(const ChatFork& fork) const;
  int sharedTokens(const ChatFork& fork) const;  // 0: not known

  Sides m_sides;
  ChatBeside* m_pane = nullptr;
  ChatId m_chat = 0;
  MessageId m_leaf = 0;                // of the branch beside
  std::vector<ShownMessage> m_branch;  // as it is kept
  std::optional<ChatFork> m_told;      // nothing: the words are to be made anew
  QTimer m_reading, m_comparing;       // once for several changes
};

}  // namespace vitrine
