#include "history_database.h"

#include <QDir>
#include <QFileInfo>
#include <QSqlError>
#include <QUrl>
#include <atomic>

#include "history_privacy.h"

namespace vitrine {

namespace {

constexpr int kBusyMs = 100;  // wait for another program's lock; the owner's thread may paint

// The low byte of SQLite's result codes (sqlite.org/rescode.html).
HistoryTrouble troubleOf(int code) {
  switch (code & 0xff) {
    case 5:   // SQLITE_BUSY
    case 6:   // SQLITE_LOCKED
    case 15:  // SQLITE_PROTOCOL
      return HistoryTrouble::kLocked;
    case 8:
      return HistoryTrouble::kReadOnly;
    case 13:
      return HistoryTrouble::kFull;
    case 10:
      return HistoryTrouble::kUnwritable;
    case 3:   // SQLITE_PERM
    case 14:  // SQLITE_CANTOPEN
    case 23:  // SQLITE_AUTH
      return HistoryTrouble::kUnreadable;
    default:
      return HistoryTrouble::kBroken;  // SQLITE_CORRUPT, SQLITE_NOTADB, a schema that is not ours
  }
}

[[noreturn]] void fail(const QSqlError& error) {
  const QString words = error.databaseText().isEmpty() ? error.driverText() : error.databaseText();
  throw SqlFailure(troubleOf(error.nativeErrorCode().toInt()), words);
}

QString newName() {
  static std::atomic<int> count = 0;
  return QStringLiteral("vitrine-history-%1").arg(++count);
}

QString asUri(const QString& file, const char* query) {
  QUrl url = QUrl::fromLocalFile(QFileInfo(file).absoluteFilePath());
  url.setQuery(QString::fromLatin1(query));
  return QString::fromLatin1(url.toEncoded());
}

}  // namespace

std::unique_ptr<HistoryDatabase> HistoryDatabase::openFile(const QString& file, Access access) {
  if (access == Access::kReadWrite) QDir().mkpath(QFileInfo(file).absolutePath());
  if (QFileInfo(file).isDir()) throw SqlFailure(HistoryTrouble::kUnreadable, QStringLiteral("a folder"));
  if (access == Access::kReadWrite) makePrivateFile(file);
  std::unique_ptr<HistoryDatabase> database(new HistoryDatabase(newName()));
  const char* const query = access == Access::kReadWrite  ? "mode=rwc"
                            : access == Access::kReadOnly ? "mode=ro"
                                                          : "mode=ro&immutable=1";
  database->open(asUri(file, query), QStringLiteral("QSQLITE_OPEN_URI;"));
  return database;
}

std::unique_ptr<HistoryDatabase> HistoryDatabase::openInMemory() {
  std::unique_ptr<HistoryDatabase> database(new HistoryDatabase(newName()));
  database->open(QStringLiteral(":memory:"), {});
  return database;
}

void HistoryDatabase::open(const QString& file, const QString& options) {
  if (!QSqlDatabase::isDriverAvailable(QStringLiteral("QSQLITE")))
    throw SqlFailure(HistoryTrouble::kNoDriver, {});
  m_database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), m_name);
  m_database.setDatabaseName(file);
  m_database.setConnectOptions(options + QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(kBusyMs));
  if (!m_database.open()) fail(m_database.lastError());
  execute(QStringLiteral("PRAGMA foreign_keys = ON"));
}

HistoryDatabase::~HistoryDatabase() {
  m_statements.clear();
  m_database.close();
  m_database = {};  // removeDatabase() wants no user of the connection
  QSqlDatabase::removeDatabase(m_name);
}

QSqlQuery& HistoryDatabase::started(const QString& sql, const QVariantList& values) {
  std::unique_ptr<QSqlQuery>& statement = m_statements[sql];
  if (!statement) {
    auto prepared = std::make_unique<QSqlQuery>(m_database);
    prepared->setForwardOnly(true);
    if (!prepared->prepare(sql)) fail(prepared->lastError());
    statement = std::move(prepared);
  }
  for (qsizetype i = 0; i < values.size(); ++i) statement->bindValue(static_cast<int>(i), values.at(i));
  if (!statement->exec()) {
    const QSqlError error = statement->lastError();
    statement->finish();
    fail(error);
  }
  return *statement;
}

void HistoryDatabase::forEach(const QString& sql, const QVariantList& values, const Row& row) {
  QSqlQuery& query = started(sql, values);
  struct Finish {
    QSqlQuery& query;
    ~Finish() { query.finish(); }
  } finish{query};
  while (query.next()) row(query);
  if (query.lastError().isValid()) fail(query.lastError());
}

QVariant HistoryDatabase::value(const QString& sql, const QVariantList& values) {
  QSqlQuery& query = started(sql, values);
  const QVariant first = query.next() ? query.value(0) : QVariant();
  const QSqlError error = query.lastError();
  query.finish();
  if (error.isValid()) fail(error);
  return first;
}

int HistoryDatabase::change(const QString& sql, const QVariantList& values) {
  QSqlQuery& query = started(sql, values);
  const int rows = query.numRowsAffected();
  query.finish();
  return rows;
}

void HistoryDatabase::execute(const QString& sql) {
  QSqlQuery query(m_database);
  if (!query.exec(sql)) fail(query.lastError());
}

void HistoryDatabase::transaction(const std::function<void()>& work) {
  execute(QStringLiteral("BEGIN IMMEDIATE"));
  try {
    work();
    execute(QStringLiteral("COMMIT"));
  } catch (...) {
    QSqlQuery(m_database).exec(QStringLiteral("ROLLBACK"));  // SQLite may have done it already
    throw;
  }
}

}  // namespace vitrine
