// HistoryStore: messages and answers.
#include <QHash>
#include <algorithm>

#include "history_store.h"
#include "token_bytes.h"

namespace vitrine {

namespace {

template <typename Enum>
QVariant code(Enum value) {
  return static_cast<int>(value);
}

// A value that no enumerator has, from a damaged file, is the last one: an answer that failed, a tool's text.
template <Named Enum>
Enum enumFrom(const QVariant& value) {
  constexpr int last = static_cast<int>(Names<Enum>::list.size()) - 1;
  const int number = value.toInt();
  return static_cast<Enum>(number < 0 || number > last ? last : number);
}

MessageRecord messageFrom(const QSqlQuery& row) {
  MessageRecord message;
  message.id = row.value(0).toLongLong();
  message.parent = row.value(1).toLongLong();
  message.role = enumFrom<MessageRole>(row.value(2));
  message.state = enumFrom<MessageState>(row.value(3));
  message.createdMs = row.value(4).toLongLong();
  message.text = row.value(5).toString();
  message.thinking = row.value(6).toString();
  message.failure = row.value(7).toString();
  message.provenance = {row.value(8).toString(),  row.value(9).toString(),
                        row.value(10).toString(), row.value(11).toString(),
                        row.value(12).toString(), static_cast<std::uint64_t>(row.value(13).toLongLong()),
                        row.value(14).toString(), row.value(24).toString()};
  message.timings = {row.value(15).toLongLong(), row.value(16).toLongLong(), row.value(17).toLongLong(),
                     row.value(18).toLongLong(), row.value(19).toInt(),      row.value(20).toInt(),
                     row.value(21).toInt(),      row.value(22).toLongLong(), row.value(23).toInt()};
  message.leftOut = row.value(25).toBool();
  message.limit = enumFrom<AnswerLimit>(row.value(26));
  return message;
}

}  // namespace

AnswerPiece HistoryStore::joinedPieces(MessageId message) {
  AnswerPiece whole;
  m_database.forEach(
      QStringLiteral("SELECT text, thinking, tokens FROM pieces WHERE message = ? ORDER BY number"),
      {sqlNumber(message)}, [&](const QSqlQuery& row) {
        whole += {row.value(0).toString(), row.value(1).toString(), unpackTokens(row.value(2).toByteArray())};
      });
  return whole;
}

std::vector<MessageRecord> HistoryStore::messages(const QString& where, std::int64_t id, Tokens tokens) {
  std::vector<MessageRecord> found;
  m_database.forEach(
      QStringLiteral(
          "SELECT m.id, m.parent, m.role, m.state, m.created, m.text, m.thinking, m.failure, a.model,"
          " a.fingerprint, a.engine_options, a.compute_mode, a.instruction_set, a.seed, a.sampling,"
          " a.queued_ns, a.prefill_ns, a.first_token_ns, a.decode_ns, a.prompt_tokens,"
          " a.cached_tokens, a.output_tokens, a.thinking_ns, a.thinking_tokens,"
          " a.left_out, m.left_out, a.answer_limit%1"
          " FROM messages m LEFT JOIN answers a ON a.message = m.id WHERE %2 = ? ORDER BY m.id")
          .arg(tokens == Tokens::kRead ? QStringLiteral(", a.tokens") : QString(), where),
      {sqlNumber(id)}, [&](const QSqlQuery& row) {
        found.push_back(messageFrom(row));
        if (tokens == Tokens::kRead) found.back().tokens = unpackTokens(row.value(27).toByteArray());
      });
  for (MessageRecord& message : found) {
    if (message.state != MessageState::kStreaming) continue;
    AnswerPiece pieces = joinedPieces(message.id);
    message.text = std::move(pieces.text);
    message.thinking = std::move(pieces.thinking);
    if (tokens == Tokens::kRead) message.tokens = std::move(pieces.tokens);
  }
  return found;
}

std::optional<ChatRecord> HistoryStore::chat(ChatId chat, Tokens tokens) {
  const std::optional<ChatSummary> found = summary(chat);
  if (!found) return std::nullopt;
  const QVariant leaf =
      m_database.value(QStringLiteral("SELECT shown_leaf FROM chats WHERE id = ?"), {sqlNumber(chat)});
  return ChatRecord{*found,        settings(chat),    draft(chat),
                    waiting(chat), leaf.toLongLong(), messages(QStringLiteral("m.chat"), chat, tokens)};
}

std::optional<MessageRecord> HistoryStore::message(MessageId message, Tokens tokens) {
  std::vector<MessageRecord> found = messages(QStringLiteral("m.id"), message, tokens);
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

ChatId HistoryStore::chatOf(MessageId message) {
  return m_database.value(QStringLiteral("SELECT chat FROM messages WHERE id = ?"), {sqlNumber(message)})
      .toLongLong();
}

MessageId HistoryStore::leafBelow(MessageId message) {
  MessageId leaf = message;
  for (MessageId below = message; below != 0;) {
    leaf = below;
    below =
        m_database.value(QStringLiteral("SELECT max(id) FROM messages WHERE parent = ?"), {sqlNumber(leaf)})
            .toLongLong();
  }
  return leaf;
}

// Its siblings stand in the order of their ids, so the new one's is above theirs.
MessageId HistoryStore::addMessage(ChatId chat, const MessageRecord& message, MessageId above) {
  const QVariant sibling =
      m_database.value(QStringLiteral("SELECT max(id) FROM messages WHERE chat = ? AND parent IS ?"),
                       {sqlNumber(chat), message.parent == 0 ? QVariant() : sqlNumber(message.parent)});
  const MessageId id = newId("messages", message.createdMs,
                             std::max<MessageId>({above, message.parent, sibling.toLongLong()}));
  const QString text = storable(message.text);
  m_database.change(
      QStringLiteral("INSERT INTO messages(id, chat, parent, role, state, created, failure, text, words,"
                     " thinking, left_out) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      {sqlNumber(id), sqlNumber(chat), message.parent == 0 ? QVariant() : sqlNumber(message.parent),
       code(message.role), code(message.state), sqlNumber(message.createdMs), storable(message.failure), text,
       spacedWords(text), storable(message.thinking), message.leftOut});
  if (message.role == MessageRole::kAssistant) addAnswer(message, id);
  return id;
}

void HistoryStore::addAnswer(const MessageRecord& message, MessageId id) {
  const Provenance& from = message.provenance;
  const AnswerTimings& timings = message.timings;
  m_database.change(
      QStringLiteral(
          "INSERT INTO answers(message, model, fingerprint, engine_options, compute_mode,"
          " instruction_set, seed, sampling, queued_ns, prefill_ns, first_token_ns, decode_ns,"
          " prompt_tokens, cached_tokens, output_tokens, thinking_ns, thinking_tokens, tokens,"
          " left_out, answer_limit) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      {sqlNumber(id),
       storable(from.model),
       storable(from.fingerprint),
       storable(from.engineOptions),
       storable(from.computeMode),
       storable(from.instructionSet),
       sqlNumber(static_cast<std::int64_t>(from.seed)),
       storable(from.sampling),
       sqlNumber(timings.queuedNs),
       sqlNumber(timings.prefillNs),
       sqlNumber(timings.firstTokenNs),
       sqlNumber(timings.decodeNs),
       timings.promptTokens,
       timings.cachedTokens,
       timings.outputTokens,
       sqlNumber(timings.thinkingNs),
       timings.thinkingTokens,
       packTokens(message.tokens),
       storable(from.leftOut),
       code(message.limit)});
}

void HistoryStore::setLeftOut(MessageId message, bool leftOut) {
  m_database.change(QStringLiteral("UPDATE messages SET left_out = ? WHERE id = ?"),
                    {leftOut, sqlNumber(message)});
}

ChatId HistoryStore::insert(const ChatRecord& record) {
  const ChatId chat = addChat(record.summary, record.settings, record.draft);
  QHash<MessageId, MessageId> ids;
  MessageId last = 0;
  std::int64_t lastMs = 0;
  for (MessageRecord message : record.messages) {
    message.parent = ids.value(message.parent, 0);
    if (message.state == MessageState::kStreaming) message.state = MessageState::kStopped;
    // Messages of one moment stay in their order.
    last = addMessage(chat, message, message.createdMs >= lastMs ? last : 0);
    lastMs = message.createdMs;
    ids.insert(message.id, last);
  }
  setShownLeaf(chat, ids.value(record.shownLeaf, 0));
  if (!record.waiting.isEmpty()) setWaiting(chat, record.waiting);
  return chat;
}

void HistoryStore::addPiece(MessageId message, int number, const AnswerPiece& piece) {
  m_database.change(
      QStringLiteral("INSERT INTO pieces(message, number, text, thinking, tokens) VALUES(?, ?, ?, ?, ?)"),
      {sqlNumber(message), number, storable(piece.text), storable(piece.thinking), packTokens(piece.tokens)});
}

void HistoryStore::finish(MessageId message, const AnswerPiece& whole, const AnswerEnd& end) {
  const QString text = storable(whole.text);
  const MessageState state = end.state == MessageState::kStreaming ? MessageState::kStopped : end.state;
  m_database.change(QStringLiteral("UPDATE messages SET state = ?, text = ?, words = ?, thinking = ?,"
                                   " failure = ? WHERE id = ?"),
                    {code(state), text, spacedWords(text), storable(whole.thinking), storable(end.failure),
                     sqlNumber(message)});
  const AnswerTimings& timings = end.timings;
  m_database.change(
      QStringLiteral("UPDATE answers SET queued_ns = ?, prefill_ns = ?, first_token_ns = ?,"
                     " decode_ns = ?, prompt_tokens = ?, cached_tokens = ?, output_tokens = ?,"
                     " thinking_ns = ?, thinking_tokens = ?, tokens = ?, answer_limit = ? WHERE message = ?"),
      {sqlNumber(timings.queuedNs), sqlNumber(timings.prefillNs), sqlNumber(timings.firstTokenNs),
       sqlNumber(timings.decodeNs), timings.promptTokens, timings.cachedTokens, timings.outputTokens,
       sqlNumber(timings.thinkingNs), timings.thinkingTokens, packTokens(whole.tokens), code(end.limit),
       sqlNumber(message)});
  m_database.change(QStringLiteral("DELETE FROM pieces WHERE message = ?"), {sqlNumber(message)});
}

int HistoryStore::stopStreaming() {
  std::vector<MessageId> left;
  m_database.forEach(QStringLiteral("SELECT id FROM messages WHERE state = 1"), {},
                     [&](const QSqlQuery& row) { left.push_back(row.value(0).toLongLong()); });
  for (const MessageId message : left) {
    const AnswerPiece pieces = joinedPieces(message);
    AnswerEnd end{.state = MessageState::kStopped};
    end.timings.outputTokens = static_cast<int>(pieces.tokens.size());
    finish(message, pieces, end);
  }
  return static_cast<int>(left.size());
}

}  // namespace vitrine
