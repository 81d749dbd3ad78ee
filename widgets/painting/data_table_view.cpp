#include "widgets/painting/data_table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHeaderView>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "widgets/support/table_export.h"
#include "widgets/support/theme.h"

namespace vitrine {

// Lanes have a column for each step of a run.
static constexpr int kMostFitted = 64;

DataTableView::DataTableView(SessionModel* model, const QString& emptyText, QWidget* parent)
    : QTableView(parent), m_source(model), m_emptyText(emptyText) {
  setFont(readable(font()));
  setModel(model);
  setFrameShape(QFrame::NoFrame);
  setShowGrid(false);
  setAlternatingRowColors(true);
  setWordWrap(false);
  setSelectionBehavior(SelectRows);
  setHorizontalScrollMode(ScrollPerPixel);
  setTabKeyNavigation(false);  // Tab leaves the table; arrow keys move in it
  verticalHeader()->hide();
  verticalHeader()->setFont(font());
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
  horizontalHeader()->setFont(font());
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(
      fontMetrics().height());  // Qt's own is the widest letter's, thrice
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setDefaultAlignment(kAtLeft);
  model->followSightOf(this);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this,
          [this](int value) { m_atEnd = value >= verticalScrollBar()->maximum(); });
  connect(model, &SessionModel::refreshed, this, [this] {
    if (!isVisible()) return;
    if (!m_fitted && this->model()->rowCount() > 0) fitColumns();
    if (m_followEnd && m_atEnd) scrollToBottom();
    // This class paints the empty text, so Qt does not know when to update it.
    viewport()->update();
  });
}

void DataTableView::setStretchColumn(int column) {
  horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
}

// Once, with the first rows: columns must not change their width while they are read.
void DataTableView::fitColumns() {
  m_fitted = model()->rowCount() > 0;
  verticalHeader()->setVisible(hasRowNames(*m_source));
  if (!m_fitsColumns) return;
  const int columns = std::min(model()->columnCount() - 1, kMostFitted);  // the last one gets the rest
  for (int c = 0; c < columns; ++c) {
    const int wanted = std::max(sizeHintForColumn(c), horizontalHeader()->sectionSizeHint(c)) + 12;
    setColumnWidth(c, std::clamp(wanted, 40, 360));
  }
}

QString DataTableView::csv() const {
  const auto own = makeCsvModel ? makeCsvModel() : nullptr;
  return toCsv(own ? *own : *m_source);
}

void DataTableView::copyCsv() const {
  const auto selected = selectionModel() ? selectionModel()->selectedRows() : QModelIndexList();
  if (selected.size() < 2) {
    QApplication::clipboard()->setText(csv());
    return;
  }
  const auto own = makeCsvModel ? makeCsvModel() : nullptr;
  const QAbstractItemModel& source = own ? *own : *m_source;
  const QString all = toCsv(source);
  QString csv = all.left(all.indexOf(QLatin1String("\r\n")) + 2);
  auto rows = selected;
  std::sort(rows.begin(), rows.end());
  for (const QModelIndex& row : rows) csv += csvLine(source, row.row());
  QApplication::clipboard()->setText(csv);
}

void DataTableView::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (model()->rowCount() > 0 || m_emptyText.isEmpty()) return;
  QPainter painter(viewport());
  painter.setPen(Theme::of(this).dimText());
  const int margin = fontMetrics().height();
  painter.drawText(viewport()->rect().adjusted(margin, 0, -margin, 0), Qt::AlignCenter | Qt::TextWordWrap,
                   m_emptyText);
}

void DataTableView::showEvent(QShowEvent* event) {
  QTableView::showEvent(event);
  if (!m_fitted) fitColumns();
  if (m_followEnd && m_atEnd) scrollToBottom();
}

void DataTableView::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  menu.addAction(tr("&Copy as CSV"), QKeySequence::Copy, this, &DataTableView::copyCsv);
  menu.addActions(actions());
  menu.exec(event->globalPos());
}

void DataTableView::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Copy))
    copyCsv();
  else
    QTableView::keyPressEvent(event);
}

}  // namespace vitrine

#include "moc_data_table_view.cpp"
