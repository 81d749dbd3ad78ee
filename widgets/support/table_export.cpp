#include "widgets/support/table_export.h"

#include <QAbstractItemModel>
#include <QStringList>

namespace vitrine {

QString csvField(const QString& text) {
  QString field = text;
  // Spreadsheets run fields that begin like this as formulas. Text of a model must stay text; a number stays
  // one.
  static const QString kFormula = QStringLiteral("=+-@\t\r");
  bool isNumber = false;
  field.toDouble(&isNumber);
  if (!field.isEmpty() && kFormula.contains(field.front()) && !isNumber) field.prepend(u'\'');
  if (!field.contains(u',') && !field.contains(u'"') && !field.contains(u'\n') && !field.contains(u'\r')) {
    return field;
  }
  field.replace(u'"', QStringLiteral("\"\""));
  return u'"' + field + u'"';
}

QString toCsv(const QAbstractItemModel& model) {
  QString csv;
  const int columns = model.columnCount();
  const auto addLine = [&csv](const QStringList& fields) {
    csv += fields.join(u',') + QStringLiteral("\r\n");
  };
  QStringList fields;
  for (int c = 0; c < columns; ++c) fields << csvField(model.headerData(c, Qt::Horizontal).toString());
  addLine(fields);
  for (int r = 0; r < model.rowCount(); ++r) {
    fields.clear();
    for (int c = 0; c < columns; ++c) fields << csvField(model.index(r, c).data().toString());
    addLine(fields);
  }
  return csv;
}

}  // namespace vitrine
