#include "history_store.h"

#include <QRandomGenerator>
#include <algorithm>

#include "string_list.h"

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

ChatId HistoryStore::addChat(const ChatSummary& summary, const ChatSettings& settings, const QString& draft) {
  const ChatId id = newId("chats", summary.createdMs, 0);
  const QString title = storable(summary.title);
  m_database.change(
      QStringLiteral("INSERT INTO chats(id, title, title_given, created, changed, pinned, archived, removed,"
                     " shown_leaf, preset, title_words, stops, asking, tools,"
                     " instructions, draft)"
                     " VALUES(?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?)"),
      {sqlNumber(id), title, summary.titleGiven, sqlNumber(summary.createdMs), sqlNumber(summary.changedMs),
       summary.pinned, summary.archived, sqlNumber(summary.removedMs), storable(settings.preset),
       spacedWords(title), stringsToText(settings.stops), stringsToText(settings.asking),
       storable(settings.tools), storable(settings.instructions), storable(draft)});
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
      QStringLiteral("SELECT instructions, stops, preset, asking, tools FROM chats WHERE id = ?"),
      {sqlNumber(chat)}, [&](const QSqlQuery& row) {
        settings = {row.value(0).toString(), stringsFromText(row.value(1).toString()),
                    row.value(2).toString(), stringsFromText(row.value(3).toString()),
                    row.value(4).toString()};
      });
  return settings;
}

void HistoryStore::setSettings(ChatId chat, const ChatSettings& settings) {
  m_database.change(
      QStringLiteral(
          "UPDATE chats SET instructions = ?, stops = ?, preset = ?, asking = ?, tools = ? WHERE id = ?"),
      {storable(settings.instructions), stringsToText(settings.stops), storable(settings.preset),
       stringsToText(settings.asking), storable(settings.tools), sqlNumber(chat)});
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
      .value(QStringLiteral("SELECT text FROM messages WHERE chat = ? AND role = ? ORDER BY id LIMIT 1"),
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
                     " CROSS JOIN chats c ON c.id = m.chat WHERE message_index MATCH ? AND c.removed = 0"
                     " ORDER BY message_index.rowid DESC LIMIT ?"),
      {match, most - static_cast<int>(hits.size())}, take);
  return hits;
}

}  // namespace vitrine
