#include "widgets/batch/batch_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QScrollBar>
#include <algorithm>

namespace vitrine {
namespace {

constexpr int kMostPadding = 4;  // rows of padding with a line each

}  // namespace

BatchView::BatchView(BatchModel* model, QWidget* parent)
    : CursorView(model, {.ends = true, .fromEnd = true, .enter = true, .points = true}, parent),
      m_batch(model) {
  setAccessibleName(tr("Batch of the step"));
  connect(model->session(), &Session::runStarted, this, [this] { m_unfolded.clear(); });
}

QString BatchView::emptyText() const {
  if (m_batch->rowCount() > 0) return {};
  return m_batch->session()->step() > 0
             ? tr("This step has computed no token.")
             : tr("The rows of a step's forward appear here: each token that it computes, with its position "
                  "and the slot of its keys and values.");
}

QSize BatchView::contentSize() const {
  return {static_cast<int>(m_left[kColumns]) + 1, linesBottom() + m_notesHeight};
}

void BatchView::arrange() {
  m_lines = batchLines(*m_batch, m_unfolded);
  measure();
}

QRect BatchView::lineRect(int line) const {
  const int width = std::max(viewport()->width(), static_cast<int>(m_left[kColumns]));
  return {0, headHeight() + line * rowHeight(), width, rowHeight()};
}

// The titles cover what has scrolled under them.
ViewItem BatchView::itemAt(const QPoint& content) const {
  if (content.y() - verticalScrollBar()->value() < headHeight()) return {};
  const int line = (content.y() - headHeight()) / rowHeight();
  return {line < itemCount() ? line : -1};
}

int BatchView::paddingLines() const {
  const int padding = m_batch->picture().padding;
  return padding <= kMostPadding ? padding : 1;
}

QString BatchView::paddingText() const {
  const int padding = m_batch->picture().padding;
  return padding <= kMostPadding ? tr("padding") : tr("%n row(s) of padding", nullptr, padding);
}

bool BatchView::isPadding(const QPoint& content) const {
  const int below = content.y() - lineRect(static_cast<int>(m_lines.size())).top();
  return content.y() - verticalScrollBar()->value() >= headHeight() && below >= 0 &&
         below < paddingLines() * rowHeight();
}

QString BatchView::tipAt(const QPoint& content) const {
  if (isPadding(content)) return m_batch->paddingRemark();
  const ViewItem item = itemAt(content);
  return item.exists() && at(item).folded > 0 ? tr("Click to show them all") : CursorView::tipAt(content);
}

prose::Target BatchView::targetOf(const ViewItem& item) const {
  const BatchLine& line = at(item);
  const BatchRow& row = m_batch->at(line.row);
  prose::Target target{.request = row.request, .sequence = row.sequence, .step = m_batch->picture().step};
  if (line.folded == 0) target.position = row.cell.rotaryPosition;
  for (int i = line.row; i < line.row + std::max(1, line.folded); ++i) {
    const BlockId block = m_batch->at(i).cell.block;
    if (block >= 0 && (target.blocks.empty() || target.blocks.back() != block))
      target.blocks.push_back(block);
  }
  return target;
}

// A block of the table by itself, else the row.
prose::Target BatchView::targetAt(const QPoint& content) const {
  const ViewItem item = itemAt(content);
  if (item.exists() && at(item).folded == 0)
    for (const TableCell& cell : tableCells(at(item), columnRect(kTable, item.row)))
      if (cell.block >= 0 && cell.area.contains(content)) return {.blocks = {cell.block}};
  return CursorView::targetAt(content);
}

bool BatchView::isLit(const BatchRow& row) const {
  const prose::Target& target = spotlight().target();
  if (target.position >= 0)
    return target.sequence == row.sequence && target.position == row.cell.rotaryPosition;
  if (!target.blocks.empty()) return std::ranges::find(target.blocks, row.cell.block) != target.blocks.end();
  if (target.step != 0) return spotlight().isOnCell(row.sequence, m_batch->picture().step);
  return spotlight().isOnSequence(row.sequence, row.request);
}

void BatchView::setUnfolded(SequenceId sequence, bool unfolded) {
  if (unfolded)
    m_unfolded.insert(sequence);
  else
    m_unfolded.erase(sequence);
  arrange();
  contentChanged();
  layoutContent();
  viewport()->update();
}

QRect BatchView::itemRect(const ViewItem& item) const {
  return lineRect(item.row)
      .adjusted(0, -headHeight(), 0, 0)
      .intersected(QRect(horizontalScrollBar()->value(), 0, viewport()->width(), linesBottom()));
}

QString BatchView::describeItem(const ViewItem& item) const {
  const BatchLine& line = at(item);
  return line.folded > 0 ? tr("%n more row(s) of %1, folded; Enter shows them", nullptr, line.folded)
                               .arg(m_batch->letter(m_batch->at(line.row).sequence))
                         : m_batch->describe(line.row);
}

void BatchView::activate(const ViewItem& item) {
  const BatchLine line = at(item);
  const BatchRow row = m_batch->at(line.row);
  if (line.folded > 0) return setUnfolded(row.sequence, true);
  emit sequenceSelected(row.sequence);
  if (row.cell.block >= 0) emit blockRequested(row.cell.block);
}

void BatchView::addActions(QMenu& menu) {
  if (!currentItem().exists()) return;
  const SequenceId sequence = m_batch->at(at(currentItem()).row).sequence;
  const bool unfolded = m_unfolded.contains(sequence);
  const QString letter = m_batch->letter(sequence);
  menu.addAction(unfolded ? tr("&Fold the rows of %1").arg(letter) : tr("Show &all rows of %1").arg(letter),
                 this, [this, sequence, unfolded] { setUnfolded(sequence, !unfolded); });
}

void BatchView::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Left && event->key() != Qt::Key_Right) return CursorView::keyPressEvent(event);
  if (currentItem().exists())
    setUnfolded(m_batch->at(at(currentItem()).row).sequence, event->key() == Qt::Key_Right);
}

}  // namespace vitrine

#include "moc_batch_view.cpp"
