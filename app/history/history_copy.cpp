#include "history_copy.h"

#include <QSqlRecord>
#include <QStringList>
#include <array>

namespace vitrine {

namespace {

struct Table {
  const char *name, *ofChat, *order;
};

constexpr const char* kOfItsMessages = "message IN (SELECT id FROM messages WHERE chat = ?)";
// In this order each row stands behind those that it refers to.
constexpr std::array kTables = {Table{"chats", "id = ?", "id"}, Table{"messages", "chat = ?", "id"},
                                Table{"answers", kOfItsMessages, "message"},
                                Table{"pieces", kOfItsMessages, "message, number"}};

QVariantList valuesOf(const QSqlQuery& row, int columns) {
  QVariantList values;
  for (int i = 0; i < columns; ++i) {
    QVariant value = row.value(i);
    // The driver gives empty bytes as null ones; no column of bytes is ever NULL.
    if (value.typeId() == QMetaType::QByteArray && value.toByteArray().isNull()) value = QByteArray("", 0);
    values.push_back(value);
  }
  return values;
}

// By the names of the columns: the tables of an older file lack the newer ones.
QString insertionOf(const QString& table, const QSqlRecord& row) {
  QStringList names;
  for (int i = 0; i < row.count(); ++i) names << row.fieldName(i);
  const QStringList places(row.count(), QStringLiteral("?"));
  return QStringLiteral("INSERT INTO %1(%2) VALUES(%3)").arg(table, names.join(','), places.join(','));
}

template <typename Insert>
void copyRows(HistoryDatabase& from, const Table& table, const QString& where, const QVariantList& values,
              const Insert& insert) {
  const QString name = QLatin1String(table.name);
  QString sql;
  from.forEach(
      QStringLiteral("SELECT * FROM %1 WHERE %2 ORDER BY %3").arg(name, where, QLatin1String(table.order)),
      values, [&](const QSqlQuery& row) {
        if (sql.isEmpty()) sql = insertionOf(name, row.record());
        insert(sql, valuesOf(row, row.record().count()));
      });
}

}  // namespace

bool copyAll(HistoryDatabase& from, HistoryDatabase& to) {
  bool whole = true;
  to.transaction([&] {
    for (const Table& table : kTables) {
      try {
        copyRows(from, table, QStringLiteral("1"), {}, [&](const QString& sql, const QVariantList& values) {
          try {
            to.change(sql, values);
          } catch (const SqlFailure&) {  // it refers to a row that could not be read
            whole = false;
          }
        });
      } catch (const SqlFailure&) {
        whole = false;
      }
    }
    // Messages whose parent is missing begin a tree of their own.
    to.execute(
        QStringLiteral("UPDATE messages SET parent = NULL WHERE parent NOT IN (SELECT id FROM messages)"));
  });
  return whole;
}

void replaceChat(HistoryDatabase& from, HistoryDatabase& to, ChatId chat) {
  to.change(QStringLiteral("DELETE FROM chats WHERE id = ?"), {sqlNumber(chat)});
  for (const Table& table : kTables)
    copyRows(from, table, QLatin1String(table.ofChat), {sqlNumber(chat)},
             [&](const QString& sql, const QVariantList& values) { to.change(sql, values); });
}

}  // namespace vitrine
