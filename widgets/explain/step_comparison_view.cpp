#include "widgets/explain/step_comparison_view.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QStyle>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/painting/data_table_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr qsizetype kSeenAtLeast = 8, kContext = 12;  // letters of the difference, and before it

class DifferenceDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isBefore = index.column() == StepComparisonModel::kBefore;
    const int other = isBefore ? StepComparisonModel::kAfter : StepComparisonModel::kBefore;
    const int margin = option->widget->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, option) + 1;
    const int room = option->rect.width() - 2 * margin;
    if (room > 0)
      option->text = textWithDifference(option->text, displayText(index.siblingAtColumn(other).data(), {}),
                                        option->fontMetrics, room);
  }
};

}  // namespace

QString textWithDifference(const QString& text, const QString& other, const QFontMetrics& metrics, int room) {
  if (metrics.horizontalAdvance(text) <= room) return text;
  auto differs = std::distance(text.begin(), std::ranges::mismatch(text, other).in1);
  if (differs > 0 && differs < text.size() && text[differs].isLowSurrogate()) --differs;
  const qsizetype seen = metrics.elidedText(text, Qt::ElideRight, room).size() - 1;
  if (seen >= std::min(text.size(), differs + kSeenAtLeast)) return text;
  if (metrics.horizontalAdvance(u'…' + text.mid(differs)) <= room)
    return metrics.elidedText(text, Qt::ElideLeft, room);
  qsizetype from = std::max<qsizetype>(0, differs - kContext);
  if (const qsizetype space = text.indexOf(u' ', from); space >= 0 && space < differs) from = space;
  return from == 0 ? text : u'…' + text.mid(from);
}

StepComparisonView::StepComparisonView(StepComparisonModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_title(new QLabel(this)),
      m_end(new QToolButton(this)),
      m_table(new DataTableView(
          model,
          tr("Shift-click a step of the time axis: what differs between it and the step shown is listed "
             "here."),
          this)) {
  setFont(readable(font()));
  setAccessibleName(tr("Two steps compared"));
  m_end->setText(tr("End the comparison"));
  m_end->setAutoRaise(true);
  for (const int column : {StepComparisonModel::kBefore, StepComparisonModel::kAfter})
    m_table->setStretchColumn(column);
  auto* delegate = new DifferenceDelegate(m_table);
  for (const int column : {StepComparisonModel::kBefore, StepComparisonModel::kAfter})
    m_table->setItemDelegateForColumn(column, delegate);
  m_table->setAccessibleName(tr("Differences, one value a line"));
  auto* bar = addParts(new QHBoxLayout, {{m_title, 1}, m_end});
  bar->setContentsMargins(12, 2, 6, 2);
  addParts(withoutMargins(new QVBoxLayout(this)), {bar, {m_table, 1}})->setSpacing(0);
  connect(m_end, &QToolButton::clicked, model, &StepComparisonModel::end);
  connect(model, &SessionModel::refreshed, this, &StepComparisonView::tell);
  connect(model, &StepComparisonModel::otherChanged, this, &StepComparisonView::tell);
  connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          &StepComparisonView::point);
  connect(m_table, &QTableView::activated, this, &StepComparisonView::select);
  tell();
}

void StepComparisonView::tell() {
  const QString title = m_model->title();
  m_title->setText(title);
  m_title->setVisible(!title.isEmpty());
  m_end->setVisible(!title.isEmpty());
  if (title != m_summary) emit summaryChanged(m_summary = title);
}

void StepComparisonView::point(const QModelIndex& row) {
  if (row.isValid() && m_table->hasFocus())
    m_model->session()->spotlight()->point(m_model->at(row.row()).target);
}

void StepComparisonView::select(const QModelIndex& row) {
  const prose::Target& target = m_model->at(row.row()).target;
  if (!target.blocks.empty()) emit blockRequested(target.blocks.front());
  if (target.sequence != 0) emit sequenceSelected(target.sequence);
}

}  // namespace vitrine

#include "moc_step_comparison_view.cpp"
