// HistoryDatabase: one connection to an SQLite file or to a database in memory, over Qt's QSQLITE driver.
//
// Every failure is an SqlFailure; no call leaves a statement open, since an open one holds a read lock.
// Thread: the one that made it. Read next: history_schema.h, history_store.h.
#pragma once

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>
#include <functional>
#include <memory>
#include <unordered_map>

#include "history_status.h"

namespace vitrine {

// A value of 64 bits, which QVariant has no constructor for.
inline QVariant sqlNumber(std::int64_t value) { return QVariant(static_cast<qlonglong>(value)); }

class SqlFailure {
 public:
  SqlFailure(HistoryTrouble trouble, QString words) : m_trouble(trouble), m_words(std::move(words)) {}
  HistoryTrouble trouble() const { return m_trouble; }
  const QString& words() const { return m_words; }  // SQLite's own

 private:
  HistoryTrouble m_trouble;
  QString m_words;
};

class HistoryDatabase {
 public:
  // kAsItLies: for a file whose folder is read-only; what a program that crashed left beside it is not read.
  enum class Access : std::uint8_t { kReadWrite, kReadOnly, kAsItLies };
  using Row = std::function<void(const QSqlQuery& row)>;

  // A file that does not exist is made, with its folder, for kReadWrite alone. Throws SqlFailure.
  static std::unique_ptr<HistoryDatabase> openFile(const QString& file, Access access);
  static std::unique_ptr<HistoryDatabase> openInMemory();
  ~HistoryDatabase();
  HistoryDatabase(const HistoryDatabase&) = delete;
  HistoryDatabase& operator=(const HistoryDatabase&) = delete;

  // The statement is prepared once and kept. All throw SqlFailure.
  void forEach(const QString& sql, const QVariantList& values, const Row& row);
  QVariant value(const QString& sql, const QVariantList& values = {});  // of the first row; invalid: none
  int change(const QString& sql, const QVariantList& values = {});      // rows affected
  void execute(const QString& sql);                                     // once, not kept: schema and pragmas

  // All of the work or nothing of it. The write lock is taken at the beginning.
  void transaction(const std::function<void()>& work);

 private:
  explicit HistoryDatabase(const QString& name) : m_name(name) {}
  void open(const QString& file, const QString& options);
  QSqlQuery& started(const QString& sql, const QVariantList& values);

  const QString m_name;  // of the connection, unique in the program
  QSqlDatabase m_database;
  std::unordered_map<QString, std::unique_ptr<QSqlQuery>> m_statements;
};

}  // namespace vitrine
