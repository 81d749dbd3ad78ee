#include "widgets/weights/packed_group_model.h"

#include "widgets/support/formats.h"
#include "widgets/weights/histogram_model.h"

namespace vitrine {

namespace {

constexpr int kExact = 9;  // digits that tell a float32 from its neighbours

}  // namespace

PackedGroupModel::PackedGroupModel(Session* session, QObject* parent) : RowsModel(session, parent) {}

void PackedGroupModel::setGroup(InspectedGroup group) {
  std::vector<PackedWeight> rows;
  for (std::size_t i = 0; i < group.weights.size(); ++i) {
    PackedWeight row{group.firstInput + static_cast<std::int64_t>(i), 0, 0, group.weights[i]};
    if (!group.bits.empty()) row.bits = group.bits[i];
    if (!group.values.empty()) row.value = group.values[i];
    rows.push_back(row);
  }
  const bool otherColumns = isPacked() == group.bits.empty();
  if (otherColumns) beginResetModel();  // a table's headings follow
  m_group = std::move(group);
  if (otherColumns) endResetModel();
  setRows(std::move(rows));
  emit refreshed();
}

void PackedGroupModel::clear() {
  m_group.reset();
  setRows({});
  emit refreshed();
}

QString PackedGroupModel::rule(const QString& value) const {
  const QString product = tr("%1 × %2").arg(weightText(m_group->scale), value);
  if (m_group->minimum == 0) return product;
  return m_group->minimum < 0 ? tr("%1 − %2").arg(product, weightText(-m_group->minimum))
                              : tr("%1 + %2").arg(product, weightText(m_group->minimum));
}

QString PackedGroupModel::formula() const {
  if (!m_group) return {};
  if (!isPacked()) return tr("Floats: each weight has all its own bits, and no scale is shared.");
  return tr("weight = %1").arg(rule(tr("value")));
}

QString PackedGroupModel::bitsText(int row) const {
  return QStringLiteral("%1").arg(static_cast<unsigned>(at(row).bits), bitWidth(), 2, QLatin1Char('0'));
}

QString PackedGroupModel::describe(int row) const {
  const PackedWeight& one = at(row);
  const QString input = formatCount(one.input), weight = weightText(double{one.weight});
  if (!isPacked()) return tr("input %1: %2").arg(input, weightText(double{one.weight}, kExact));
  const QString value = one.value < 0 ? tr("(%1)").arg(weightText(one.value)) : weightText(one.value);
  return tr("input %1: bits %2 stand for %3; %4 = %5")
      .arg(input, bitsText(row), weightText(one.value), rule(value), weight);
}

PackedGroupModel::Column PackedGroupModel::columnAt(int section) const {
  if (isPacked() || section == 0) return static_cast<Column>(section);
  return kWeight;
}

int PackedGroupModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return isPacked() ? static_cast<int>(kColumns) : 2;
}

QVariant PackedGroupModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole)) return {};
  const PackedWeight& row = at(index.row());
  const bool plain = role == Qt::EditRole;
  switch (columnAt(index.column())) {
    case kInput:
      return plain ? QVariant(static_cast<qlonglong>(row.input)) : QVariant(formatCount(row.input));
    case kBits:
      return bitsText(index.row());
    case kValue:
      return plain ? QVariant(row.value) : QVariant(weightText(row.value));
    default:
      return plain ? QVariant(double{row.weight}) : QVariant(weightText(double{row.weight}, kExact));
  }
}

QVariant PackedGroupModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::EditRole)) return {};
  switch (columnAt(section)) {
    case kInput:
      return tr("Input");
    case kBits:
      return tr("Bits");
    case kValue:
      return tr("Value");
    default:
      return tr("Weight");
  }
}

}  // namespace vitrine

#include "moc_packed_group_model.cpp"
