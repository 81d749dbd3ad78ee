#include "gui/compare/compare_axis_model.h"

#include "compare/contrast.h"

namespace vitrine {

CompareAxisModel::CompareAxisModel(Session* session, const ComparedPair& pair, QObject* parent)
    : SessionModel(session, parent), m_pair(pair) {
  for (std::size_t i = 0; i < m_sides.size(); ++i)
    m_sides[i] = new TimeAxisModel(const_cast<Session*>(&pair.side(static_cast<int>(i)).session()), this);
  connect(&pair, &ComparedPair::changed, this, &CompareAxisModel::update);
  update();
}

AxisSteps CompareAxisModel::stepsOf(int side, int first, int last) const {
  return m_sides[static_cast<std::size_t>(side)]->rangeOf(first, last);
}

// A new comparison begins with no rows.
void CompareAxisModel::refresh() {
  m_difference = compare::firstDifference(m_pair.side(0).tally(), m_pair.side(1).tally());
  const int steps = m_pair.lastStep();
  if (steps < m_shown) {
    beginResetModel();
    m_shown = steps;
    endResetModel();
  }
  tellNewRows(m_shown, std::max(steps, 0));
}

const TableColumns& CompareAxisModel::columns() const {
  const auto number = [](int side, int AxisSteps::*of) {
    return [side, of](const CompareAxisModel& model, int row) { return model.stepOf(side, row + 1).*of; };
  };
  static const ColumnsOf<CompareAxisModel> kAll = {
      {QT_TR_NOOP("Step"), [](const CompareAxisModel&, int row) { return row + 1; }},
      {QT_TR_NOOP("1: prefill tokens"), number(0, &AxisSteps::prefillTokens)},
      {QT_TR_NOOP("1: decode tokens"), number(0, &AxisSteps::decodeTokens)},
      {QT_TR_NOOP("1: blocks in use"), number(0, &AxisSteps::usedBlocks)},
      {QT_TR_NOOP("2: prefill tokens"), number(1, &AxisSteps::prefillTokens)},
      {QT_TR_NOOP("2: decode tokens"), number(1, &AxisSteps::decodeTokens)},
      {QT_TR_NOOP("2: blocks in use"), number(1, &AxisSteps::usedBlocks)},
  };
  return kAll;
}

}  // namespace vitrine

#include "moc_compare_axis_model.cpp"
