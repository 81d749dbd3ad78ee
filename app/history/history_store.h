// HistoryStore: what can be done with chats in one database, a file or memory, one function for each.
//
// A function that changes something is part of its caller's transaction. Ids that do not exist: nothing is
// changed and nothing found. All functions throw SqlFailure. Thread: the database's. Read next:
// history_place.h, which chooses the database, and chat_history.h, which is what programs use.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "chat_record.h"
#include "history_database.h"
#include "kept_tree.h"
#include "search_text.h"

namespace vitrine {

enum class ChatShelf : std::uint8_t { kCurrent, kArchived, kRemoved };

// A part of an answer, as it streams.
struct AnswerPiece {
  QString text = {};
  QString thinking = {};
  std::vector<AnswerToken> tokens = {};

  AnswerPiece& operator+=(const AnswerPiece& next) {
    text += next.text;
    thinking += next.thinking;
    tokens.insert(tokens.end(), next.tokens.begin(), next.tokens.end());
    return *this;
  }
};

struct AnswerEnd {
  MessageState state = MessageState::kComplete;  // kStreaming counts as kStopped
  QString failure = {};                          // for kFailed
  AnswerTimings timings = {};
  AnswerLimit limit = AnswerLimit::kNone;
};

struct SearchHit {
  ChatId chat = 0;
  MessageId message = 0;  // 0: the hit is in the chat's title
  QString title = {};     // of the chat
  bool archived = false;
  MessageRole role = MessageRole::kUser;  // of the message
  std::int64_t createdMs = 0;             // of the message; for a title, when the chat changed
  QString snippet = {};                   // one line of text around the first hit
  std::vector<HitRange> ranges = {};      // of the hits in the snippet
};

// What was removed from a chat at one time.
struct RemovedMessages {
  std::int64_t removedMs = 0;
  std::vector<MessageRecord> messages = {};  // parents before children; `parent` as it was written
};

class HistoryStore {
 public:
  enum class Tokens : std::uint8_t { kLeft, kRead };

  explicit HistoryStore(HistoryDatabase& database) : m_database(database) {}

  void checkTables();  // whether all of them can be read
  // Another number after each write of another connection to the file.
  std::int64_t writesOfOthers();

  // Chats.
  ChatId addChat(const ChatSummary& summary, const ChatSettings& settings, const QString& draft = {});
  std::vector<ChatSummary> chats(ChatShelf shelf);
  std::optional<ChatSummary> summary(ChatId chat);
  void rename(ChatId chat, const QString& title, bool given);
  void setPinned(ChatId chat, bool pinned);
  void setArchived(ChatId chat, bool archived);
  void setRemoved(ChatId chat, std::int64_t removedMs);  // 0: it is back
  void purge(ChatId chat);
  std::vector<ChatId> removedBefore(std::int64_t ms);
  // Messages that were removed before then go for good. Returns their chats.
  std::vector<ChatId> purgeMessages(std::int64_t ms);
  ChatSettings settings(ChatId chat);
  void setSettings(ChatId chat, const ChatSettings& settings);
  QString draft(ChatId chat);
  void setDraft(ChatId chat, const QString& draft);
  std::vector<ChatId> withDrafts();    // in no order
  QString firstQuestion(ChatId chat);  // with its files; empty: there is none
  QStringList waiting(ChatId chat);
  void setWaiting(ChatId chat, const QStringList& messages);
  void setShownLeaf(ChatId chat, MessageId leaf);
  void touch(ChatId chat, std::int64_t nowMs);  // a message came

  // Messages.
  std::optional<ChatRecord> chat(ChatId chat, Tokens tokens);
  ChatId chatOf(MessageId message);  // 0: no such message, or it was removed
  std::optional<MessageRecord> message(MessageId message, Tokens tokens);
  // Its id is given anew: above `above`, its parent's and its siblings'.
  MessageId addMessage(ChatId chat, const MessageRecord& message, MessageId above = 0);
  void setLeftOut(MessageId message, bool leftOut);
  ChatId insert(const ChatRecord& record);  // all ids are given anew
  KeptTree tree(ChatId chat);
  // The chat's messages without these, and with them again. What follows a removed message follows the
  // message above it meanwhile; what was written in the place of the first one, by another author, follows it
  // when it is back. The shown leaf is always one that is there. False, and nothing is changed: one of them
  // is not there, or streams; or is not removed.
  bool removeMessages(ChatId chat, const std::vector<MessageId>& messages, std::int64_t nowMs);
  bool bringBackMessages(ChatId chat, const std::vector<MessageId>& messages);
  bool hasRemovedMessages(ChatId chat);
  std::vector<RemovedMessages> removedMessages(ChatId chat);  // the newest removal first

  // Answers that stream.
  void addPiece(MessageId message, int number, const AnswerPiece& piece);
  // The whole answer takes the place of its pieces.
  void finish(MessageId message, const AnswerPiece& whole, const AnswerEnd& end);
  // Answers that no program writes any more: what is there of them stays, as stopped. Returns them.
  std::vector<MessageId> stopStreaming();

  std::vector<SearchHit> search(const QString& query, int most);

 private:
  std::int64_t newId(const char* table, std::int64_t createdMs, std::int64_t above);
  enum class Kept : std::uint8_t { kYes, kRemoved };
  std::vector<MessageRecord> messages(const QString& where, std::int64_t id, Tokens tokens,
                                      Kept kept = Kept::kYes);
  AnswerPiece joinedPieces(MessageId message);
  void addAnswer(const MessageRecord& message, MessageId id);
  void setMessagesRemoved(ChatId chat, const std::vector<MessageId>& messages, std::int64_t removedMs);
  void takeWrittenInPlaceOf(ChatId chat, MessageId message, MessageId above);
  MessageId shownLeaf(ChatId chat);

  HistoryDatabase& m_database;
};

}  // namespace vitrine
