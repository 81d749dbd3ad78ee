#include "history_store.h"

#include <QHash>
#include <QRandomGenerator>
#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "search_text.h"
#include "token_bytes.h"
#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

constexpr int kRandomBits = 20;
constexpr std::int64_t kLastMs = std::int64_t{1} << 42;  // the year 2109: an id fits in 62 bits

const QString kSummary =
    QStringLiteral("SELECT id, title, title_given, created, changed, pinned, archived, removed FROM chats ");

ChatSummary summaryFrom(const QSqlQuery& row) {
  ChatSummary chat;
  chat.id = row.value(0).toLongLong();
  chat.title = row.value(1).toString();
  chat.titleGiven = row.value(2).toBool();
  chat.createdMs = row.value(3).toLongLong();
  chat.changedMs = row.value(4).toLongLong();
  chat.pinned = row.value(5).toBool();
  chat.archived = row.value(6).toBool();
  chat.removedMs = row.value(7).toLongLong();
  return chat;
}

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

constexpr int kTokensColumn = 28;  // behind those that messageFrom() reads

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
  if (row.value(27).toLongLong() != 0) message.provenance.leftOut = promptOfAnotherPath();
  return message;
}

// A list of strings as the JSON list of one column.
QString stringsToText(const QStringList& strings) {
  nlohmann::json list = nlohmann::json::array();
  for (const QString& one : strings) list.push_back(storable(one).toStdString());
  return QString::fromStdString(list.dump());
}

// Anything else than a list of strings gives none.
QStringList stringsFromText(const QString& text) {
  struct NotJson {};
  QStringList strings;
  try {
    const auto list =
        readJson<nlohmann::json>(text.toStdString(), {}, [](const std::string&) { throw NotJson(); });
    for (const auto& one : list)
      if (one.is_string()) strings += QString::fromStdString(one.get<std::string>());
  } catch (const NotJson&) {
    return {};
  }
  return strings;
}

}  // namespace

// The time and a random number: two files that were written apart have no id in common, and the newest
// message has the greatest.
std::int64_t HistoryStore::newId(const char* table, std::int64_t createdMs, std::int64_t above) {
  const std::int64_t time = std::clamp<std::int64_t>(createdMs, 1, kLastMs) << kRandomBits;
  std::int64_t id = std::max(time | QRandomGenerator::global()->bounded(1 << kRandomBits), above + 1);
  const QString taken = QStringLiteral("SELECT 1 FROM %1 WHERE id = ?").arg(QLatin1String(table));
  while (m_database.value(taken, {sqlNumber(id)}).isValid()) ++id;
  return id;
}

void HistoryStore::checkTables() {
  m_database.value(
      QStringLiteral("SELECT 1 FROM chats, messages, answers, pieces, title_index, message_index, "
                     "chat_titles, message_texts LIMIT 0"));
}

std::int64_t HistoryStore::writesOfOthers() {
  return m_database.value(QStringLiteral("PRAGMA data_version")).toLongLong();
}

ChatId HistoryStore::addChat(const ChatSummary& summary, const ChatSettings& settings, const QString& draft) {
  const ChatId id = newId("chats", summary.createdMs, 0);
  const QString title = storable(summary.title);
  m_database.change(
      QStringLiteral("INSERT INTO chats(id, title, title_given, created, changed, pinned, archived, removed,"
                     " shown_leaf, preset, title_words, stops, asking, tools,"
                     " form_kind, form_source, instructions, draft)"
                     " VALUES(?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      {sqlNumber(id), title, summary.titleGiven, sqlNumber(summary.createdMs), sqlNumber(summary.changedMs),
       summary.pinned, summary.archived, sqlNumber(summary.removedMs), storable(settings.preset),
       spacedWords(title), stringsToText(settings.stops), stringsToText(settings.asking),
       storable(settings.tools), storable(settings.form.kind), storable(settings.form.source),
       storable(settings.instructions), storable(draft)});
  return id;
}

std::vector<ChatSummary> HistoryStore::chats(ChatShelf shelf) {
  const QString where = shelf == ChatShelf::kRemoved ? QStringLiteral("WHERE removed > 0")
                        : shelf == ChatShelf::kArchived
                            ? QStringLiteral("WHERE removed = 0 AND archived = 1")
                            : QStringLiteral("WHERE removed = 0 AND archived = 0");
  std::vector<ChatSummary> found;
  m_database.forEach(kSummary + where + QStringLiteral(" ORDER BY pinned DESC, changed DESC, id DESC"), {},
                     [&](const QSqlQuery& row) { found.push_back(summaryFrom(row)); });
  return found;
}

std::optional<ChatSummary> HistoryStore::summary(ChatId chat) {
  std::optional<ChatSummary> found;
  m_database.forEach(kSummary + QStringLiteral("WHERE id = ?"), {sqlNumber(chat)},
                     [&](const QSqlQuery& row) { found = summaryFrom(row); });
  return found;
}

void HistoryStore::rename(ChatId chat, const QString& title, bool given) {
  const QString clean = storable(title);
  m_database.change(
      QStringLiteral("UPDATE chats SET title = ?, title_words = ?, title_given = ? WHERE id = ?"),
      {clean, spacedWords(clean), given, sqlNumber(chat)});
}

void HistoryStore::setPinned(ChatId chat, bool pinned) {
  m_database.change(QStringLiteral("UPDATE chats SET pinned = ? WHERE id = ?"), {pinned, sqlNumber(chat)});
}

void HistoryStore::setArchived(ChatId chat, bool archived) {
  m_database.change(QStringLiteral("UPDATE chats SET archived = ? WHERE id = ?"),
                    {archived, sqlNumber(chat)});
}

void HistoryStore::setRemoved(ChatId chat, std::int64_t removedMs) {
  m_database.change(QStringLiteral("UPDATE chats SET removed = ? WHERE id = ?"),
                    {sqlNumber(removedMs), sqlNumber(chat)});
}

void HistoryStore::purge(ChatId chat) {
  m_database.change(QStringLiteral("DELETE FROM chats WHERE id = ?"), {sqlNumber(chat)});
}

std::vector<ChatId> HistoryStore::removedBefore(std::int64_t ms) {
  std::vector<ChatId> found;
  m_database.forEach(QStringLiteral("SELECT id FROM chats WHERE removed > 0 AND removed < ?"),
                     {sqlNumber(ms)},
                     [&](const QSqlQuery& row) { found.push_back(row.value(0).toLongLong()); });
  return found;
}

ChatSettings HistoryStore::settings(ChatId chat) {
  ChatSettings settings;
  m_database.forEach(
      QStringLiteral("SELECT instructions, stops, preset, asking, tools, form_kind, form_source"
                     " FROM chats WHERE id = ?"),
      {sqlNumber(chat)}, [&](const QSqlQuery& row) {
        settings = {row.value(0).toString(), stringsFromText(row.value(1).toString()),
                    row.value(2).toString(), stringsFromText(row.value(3).toString()),
                    row.value(4).toString(), {row.value(5).toString(), row.value(6).toString()}};
      });
  return settings;
}

void HistoryStore::setSettings(ChatId chat, const ChatSettings& settings) {
  m_database.change(
      QStringLiteral(
          "UPDATE chats SET instructions = ?, stops = ?, preset = ?, asking = ?, tools = ?, form_kind = ?,"
          " form_source = ? WHERE id = ?"),
      {storable(settings.instructions), stringsToText(settings.stops), storable(settings.preset),
       stringsToText(settings.asking), storable(settings.tools), storable(settings.form.kind),
       storable(settings.form.source), sqlNumber(chat)});
}

QString HistoryStore::draft(ChatId chat) {
  return m_database.value(QStringLiteral("SELECT draft FROM chats WHERE id = ?"), {sqlNumber(chat)})
      .toString();
}

void HistoryStore::setDraft(ChatId chat, const QString& draft) {
  m_database.change(QStringLiteral("UPDATE chats SET draft = ? WHERE id = ?"),
                    {storable(draft), sqlNumber(chat)});
}

std::vector<ChatId> HistoryStore::withDrafts() {
  std::vector<ChatId> chats;
  m_database.forEach(QStringLiteral("SELECT id FROM chats WHERE draft <> ''"), {},
                     [&](const QSqlQuery& row) { chats.push_back(row.value(0).toLongLong()); });
  return chats;
}

QString HistoryStore::firstQuestion(ChatId chat) {
  return m_database
      .value(QStringLiteral("SELECT text FROM messages WHERE chat = ? AND role = ? AND removed = 0"
                            " ORDER BY id LIMIT 1"),
             {sqlNumber(chat), static_cast<int>(MessageRole::kUser)})
      .toString();
}

QStringList HistoryStore::waiting(ChatId chat) {
  return stringsFromText(
      m_database.value(QStringLiteral("SELECT waiting FROM chats WHERE id = ?"), {sqlNumber(chat)})
          .toString());
}

void HistoryStore::setWaiting(ChatId chat, const QStringList& messages) {
  m_database.change(QStringLiteral("UPDATE chats SET waiting = ? WHERE id = ?"),
                    {stringsToText(messages), sqlNumber(chat)});
}

void HistoryStore::setShownLeaf(ChatId chat, MessageId leaf) {
  m_database.change(QStringLiteral("UPDATE chats SET shown_leaf = ? WHERE id = ?"),
                    {sqlNumber(leaf), sqlNumber(chat)});
}

void HistoryStore::touch(ChatId chat, std::int64_t nowMs) {
  m_database.change(QStringLiteral("UPDATE chats SET changed = max(changed, ?) WHERE id = ?"),
                    {sqlNumber(nowMs), sqlNumber(chat)});
}

// FTS5 gives the rows of a match in the order of their ids, newest first, and stops after `most`: no hit has
// to be ranked against all others. CROSS JOIN keeps SQLite from beginning with another table.
std::vector<SearchHit> HistoryStore::search(const QString& query, int most) {
  constexpr int kSnippet = 200;
  const QString match = matchExpression(query);
  std::vector<SearchHit> hits;
  if (match.isEmpty() || most <= 0) return hits;
  const auto take = [&](const QSqlQuery& row) {
    SearchHit hit{.chat = row.value(0).toLongLong(),
                  .message = row.value(1).toLongLong(),
                  .title = row.value(2).toString(),
                  .archived = row.value(3).toBool(),
                  .role = static_cast<MessageRole>(row.value(4).toInt()),
                  .createdMs = row.value(5).toLongLong()};
    MarkedText marked = snippetOf(row.value(6).toString(), kSnippet);
    hit.snippet = std::move(marked.text);
    hit.ranges = std::move(marked.ranges);
    hits.push_back(std::move(hit));
  };
  m_database.forEach(
      QStringLiteral("SELECT c.id, 0, c.title, c.archived, 0, c.changed,"
                     " highlight(title_index, 0, char(29), char(30))"
                     " FROM title_index CROSS JOIN chats c ON c.id = title_index.rowid"
                     " WHERE title_index MATCH ? AND c.removed = 0 ORDER BY title_index.rowid DESC LIMIT ?"),
      {match, most}, take);
  m_database.forEach(
      QStringLiteral("SELECT c.id, m.id, c.title, c.archived, m.role, m.created,"
                     " highlight(message_index, 0, char(29), char(30))"
                     " FROM message_index CROSS JOIN messages m ON m.id = message_index.rowid"
                     " CROSS JOIN chats c ON c.id = m.chat WHERE message_index MATCH ?"
                     " AND c.removed = 0 AND m.removed = 0 ORDER BY message_index.rowid DESC LIMIT ?"),
      {match, most - static_cast<int>(hits.size())}, take);
  return hits;
}

// Messages and answers.

AnswerPiece HistoryStore::joinedPieces(MessageId message) {
  AnswerPiece whole;
  m_database.forEach(
      QStringLiteral("SELECT text, thinking, tokens FROM pieces WHERE message = ? ORDER BY number"),
      {sqlNumber(message)}, [&](const QSqlQuery& row) {
        whole += {row.value(0).toString(), row.value(1).toString(), unpackTokens(row.value(2).toByteArray())};
      });
  return whole;
}

std::vector<MessageRecord> HistoryStore::messages(const QString& where, std::int64_t id, Tokens tokens,
                                                  Kept kept) {
  std::vector<MessageRecord> found;
  m_database.forEach(
      QStringLiteral(
          "SELECT m.id, m.parent, m.role, m.state, m.created, m.text, m.thinking, m.failure, a.model,"
          " a.fingerprint, a.engine_options, a.compute_mode, a.instruction_set, a.seed, a.sampling,"
          " a.queued_ns, a.prefill_ns, a.first_token_ns, a.decode_ns, a.prompt_tokens,"
          " a.cached_tokens, a.output_tokens, a.thinking_ns, a.thinking_tokens,"
          " a.left_out, m.left_out, a.answer_limit, a.path_change%1"
          " FROM messages m LEFT JOIN answers a ON a.message = m.id WHERE %2 = ? AND m.removed %3 0"
          " ORDER BY m.id")
          .arg(tokens == Tokens::kRead ? QStringLiteral(", a.tokens") : QString(), where,
               kept == Kept::kYes ? QStringLiteral("=") : QStringLiteral(">")),
      {sqlNumber(id)}, [&](const QSqlQuery& row) {
        found.push_back(messageFrom(row));
        if (tokens == Tokens::kRead)
          found.back().tokens = unpackTokens(row.value(kTokensColumn).toByteArray());
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
  ChatRecord record{*found,        settings(chat),  draft(chat),
                    waiting(chat), shownLeaf(chat), messages(QStringLiteral("m.chat"), chat, tokens)};
  const KeptTree kept = tree(chat);
  for (MessageRecord& one : record.messages) one.parent = kept.parentOf(one.id);
  return record;
}

std::optional<MessageRecord> HistoryStore::message(MessageId message, Tokens tokens) {
  std::vector<MessageRecord> found = messages(QStringLiteral("m.id"), message, tokens);
  if (found.empty()) return std::nullopt;
  found.front().parent = tree(chatOf(message)).parentOf(message);
  return std::move(found.front());
}

ChatId HistoryStore::chatOf(MessageId message) {
  return m_database
      .value(QStringLiteral("SELECT chat FROM messages WHERE id = ? AND removed = 0"), {sqlNumber(message)})
      .toLongLong();
}

KeptTree HistoryStore::tree(ChatId chat) {
  std::vector<TreeMessage> messages;
  m_database.forEach(
      QStringLiteral("SELECT id, parent, removed <> 0 FROM messages WHERE chat = ? ORDER BY id"),
      {sqlNumber(chat)}, [&](const QSqlQuery& row) {
        messages.push_back({row.value(0).toLongLong(), row.value(1).toLongLong(), row.value(2).toBool()});
      });
  return KeptTree(messages);
}

// Whether the prompt of an answer below had such a message or not: its path is another one from now on, until
// the same happens once more.
void HistoryStore::setMessagesRemoved(ChatId chat, const std::vector<MessageId>& messages,
                                      std::int64_t removedMs) {
  for (const MessageId message : messages)
    m_database.change(QStringLiteral("UPDATE messages SET removed = ? WHERE id = ?"),
                      {sqlNumber(removedMs), sqlNumber(message)});
  for (const auto& [answer, ids] : tree(chat).joinedAbove(messages))  // SQL has no sign for XOR
    m_database.change(QStringLiteral("UPDATE answers SET path_change = (path_change | ?) - (path_change & ?)"
                                     " WHERE message = ?"),
                      {sqlNumber(ids), sqlNumber(ids), sqlNumber(answer)});
}

MessageId HistoryStore::shownLeaf(ChatId chat) {
  return m_database.value(QStringLiteral("SELECT shown_leaf FROM chats WHERE id = ?"), {sqlNumber(chat)})
      .toLongLong();
}

bool HistoryStore::removeMessages(ChatId chat, const std::vector<MessageId>& messages, std::int64_t nowMs) {
  const QString state = QStringLiteral("SELECT state FROM messages WHERE id = ?");
  for (const MessageId message : messages)
    if (chatOf(message) != chat ||
        enumFrom<MessageState>(m_database.value(state, {sqlNumber(message)})) == MessageState::kStreaming)
      return false;
  setMessagesRemoved(chat, messages, nowMs);
  setShownLeaf(chat, tree(chat).leafInPlaceOf(shownLeaf(chat)));
  return !messages.empty();
}

// A question that was written where an answer had been is no version of that answer: it follows it.
void HistoryStore::takeWrittenInPlaceOf(ChatId chat, MessageId message, MessageId above) {
  m_database.change(QStringLiteral("UPDATE messages SET parent = ? WHERE chat = ? AND parent IS ? AND id > ?"
                                   " AND role <> (SELECT role FROM messages WHERE id = ?)"
                                   " AND created >= (SELECT removed FROM messages WHERE id = ?)"),
                    {sqlNumber(message), sqlNumber(chat), above == 0 ? QVariant() : sqlNumber(above),
                     sqlNumber(message), sqlNumber(message), sqlNumber(message)});
}

bool HistoryStore::bringBackMessages(ChatId chat, const std::vector<MessageId>& messages) {
  const KeptTree before = tree(chat);
  if (messages.empty() || !std::ranges::all_of(messages, [&](MessageId id) { return before.isRemoved(id); }))
    return false;
  const MessageId first = std::ranges::min(messages);
  takeWrittenInPlaceOf(chat, first, before.parentOf(first));
  setMessagesRemoved(chat, messages, 0);
  const KeptTree now = tree(chat);
  MessageId shown = shownLeaf(chat);
  while (shown != 0 && shown != first) shown = now.parentOf(shown);
  if (shown == 0) setShownLeaf(chat, now.leafBelow(first));
  return true;
}

bool HistoryStore::hasRemovedMessages(ChatId chat) {
  return m_database
      .value(QStringLiteral("SELECT EXISTS(SELECT 1 FROM messages WHERE chat = ? AND removed > 0)"),
             {sqlNumber(chat)})
      .toBool();
}

std::vector<RemovedMessages> HistoryStore::removedMessages(ChatId chat) {
  std::map<MessageId, std::int64_t> times;
  m_database.forEach(
      QStringLiteral("SELECT id, removed FROM messages WHERE chat = ? AND removed > 0"), {sqlNumber(chat)},
      [&](const QSqlQuery& row) { times[row.value(0).toLongLong()] = row.value(1).toLongLong(); });
  std::map<std::int64_t, std::vector<MessageRecord>, std::greater<>> byTime;
  for (MessageRecord& one : messages(QStringLiteral("m.chat"), chat, Tokens::kLeft, Kept::kRemoved))
    byTime[times[one.id]].push_back(std::move(one));
  std::vector<RemovedMessages> removed;
  for (auto& [time, messages] : byTime) removed.push_back({time, std::move(messages)});
  return removed;
}

// Each is deleted with its children on its parent, from the root on.
std::vector<ChatId> HistoryStore::purgeMessages(std::int64_t ms) {
  std::vector<ChatId> chats;
  std::vector<MessageId> old;
  m_database.forEach(
      QStringLiteral("SELECT id, chat FROM messages WHERE removed > 0 AND removed < ? ORDER BY id"),
      {sqlNumber(ms)}, [&](const QSqlQuery& row) {
        old.push_back(row.value(0).toLongLong());
        chats.push_back(row.value(1).toLongLong());
      });
  for (const MessageId message : old) {
    m_database.change(QStringLiteral("UPDATE messages SET parent = (SELECT parent FROM messages WHERE id = ?)"
                                     " WHERE parent = ?"),
                      {sqlNumber(message), sqlNumber(message)});
    m_database.change(QStringLiteral("DELETE FROM messages WHERE id = ?"), {sqlNumber(message)});
  }
  return chats;
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

std::vector<MessageId> HistoryStore::stopStreaming() {
  std::vector<MessageId> left;
  m_database.forEach(QStringLiteral("SELECT id FROM messages WHERE state = 1"), {},
                     [&](const QSqlQuery& row) { left.push_back(row.value(0).toLongLong()); });
  for (const MessageId message : left) {
    const AnswerPiece pieces = joinedPieces(message);
    AnswerEnd end{.state = MessageState::kStopped};
    end.timings.outputTokens = static_cast<int>(pieces.tokens.size());
    finish(message, pieces, end);
  }
  return left;
}

}  // namespace vitrine
