#include "history_schema.h"

#include <array>

namespace vitrine {

namespace {

constexpr int kApplicationId = 0x56747268;  // "Vtrh"

// Times are milliseconds since 1970. The wide columns stand last, so that listing chats does not read them.
constexpr const char* kChats =
    "CREATE TABLE chats("
    " id INTEGER PRIMARY KEY,"
    " title TEXT NOT NULL,"
    " title_given INTEGER NOT NULL,"
    " created INTEGER NOT NULL,"
    " changed INTEGER NOT NULL,"
    " pinned INTEGER NOT NULL,"
    " archived INTEGER NOT NULL,"
    " removed INTEGER NOT NULL,"  // 0: not removed
    " shown_leaf INTEGER NOT NULL,"
    " preset TEXT NOT NULL,"
    " title_words TEXT,"     // as messages.words
    " stops TEXT NOT NULL,"  // a JSON list
    " instructions TEXT NOT NULL,"
    " draft TEXT NOT NULL)";

// Siblings stand in the order of their ids. A message goes with its chat alone: a cascade from parent to
// child would be as deep as the chat is long, and SQLite allows 1000 levels. words: the text with its
// ideographs set apart, where it has some (search_text.h).
constexpr const char* kMessages =
    "CREATE TABLE messages("
    " id INTEGER PRIMARY KEY,"
    " chat INTEGER NOT NULL REFERENCES chats(id) ON DELETE CASCADE,"
    " parent INTEGER REFERENCES messages(id) DEFERRABLE INITIALLY DEFERRED,"
    " role INTEGER NOT NULL,"
    " state INTEGER NOT NULL,"
    " created INTEGER NOT NULL,"
    " failure TEXT NOT NULL,"
    " text TEXT NOT NULL,"
    " words TEXT,"
    " thinking TEXT NOT NULL)";

constexpr const char* kAnswers =
    "CREATE TABLE answers("
    " message INTEGER PRIMARY KEY REFERENCES messages(id) ON DELETE CASCADE,"
    " model TEXT NOT NULL,"
    " fingerprint TEXT NOT NULL,"
    " engine_options TEXT NOT NULL,"
    " compute_mode TEXT NOT NULL,"
    " instruction_set TEXT NOT NULL,"
    " seed INTEGER NOT NULL,"  // the 64 bits as a signed number
    " sampling TEXT NOT NULL,"
    " queued_ns INTEGER NOT NULL,"
    " prefill_ns INTEGER NOT NULL,"
    " first_token_ns INTEGER NOT NULL,"
    " decode_ns INTEGER NOT NULL,"
    " prompt_tokens INTEGER NOT NULL,"
    " cached_tokens INTEGER NOT NULL,"
    " output_tokens INTEGER NOT NULL,"
    " tokens BLOB NOT NULL)";  // token_bytes.h

// An answer that streams lies here piece by piece: a long one would otherwise be written, and indexed, once
// more for every few words.
constexpr const char* kPieces =
    "CREATE TABLE pieces("
    " message INTEGER NOT NULL REFERENCES messages(id) ON DELETE CASCADE,"
    " number INTEGER NOT NULL,"
    " text TEXT NOT NULL,"
    " thinking TEXT NOT NULL,"
    " tokens BLOB NOT NULL,"
    " PRIMARY KEY(message, number)) WITHOUT ROWID";

// The indices hold no text of their own: they read it through the views, and triggers keep them up to date.
constexpr std::array kFirstVersion = {
    kChats,
    kMessages,
    kAnswers,
    kPieces,
    "CREATE INDEX chats_in_order ON chats(removed, archived, pinned, changed)",
    "CREATE INDEX messages_of_chat ON messages(chat, parent)",
    "CREATE INDEX messages_of_parent ON messages(parent)",
    "CREATE INDEX messages_streaming ON messages(state) WHERE state = 1",
    "CREATE VIEW message_texts AS SELECT id, coalesce(words, text) AS text FROM messages",
    "CREATE VIEW chat_titles AS SELECT id, coalesce(title_words, title) AS text FROM chats",
    "CREATE VIRTUAL TABLE message_index USING fts5(text, content='message_texts', content_rowid='id',"
    " tokenize=\"unicode61 remove_diacritics 2\", prefix='1 2')",
    "CREATE VIRTUAL TABLE title_index USING fts5(text, content='chat_titles', content_rowid='id',"
    " tokenize=\"unicode61 remove_diacritics 2\", prefix='1 2')",
    "CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN"
    " INSERT INTO message_index(rowid, text) VALUES(new.id, coalesce(new.words, new.text)); END",
    "CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN"
    " INSERT INTO message_index(message_index, rowid, text)"
    " VALUES('delete', old.id, coalesce(old.words, old.text)); END",
    "CREATE TRIGGER message_changed AFTER UPDATE OF text, words ON messages BEGIN"
    " INSERT INTO message_index(message_index, rowid, text)"
    " VALUES('delete', old.id, coalesce(old.words, old.text));"
    " INSERT INTO message_index(rowid, text) VALUES(new.id, coalesce(new.words, new.text)); END",
    "CREATE TRIGGER chat_added AFTER INSERT ON chats BEGIN"
    " INSERT INTO title_index(rowid, text) VALUES(new.id, coalesce(new.title_words, new.title)); END",
    "CREATE TRIGGER chat_removed AFTER DELETE ON chats BEGIN"
    " INSERT INTO title_index(title_index, rowid, text)"
    " VALUES('delete', old.id, coalesce(old.title_words, old.title)); END",
    "CREATE TRIGGER chat_renamed AFTER UPDATE OF title, title_words ON chats BEGIN"
    " INSERT INTO title_index(title_index, rowid, text)"
    " VALUES('delete', old.id, coalesce(old.title_words, old.title));"
    " INSERT INTO title_index(rowid, text) VALUES(new.id, coalesce(new.title_words, new.title)); END",
};

constexpr std::array kSecondVersion = {
    "ALTER TABLE answers ADD COLUMN thinking_ns INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE answers ADD COLUMN thinking_tokens INTEGER NOT NULL DEFAULT 0",
    // What a person left out of a context that was full.
    "ALTER TABLE messages ADD COLUMN left_out INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE answers ADD COLUMN left_out TEXT NOT NULL DEFAULT ''",  // a JSON list
};

constexpr std::array kThirdVersion = {
    "ALTER TABLE answers ADD COLUMN answer_limit INTEGER NOT NULL DEFAULT 0",  // AnswerLimit
};

constexpr std::array kFourthVersion = {
    "ALTER TABLE chats ADD COLUMN waiting TEXT NOT NULL DEFAULT ''",  // a JSON list
};

constexpr std::array kFifthVersion = {
    "ALTER TABLE chats ADD COLUMN asking TEXT NOT NULL DEFAULT ''",  // a JSON list
};

constexpr std::array kSixthVersion = {
    "ALTER TABLE chats ADD COLUMN tools TEXT NOT NULL DEFAULT ''",  // JSON, as it was typed
};

constexpr std::array kSeventhVersion = {
    "ALTER TABLE messages ADD COLUMN removed INTEGER NOT NULL DEFAULT 0",  // 0: not removed
    // Of an answer: the ids of the messages above it that went or came back since it was made, joined by XOR.
    "ALTER TABLE answers ADD COLUMN path_change INTEGER NOT NULL DEFAULT 0",
    // All that the tree of a chat is made of, without the wide columns.
    "DROP INDEX messages_of_chat",
    "CREATE INDEX messages_of_chat ON messages(chat, parent, removed)",
    "CREATE INDEX messages_removed ON messages(removed) WHERE removed > 0",
};

constexpr std::array kEighthVersion = {
    "ALTER TABLE chats ADD COLUMN form_kind TEXT NOT NULL DEFAULT ''",  // AnswerForm
    "ALTER TABLE chats ADD COLUMN form_source TEXT NOT NULL DEFAULT ''",
};

constexpr std::array kMigrations = {Migration(kFirstVersion),   Migration(kSecondVersion),
                                    Migration(kThirdVersion),   Migration(kFourthVersion),
                                    Migration(kFifthVersion),   Migration(kSixthVersion),
                                    Migration(kSeventhVersion), Migration(kEighthVersion)};

int number(HistoryDatabase& database, const char* sql) {
  return database.value(QString::fromLatin1(sql)).toInt();
}

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }
int newestSchemaVersion() { return static_cast<int>(kMigrations.size()); }

int checkedVersion(HistoryDatabase& database) {
  const int version = number(database, "PRAGMA user_version");
  const int application = number(database, "PRAGMA application_id");
  const int tables = number(database, "SELECT count(*) FROM sqlite_schema");
  if (tables == 0 && application == 0 && version == 0) return 0;
  if (application != kApplicationId) throw SqlFailure(HistoryTrouble::kForeign, {});
  if (version > newestSchemaVersion())
    throw SqlFailure(
        HistoryTrouble::kNewer,
        QStringLiteral("version %1, and this one reads up to %2").arg(version).arg(newestSchemaVersion()));
  if (version < 1) throw SqlFailure(HistoryTrouble::kBroken, QStringLiteral("version %1").arg(version));
  return version;
}

void migrate(HistoryDatabase& database, std::span<const Migration> steps) {
  const auto present = [&] { return number(database, "PRAGMA user_version"); };
  if (present() >= static_cast<int>(steps.size())) return;
  database.transaction([&] {
    // Another program may have done it in the meantime.
    for (auto step = static_cast<std::size_t>(present()); step < steps.size(); ++step)
      for (const char* statement : steps[step]) database.execute(QString::fromLatin1(statement));
    database.execute(QStringLiteral("PRAGMA application_id = %1").arg(kApplicationId));
    database.execute(QStringLiteral("PRAGMA user_version = %1").arg(steps.size()));
  });
}

}  // namespace vitrine
