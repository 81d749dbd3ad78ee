// ChatHistory: the chats that a person keeps, in one SQLite file.
//
//   ChatHistory history;
//   if (const HistoryStatus status = history.open(file); !status.ok()) show(status.message, status.hint);
//   const ChatId chat = history.createChat();
//   const MessageId question = history.addMessage(chat, 0, MessageRole::kUser, "What is a KV cache?");
//   const MessageId answer = history.beginAnswer(chat, question, provenance);
//   history.append(answer, {.text = "A cache of", .tokens = tokens});  // as it comes
//   history.finish(answer, {.state = MessageState::kComplete, .timings = timings});
//
// Every call works, whatever the file does: when it fails, chats are kept in memory, statusChanged() says
// why and what to do, and the file takes them as soon as it can. What is appended to an answer is in the file
// within 250 ms. A chat or message that does not exist changes nothing: such a call returns false, 0 or
// nothing. Thread: one, which makes it, opens it and calls it; it needs an event loop to write by itself.
// Read next: chat_record.h, chat_import.h, chat_export.h.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <map>
#include <optional>
#include <utility>

#include "history_place.h"
#include "history_status.h"
#include "history_store.h"

namespace vitrine {

class ChatHistory : public QObject {
  Q_OBJECT

 public:
  enum class Tokens : std::uint8_t { kLeft, kRead };  // whether messages come with their tokens
  // So long a removed chat can come back, and what was removed from a chat; open() removes older ones.
  static constexpr int kRemovedDays = 7;

  explicit ChatHistory(QObject* parent = nullptr);  // in memory, until open()
  ~ChatHistory() override;                          // writes what it has not written
  // The file and its folder are made if they are not there. An open one is closed first.
  HistoryStatus open(const QString& file);
  const HistoryStatus& status() const { return m_place.status(); }
  // The newest answer that a program before was writing when it died, and its chat; 0: open() has found none.
  std::pair<ChatId, MessageId> cutAnswer();
  // Tries the file again, or what lies in its place now. While its trouble can pass (HistoryStatus::retried)
  // this happens every two seconds by itself.
  bool retry();
  void flush();  // writes what was appended, now

  // Chats.
  ChatId createChat(const ChatSettings& settings = {});
  std::vector<ChatSummary> chats(ChatShelf shelf = ChatShelf::kCurrent);  // pinned ones first, then newest
  std::optional<ChatSummary> summary(ChatId chat);
  bool rename(ChatId chat, const QString& title, bool givenByPerson = true);
  bool setPinned(ChatId chat, bool pinned);
  bool setArchived(ChatId chat, bool archived);
  ChatId duplicate(ChatId chat);  // with all branches
  bool remove(ChatId chat);       // it goes to the shelf of removed ones, and is not found any more
  bool undoRemove(ChatId chat);   // and comes back
  bool purge(ChatId chat);        // for good; its answers that stream end
  ChatSettings settings(ChatId chat);
  bool setSettings(ChatId chat, const ChatSettings& settings);
  QString draft(ChatId chat);
  bool setDraft(ChatId chat, const QString& draft);
  std::vector<ChatId> withDrafts();    // the chats that have one, in no order
  QString firstQuestion(ChatId chat);  // with its files; empty: there is none
  // Messages that wait to be sent, each whole, with its files.
  QStringList waiting(ChatId chat);
  bool setWaiting(ChatId chat, const QStringList& messages);

  // Messages. A new message is the shown leaf, and a first question gives an untitled chat its title.
  std::optional<ChatRecord> chat(ChatId chat, Tokens tokens = Tokens::kLeft);
  std::vector<AnswerToken> tokens(MessageId answer);
  MessageId addMessage(ChatId chat, MessageId parent, MessageRole role, const QString& text);
  // A sibling with another text, of the person or of the model. It has no provenance: no model computed it.
  MessageId edit(MessageId message, const QString& text);
  // Whether prompts that are made from now on have these messages of the chat.
  bool setLeftOut(ChatId chat, const std::vector<MessageId>& messages, bool leftOut);
  // They leave the chat: nothing that reads it finds them, and what follows one of them follows the message
  // above it. Answers below are of another path then (promptOfAnotherPath()). Where the shown leaf goes,
  // a version beside it is shown, or else what is above. All or none: false for one that is not there, that
  // streams, or that is not removed.
  bool removeMessages(ChatId chat, const std::vector<MessageId>& messages);
  // And are again where they were. What another author wrote there meanwhile follows the first of them. They
  // are shown.
  bool undoRemoveMessages(ChatId chat, const std::vector<MessageId>& messages);
  bool hasRemovedMessages(ChatId chat);
  std::vector<RemovedMessages> removedMessages(ChatId chat);  // that can come back, the newest removal first
  // Shows the branch of this message, down to its newest leaf, which is returned.
  MessageId show(MessageId message);

  // Answers.
  MessageId beginAnswer(ChatId chat, MessageId parent, const Provenance& provenance);
  bool append(MessageId answer, const AnswerPiece& piece);
  bool finish(MessageId answer, const AnswerEnd& end);

  // Titles first, then messages, newest first; chats that are archived included. What is typed is never an
  // error (search_text.h). An answer is found when it has ended. At most `most`.
  std::vector<SearchHit> search(const QString& query, int most = 50);

  // All or none; new ids. For chats from readChats().
  std::vector<ChatId> insert(const std::vector<ChatRecord>& chats);

 signals:
  // Lists and chats are to be read again: memory may lack what the file has, and the other way round.
  void statusChanged(const vitrine::HistoryStatus& status);

 private:
  static constexpr int kFlushMs = 100;
  struct Stream {
    ChatId chat = 0;
    AnswerPiece whole = {}, pending = {};
    int pieces = 0;  // written
  };

  // In chat_history.cpp. `work` takes the store, and `values` behind it: a function of it, too.
  template <typename Work, typename... Values>
  auto reading(const Work& work, const Values&... values);
  template <typename Set, typename... Values>
  bool set(ChatId chat, const Set& work, const Values&... values);
  bool writing(const HistoryPlace::Write& work);
  bool changing(ChatId chat, const HistoryPlace::Read& work);
  MessageId add(ChatId chat, MessageRecord message);
  void retryByItself();
  void tellStatus();

  // The last chat that was read without tokens: several views of a chat ask for it one after the other.
  struct LastRead {
    ChatId chat = 0;
    std::pair<std::uint64_t, std::int64_t> version = {};  // writes of this program and of others before it
    std::optional<ChatRecord> record = {};
  };

  HistoryPlace m_place;
  HistoryStatus m_told;
  LastRead m_lastRead;
  std::map<MessageId, Stream> m_streams;
  QTimer m_flushing, m_retrying;
  QElapsedTimer m_pendingSince;
};

}  // namespace vitrine
