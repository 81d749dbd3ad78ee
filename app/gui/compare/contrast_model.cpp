#include "gui/compare/contrast_model.h"

#include <QApplication>

#include "compare/contrast.h"
#include "vitrine/prose/compare_words.h"
#include "widgets/support/formats.h"
#include "widgets/support/theme.h"
#include "widgets/support/window_language.h"

namespace vitrine {

ContrastModel::ContrastModel(Session* session, const ComparedPair& pair, QObject* parent)
    : RowsModel(session, parent), m_pair(pair) {
  connect(&pair, &ComparedPair::changed, this, &ContrastModel::update);
  update();
}

void ContrastModel::refresh() {
  setRows(compare::contrastOf(m_pair.side(0).tally(), m_pair.side(1).tally()));
}

const TableColumns& ContrastModel::columns() const {
  const auto value = [](std::optional<double> ContrastRow::*side) {
    return [side](const ContrastRow& row) {
      return windowText(prose::contrastValue(row.figure, row.*side, windowLanguage()));
    };
  };
  static const ColumnsOf<ContrastModel> kAll = {
      {QT_TR_NOOP("Figure"),
       [](const ContrastRow& row) { return windowText(prose::contrastName(row.figure, windowLanguage())); }},
      {QT_TR_NOOP("1"), value(&ContrastRow::one), &ContrastRow::one,
       numeric(nullptr, QT_TR_NOOP("The first machine"))},
      {QT_TR_NOOP("2"), value(&ContrastRow::other), &ContrastRow::other,
       numeric(nullptr, QT_TR_NOOP("The second machine"))},
      {QT_TR_NOOP("2 : 1"),
       [](const ContrastRow& row) { return windowText(prose::contrastRatio(row.ratio(), windowLanguage())); },
       [](const ContrastRow& row) { return row.ratio(); },
       numeric(nullptr, QT_TR_NOOP("The second machine's figure divided by the first one's"))},
  };
  return kAll;
}

// The better side is in green, and says so.
QVariant ContrastModel::otherData(const QModelIndex& index, int role) const {
  const ContrastRow& row = at(index.row());
  if (role == Qt::ToolTipRole) {
    QString tip = windowText(prose::contrastHelp(row.figure, windowLanguage()));
    if (row.better != ContrastSide::kNeither)
      tip += u'\n' + (row.better == ContrastSide::kOne ? tr("1 is better.") : tr("2 is better."));
    return plainTip(tip);
  }
  const bool isBetter = (row.better == ContrastSide::kOne && index.column() == kFirst) ||
                        (row.better == ContrastSide::kOther && index.column() == kSecond);
  if (!isBetter) return {};
  if (role == Qt::ForegroundRole) return Theme(QApplication::palette()).good();
  if (role == Qt::FontRole) return boldened(QApplication::font());
  return {};
}

}  // namespace vitrine

#include "moc_contrast_model.cpp"
