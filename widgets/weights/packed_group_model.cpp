#include "widgets/weights/packed_group_model.h"

#include "widgets/support/formats.h"
#include "widgets/weights/histogram_model.h"

namespace vitrine {

namespace {

constexpr int kExact = 9;  // digits that tell a float32 from its neighbours

}  // namespace

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

const TableColumns& PackedGroupModel::columns() const {
  using Row = PackedWeight;
  using Column = ColumnOf<PackedGroupModel>;
  static const Column kInput{QT_TR_NOOP("Input"), [](const Row& row) { return formatCount(row.input); },
                             &Row::input};
  static const Column kWeight{QT_TR_NOOP("Weight"),
                              [](const Row& row) { return weightText(double{row.weight}, kExact); },
                              &Row::weight};
  static const TableColumns kOfFloats = {kInput, kWeight};
  static const ColumnsOf<PackedGroupModel> kOfPacked = {
      kInput,
      {QT_TR_NOOP("Bits"), &PackedGroupModel::bitsText},
      {QT_TR_NOOP("Value"), [](const Row& row) { return weightText(row.value); }, &Row::value},
      kWeight,
  };
  return isPacked() ? kOfPacked : kOfFloats;
}

}  // namespace vitrine

#include "moc_packed_group_model.cpp"
