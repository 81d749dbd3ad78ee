#include "widgets/batch/batch_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>

namespace vitrine {
namespace {

constexpr int kMostPadding = 4;  // rows of padding with a line each

}  // namespace

BatchView::BatchView(BatchModel* model, QWidget* parent) : PaintedView(model, parent), m_batch(model) {
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

void BatchView::fold() {
  m_lines = batchLines(*m_batch, m_unfolded);
  m_current = std::min(m_current, static_cast<int>(m_lines.size()) - 1);
  measure();
}

void BatchView::contentChanged() { fold(); }

QRect BatchView::lineRect(int line) const {
  const int width = std::max(viewport()->width(), static_cast<int>(m_left[kColumns]));
  return {0, headHeight() + line * rowHeight(), width, rowHeight()};
}

// The titles cover what has scrolled under them.
int BatchView::lineAt(const QPoint& content) const {
  if (content.y() - verticalScrollBar()->value() < headHeight()) return -1;
  const int line = (content.y() - headHeight()) / rowHeight();
  return line < static_cast<int>(m_lines.size()) ? line : -1;
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
  const int at = lineAt(content);
  if (at < 0) return isPadding(content) ? m_batch->paddingRemark() : QString();
  const BatchLine& line = m_lines[static_cast<std::size_t>(at)];
  return line.folded > 0 ? tr("Click to show them all") : m_batch->describe(line.row);
}

prose::Target BatchView::targetOf(const BatchLine& line) const {
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
  const int at = lineAt(content);
  if (at < 0) return {};
  const BatchLine& line = m_lines[static_cast<std::size_t>(at)];
  prose::Target target = targetOf(line);
  if (line.folded > 0) return target;
  for (const TableCell& cell : tableCells(line, columnRect(kTable, at)))
    if (cell.block >= 0 && cell.area.contains(content)) return {.blocks = {cell.block}};
  return target;
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
  fold();
  layoutContent();
  viewport()->update();
}

// The keyboard points as the mouse does.
void BatchView::setCurrent(int at) {
  if (m_lines.empty()) return;
  m_current = std::clamp(at, 0, static_cast<int>(m_lines.size()) - 1);
  const BatchLine& line = m_lines[static_cast<std::size_t>(m_current)];
  reveal(lineRect(m_current)
             .adjusted(0, -headHeight(), 0, 0)
             .intersected(QRect(horizontalScrollBar()->value(), 0, viewport()->width(), linesBottom())));
  announce(line.folded > 0 ? tr("%n more row(s) of %1, folded; Enter shows them", nullptr, line.folded)
                                 .arg(m_batch->letter(m_batch->at(line.row).sequence))
                           : m_batch->describe(line.row));
  m_batch->session()->spotlight()->point(targetOf(line));
  viewport()->update();
}

void BatchView::enter(int at) {
  if (at < 0 || at >= static_cast<int>(m_lines.size())) return;
  const BatchLine line = m_lines[static_cast<std::size_t>(at)];
  const BatchRow row = m_batch->at(line.row);
  if (line.folded > 0) return setUnfolded(row.sequence, true);
  emit sequenceSelected(row.sequence);
  if (row.cell.block >= 0) emit blockRequested(row.cell.block);
}

void BatchView::addActions(QMenu& menu) {
  if (m_current < 0) return;
  const SequenceId sequence = m_batch->at(m_lines[static_cast<std::size_t>(m_current)].row).sequence;
  const bool unfolded = m_unfolded.contains(sequence);
  const QString letter = m_batch->letter(sequence);
  menu.addAction(unfolded ? tr("&Fold the rows of %1").arg(letter) : tr("Show &all rows of %1").arg(letter),
                 this, [this, sequence, unfolded] { setUnfolded(sequence, !unfolded); });
}

void BatchView::keyPressEvent(QKeyEvent* event) {
  const int last = static_cast<int>(m_lines.size()) - 1;
  const SequenceId sequence =
      m_current < 0 ? 0 : m_batch->at(m_lines[static_cast<std::size_t>(m_current)].row).sequence;
  switch (event->key()) {
    case Qt::Key_Up:
      return setCurrent(m_current < 0 ? last : m_current - 1);
    case Qt::Key_Down:
      return setCurrent(m_current + 1);
    case Qt::Key_Home:
      return setCurrent(0);
    case Qt::Key_End:
      return setCurrent(last);
    case Qt::Key_Left:
    case Qt::Key_Right:
      if (sequence != 0) setUnfolded(sequence, event->key() == Qt::Key_Right);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return enter(m_current);
    default:
      PaintedView::keyPressEvent(event);
  }
}

void BatchView::mousePressEvent(QMouseEvent* event) {
  const int line = lineAt(toContent(event->pos()));
  if (line < 0) return;
  setCurrent(line);
  if (event->button() == Qt::LeftButton) enter(line);
}

void BatchView::resizeEvent(QResizeEvent* event) {
  measure();
  PaintedView::resizeEvent(event);
}

void BatchView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange) measure();
  PaintedView::changeEvent(event);
}

}  // namespace vitrine

#include "moc_batch_view.cpp"
