#include "widgets/painting/named_values_model.h"

#include "widgets/support/formats.h"

namespace vitrine {

namespace {

constexpr int kLongestTip = 2000;  // letters

}  // namespace

NamedValuesModel::NamedValuesModel(Session* session, QString nameHeading, QString valueHeading,
                                   QObject* parent)
    : RowsModel(session, parent),
      m_nameHeading(std::move(nameHeading)),
      m_valueHeading(std::move(valueHeading)) {}

void NamedValuesModel::setValues(std::vector<NamedValue> values) {
  setRows(std::move(values));
  emit refreshed();
}

QVariant NamedValuesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const NamedValue& row = at(index.row());
  if (role == Qt::ToolTipRole) return plainTip((index.column() == 0 ? row.name : row.text).left(kLongestTip));
  if (role == Qt::EditRole && index.column() == 1 && row.plain.isValid()) return row.plain;
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  return index.column() == 0 ? row.name : row.text;
}

QVariant NamedValuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::EditRole)) return {};
  return section == 0 ? m_nameHeading : m_valueHeading;
}

}  // namespace vitrine
