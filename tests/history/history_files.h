// For tests of histories: files that are looked at from outside, and a disk that is full.
#pragma once

#include <sys/resource.h>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QVariant>
#include <csignal>

#include "history/chat_history.h"

namespace vitrine {

// For QTemporaryDir: in memory where the system has such a place, since these tests open and close hundreds
// of files and a busy disk takes its time for each.
inline QString testFolder() {
  const QString memory = QStringLiteral("/dev/shm");
  const QString folder = QFileInfo(memory).isWritable() ? memory : QDir::tempPath();
  return folder + QStringLiteral("/vitrine-history-XXXXXX");
}

// A connection of another program.
class OtherProgram {
 public:
  explicit OtherProgram(const QString& file) {
    m_database = QSqlDatabase::addDatabase("QSQLITE", "other program");
    m_database.setDatabaseName(file);
    m_database.setConnectOptions("QSQLITE_BUSY_TIMEOUT=5000");
    m_database.open();
  }
  ~OtherProgram() {
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase("other program");
  }
  OtherProgram(const OtherProgram&) = delete;
  OtherProgram& operator=(const OtherProgram&) = delete;
  // The first column of the rows; the error's text when there is one.
  QString run(const QString& sql) {
    QSqlQuery query(m_database);
    if (!query.exec(sql)) return query.lastError().text();
    QStringList rows;
    while (query.next()) rows += query.value(0).toString();
    return rows.join('\n');
  }

 private:
  QSqlDatabase m_database;
};

// "ok" for a file whose tables and both indices agree with one another.
inline QString soundness(const QString& file) {
  OtherProgram other(file);
  const QString pages = other.run("PRAGMA integrity_check");
  const QString references = other.run("PRAGMA foreign_key_check");
  const QString words =
      other.run("INSERT INTO message_index(message_index, rank) VALUES('integrity-check', 1)");
  const QString titles = other.run("INSERT INTO title_index(title_index, rank) VALUES('integrity-check', 1)");
  return pages + references + words + titles;
}

inline QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// While it lives no file of this process can be written beyond its first bytes: as on a full disk, and root
// too.
class FullDisk {
 public:
  FullDisk() {
    std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &m_before);
    rlimit none = m_before;
    none.rlim_cur = 0;
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_before); }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit m_before{};
};

inline Provenance someProvenance() {
  return {
      "qwen3-0.6b",        "sha256:12ab",          "{\"threads\":2,\"kv_dtype\":\"same\"}", "exact", "avx2",
      0xfedcba9876543210U, "{\"temperature\":0.7}"};
}

// Returns when the clock shows another millisecond, so that times differ.
inline void nextMoment() {
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  while (QDateTime::currentMSecsSinceEpoch() == now) continue;
}

// A chat with a question and an answer that has ended.
inline ChatId smallChat(ChatHistory& history, const QString& question, const QString& answer) {
  const ChatId chat = history.createChat();
  const MessageId asked = history.addMessage(chat, 0, MessageRole::kUser, question);
  const MessageId answered = history.beginAnswer(chat, asked, someProvenance());
  history.append(answered, {.text = answer});
  history.finish(answered, {});
  return chat;
}

}  // namespace vitrine
