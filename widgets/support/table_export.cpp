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

bool hasRowNames(const QAbstractItemModel& model) {
  return model.rowCount() > 0 && model.headerData(0, Qt::Vertical).typeId() == QMetaType::QString;
}

static QString lineOf(const QStringList& fields) { return fields.join(u',') + QStringLiteral("\r\n"); }

static QString csvField(const QModelIndex& cell) {
  const QVariant plain = cell.data(Qt::EditRole);
  return csvField((plain.isValid() ? plain : cell.data()).toString());
}

QString csvLine(const QAbstractItemModel& model, int row) {
  QStringList fields;
  if (hasRowNames(model)) fields << csvField(model.headerData(row, Qt::Vertical).toString());
  for (int c = 0; c < model.columnCount(); ++c) fields << csvField(model.index(row, c));
  return lineOf(fields);
}

QString toCsv(const QAbstractItemModel& model) {
  QStringList fields;
  if (hasRowNames(model)) fields << QString();
  for (int c = 0; c < model.columnCount(); ++c) {
    const QVariant plain = model.headerData(c, Qt::Horizontal, Qt::EditRole);
    fields << csvField((plain.isValid() ? plain : model.headerData(c, Qt::Horizontal)).toString());
  }
  QString csv = lineOf(fields);
  for (int r = 0; r < model.rowCount(); ++r) csv += csvLine(model, r);
  return csv;
}

}  // namespace vitrine
