#include "widgets/support/table_columns.h"

namespace vitrine {

QVariant TableColumn::data(const QAbstractItemModel& model, int row, int role) const {
  if (role == Qt::TextAlignmentRole && look.align) return QVariant(look.align);
  if (role == Qt::EditRole && plain) return plain(model, row);
  return role == Qt::DisplayRole || role == Qt::EditRole ? text(model, row) : QVariant();
}

QVariant TableColumn::heading(const QMetaObject& translator, int role) const {
  const auto words = [&](const char* source) { return translator.tr(source, nullptr); };
  if (role == Qt::TextAlignmentRole && look.headingAlign) return QVariant(look.headingAlign);
  if (role == Qt::ToolTipRole && look.tip) return words(look.tip);
  if (role == Qt::EditRole && look.plainTitle) return words(look.plainTitle);
  return role == Qt::DisplayRole || role == Qt::EditRole ? QVariant(words(title)) : QVariant();
}

}  // namespace vitrine
