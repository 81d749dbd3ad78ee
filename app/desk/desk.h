// Desk: the chat that lies open, of all that are kept.
//
// A new chat is nothing in the file before its first message is written. Thread: the window's. Read next:
// app/history/chat_history.h; answer_writer.h, which writes answers down; chat_list_model.h.
#pragma once

#include <QObject>
#include <functional>
#include <optional>
#include <vector>

#include "history/chat_history.h"

namespace vitrine {

// A message of the branch that is shown, and which of its siblings it is.
struct ShownMessage {
  MessageRecord message;
  int variant = 0, variants = 1;  // 0 is the first
};

// The messages alone.
std::vector<MessageRecord> recordsOf(const std::vector<ShownMessage>& branch);

class Desk : public QObject {
  Q_OBJECT

 public:
  explicit Desk(QObject* parent = nullptr);  // in memory, until keepIn()

  ChatHistory& history() { return m_history; }
  // The chat whose answer a crash has cut is opened, else a new one.
  HistoryStatus keepIn(const QString& file);

  ChatId shown() const { return m_shown; }  // 0: a new chat
  QString title();                          // of the chat shown; empty: a new one
  std::vector<ShownMessage> branch() { return branchOf(m_shown); }
  std::vector<ShownMessage> branchOf(ChatId chat);               // that is shown when the chat is opened
  std::optional<MessageRecord> shownMessage(MessageId message);  // nothing: it is not of the branch

  std::vector<ShownMessage> branchTo(ChatId chat, MessageId last);
  // Whether the model reads these messages of the chat from now on.
  void setLeftOut(ChatId chat, const std::vector<MessageId>& messages, bool leftOut);

  // Chats. Each returns false for one that is not there.
  void begin();            // a new chat
  bool open(ChatId chat);  // also at a message of it, whose branch is then shown
  bool openAt(ChatId chat, MessageId message);
  void setPinned(const std::vector<ChatId>& chats, bool pinned);
  void setArchived(const std::vector<ChatId>& chats, bool archived);
  void duplicate(const std::vector<ChatId>& chats);  // the last copy is opened
  void remove(const std::vector<ChatId>& chats);     // a chat that is shown is closed
  bool bringBack(ChatId chat);  // any that was removed, and is still in the file; it is opened

  // Messages of a chat, together (message_removal.h). False: one is not there, or streams; nothing is done.
  bool removeMessages(ChatId chat, const std::vector<MessageId>& messages);

  // Of what history().removedMessages() has, each removal on its own; they are shown. undoRemove() removes
  // them again. False: none is there any more.
  bool bringBackMessages(ChatId chat, const std::vector<std::vector<MessageId>>& removals);
  // A chat that is being answered keeps its messages, also when undoRemove() would remove them again.
  void setAnswered(std::function<bool(ChatId)> isAnswered) { m_isAnswered = std::move(isAnswered); }

  // What was removed last, chats or messages, and is not back yet, since the program began; or messages that
  // were brought back, which go again. The chat is shown. undoRefused() follows where they have to stay.
  bool undoRemove();
  bool canUndoRemove() const { return !m_removed.empty(); }
  QString undoWords() const;  // of a button: what undoRemove() brings back, or removes again

  // Branches of the chat shown. The sibling `by` places further; nothing at the ends.
  void showSibling(MessageId message, int by);

  // Another text in the place of a message, which stays; it is shown.
  void rewrite(MessageId message, const QString& text);
  // A chat's wishes for its answers; 0: the new chat that is not begun, which takes them along. It has the
  // defaults until it is given others.
  ChatSettings settings(ChatId chat);
  void setSettings(ChatId chat, const ChatSettings& settings);
  const ChatSettings& defaults() const { return m_defaults; }
  void setDefaults(const ChatSettings& defaults);

  // Makes the chat, if it is a new one, and returns it.
  ChatId ensureChat();

 signals:
  void opened();       // another chat or branch is shown
  void listChanged();  // a chat came, went, or has another title or place
  void removed(vitrine::ChatId chat);
  void removedChanged();                       // a chat or messages were removed, or came back
  void messagesChanged(vitrine::ChatId chat);  // some of its messages were removed, or came back
  void undoRefused();                          // the chat is being answered
  void settingsChanged();                      // of a chat, or the defaults

 private:
  // Chats, or messages of one.
  struct Removed {
    std::vector<ChatId> chats = {};
    ChatId chat = 0;
    std::vector<MessageId> messages = {};
    MessageId leaf = 0;   // that was shown, or the first of the messages where they were not
    bool isBack = false;  // the messages were brought back, and undo removes them
  };

  bool takeBack(ChatId chat);
  ChatId takeBackChats(const Removed& removed);
  ChatId takeBackMessages(const Removed& removed);
  ChatId removeAgain(const Removed& back);
  void forgetRemoved(ChatId chat);

  ChatHistory m_history;
  ChatId m_shown = 0;
  std::vector<Removed> m_removed;  // the last ones are the first to come back
  std::function<bool(ChatId)> m_isAnswered = [](ChatId) { return false; };
  std::optional<ChatSettings> m_newSettings;
  ChatSettings m_defaults;
};

}  // namespace vitrine
