#include "widgets/explain/step_comparison_view.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/painting/data_table_view.h"
#include "widgets/support/layout_parts.h"
#include "widgets/support/theme.h"

namespace vitrine {

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
  m_table->setAccessibleName(tr("What differs, one value a line"));
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
