#include "widgets/batch/batch_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "widgets/painting/lit.h"
#include "widgets/painting/row_delegate.h"
#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kMostPadding = 4;  // rows of padding with a line each

constexpr int kSide = 10, kGap = 14, kCellPad = 5;
constexpr std::size_t kMeasured = 500;  // lines whose tokens decide about the width of their column

bool isNumber(int column) {  // aligned to the right
  return column >= 3 && column <= 7 && column != 6;
}

constexpr int kMostRows = 8, kFirstRows = 5;  // of a sequence without a fold; before the fold

// The last row of a chunk stays in sight, since it may be the one with the logits.
std::vector<BatchLine> batchLines(const BatchModel& batch, const std::set<SequenceId>& unfolded) {
  std::vector<BatchLine> lines;
  int first = 0;
  for (const BatchSequence& one : batch.picture().sequences) {
    const int folded = one.rows - kFirstRows - 1;
    const bool folds = one.rows > kMostRows && one.draftRows == 0 && !unfolded.contains(one.sequence);
    for (int row = 0; row < one.rows; ++row) {
      const bool hides = folds && row == kFirstRows;
      lines.push_back({first + row, hides ? folded : 0});
      if (hides) row += folded - 1;
    }
    first += one.rows;
  }
  return lines;
}

}  // namespace

BatchView::BatchView(BatchModel* model, QWidget* parent)
    : CursorView(model, {.ends = true, .fromEnd = true, .enter = true, .points = true}, parent),
      m_batch(model) {
  setAccessibleName(tr("Batch of the step"));
  connect(model->session(), &Session::runStarted, this, [this] { m_unfolded.clear(); });
}

QString BatchView::emptyText() const {
  if (m_batch->rowCount() > 0) return {};
  if (const QString unseen = m_batch->session()->unseenWords(); !unseen.isEmpty()) return unseen;
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

// How BatchView measures and paints its columns: titles that stay in sight, rows on the colour of their
// request, and the block table as cells, the one that the row is written to filled.

int BatchView::rowHeight() const {
  return std::max(fontMetrics().height() + 7,
                  static_cast<int>(std::ceil(chipSize(font(), QStringLiteral("A")).height())) + 4);
}

QString BatchView::title(Column column) const {
  switch (column) {
    case kWork:
      return tr("work");
    case kToken:
      return tr("token");
    case kPosition:
      return tr("position");
    case kRotary:
      return tr("in the text");
    case kSlot:
      return tr("slot");
    case kTable:
      return tr("block table");
    case kSees:
      return tr("sees");
    case kLogits:
      return tr("logits");
    default:
      return {};
  }
}

QString BatchView::cellText(const BatchRow& row, Column column) const {
  switch (column) {
    case kWork:
      return m_batch->workText(row);
    case kToken:
      return row.token < 0 ? tr("not drafted yet") : visibleToken(row.text);
    case kPosition:
      return QString::number(row.cell.position);
    case kRotary:
      return QString::number(row.cell.rotaryPosition);
    case kSlot:
      return row.cell.slot < 0 ? QStringLiteral("–") : QString::number(row.cell.slot);
    case kSees:
      return QString::number(row.cell.sees);
    default:
      return {};
  }
}

QString BatchView::notes() const {
  QString notes = tr("slot = block × %1 + offset · filled block: the row's keys and values go there · disc: "
                     "its logits are computed, and sampled from")
                      .arg(m_batch->picture().blockSize);
  for (const QString& remark : {m_batch->paddingRemark(), m_batch->remark()})
    if (!remark.isEmpty()) notes += u'\n' + remark;
  return notes;
}

// The widest number of a column: all digits are as wide.
double BatchView::numberWidth(Column column) const {
  BatchRow widest;
  for (const BatchRow& row : m_batch->rows()) {
    widest.cell.position = std::max(widest.cell.position, row.cell.position);
    widest.cell.rotaryPosition = std::max(widest.cell.rotaryPosition, row.cell.rotaryPosition);
    widest.cell.slot = std::max(widest.cell.slot, row.cell.slot);
    widest.cell.sees = std::max(widest.cell.sees, row.cell.sees);
  }
  return textWidth(font(), cellText(widest, column));
}

void BatchView::measure() {
  std::array<double, kColumns> width{};
  for (int i = 0; i < kColumns; ++i) width[static_cast<std::size_t>(i)] = textWidth(font(), title(Column(i)));
  const auto widen = [&](Column column, double to) { width[column] = std::max(width[column], to); };
  for (std::size_t i = 0; i < std::min(m_lines.size(), kMeasured); ++i) {
    const BatchRow& row = m_batch->at(m_lines[i].row);
    widen(kChip, chipSize(font(), m_batch->letter(row.sequence)).width());
    widen(kWork, textWidth(font(), cellText(row, kWork)));
    widen(kToken,
          std::min(textWidth(font(), cellText(row, kToken)), 16.0 * fontMetrics().averageCharWidth()));
  }
  for (const Column column : {kPosition, kRotary, kSlot, kSees}) widen(column, numberWidth(column));
  if (!m_batch->hasEvicted()) width[kRotary] = -kGap;
  double others = 2 * kSide;
  for (int i = 0; i < kColumns; ++i)
    if (i != kTable) others += width[static_cast<std::size_t>(i)] + kGap;
  std::size_t blocks = 0;
  BlockId highest = 0;
  for (const BatchSequence& one : m_batch->picture().sequences) {
    blocks = std::max(blocks, one.blockTable.size());
    for (const BlockId block : one.blockTable) highest = std::max(highest, block);
  }
  const double cell = textWidth(font(), QString::number(highest)) + 2 * kCellPad + 2;
  const double room = std::max(viewport()->width() - others, 4 * cell);
  widen(kTable, std::min(room, static_cast<double>(blocks) * cell));
  m_left[0] = kSide;
  for (std::size_t i = 0; i < kColumns; ++i) m_left[i + 1] = m_left[i] + width[i] + kGap;
  m_notesHeight = 10 + fontMetrics()
                           .boundingRect(QRect(0, 0, std::max(200, viewport()->width() - 2 * kSide), 10'000),
                                         Qt::TextWordWrap, notes())
                           .height();
}

QRectF BatchView::columnRect(Column column, int line) const {
  const auto i = static_cast<std::size_t>(column);
  return {m_left[i], static_cast<double>(headHeight() + line * rowHeight()), m_left[i + 1] - m_left[i] - kGap,
          static_cast<double>(rowHeight())};
}

// As many blocks as there is room for: the first one, and those up to the row's own.
std::vector<BatchView::TableCell> BatchView::tableCells(const BatchLine& line, const QRectF& area) const {
  const std::vector<BlockId>& table = m_batch->groupOf(line.row).blockTable;
  const BatchCell& own = m_batch->at(line.row).cell;
  const int size = static_cast<int>(table.size());
  const int place = own.position / std::max(1, m_batch->picture().blockSize);
  BlockId highest = 0;
  for (const BlockId block : table) highest = std::max(highest, block);
  const double width = textWidth(font(), QString::number(highest)) + 2 * kCellPad;
  const int most = std::max(3, static_cast<int>((area.width() + 2) / (width + 2)));
  const int end = size <= most ? size : std::clamp(place + 1, most - 1, size);
  const int begin = size <= most ? 0 : end - (most - 2);  // after the first block and a sign
  std::vector<TableCell> cells;
  const auto add = [&](BlockId block, bool written) {
    const double left = area.left() + static_cast<double>(cells.size()) * (width + 2);
    cells.push_back({QRectF(left, area.top() + 2.5, width, area.height() - 5), block, written});
  };
  if (begin > 0) {
    add(table.front(), place == 0);
    add(-1, false);
  }
  for (int i = begin; i < end; ++i) add(table[static_cast<std::size_t>(i)], i == place);
  return cells;
}

void BatchView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const int count = static_cast<int>(m_lines.size());
  const int first = std::max(0, (exposed.top() - headHeight()) / rowHeight());
  const int last = std::min(count - 1, (exposed.bottom() - headHeight()) / rowHeight());
  for (int line = first; line <= last; ++line) paintLine(painter, line, theme);
  for (int line = count; line < count + paddingLines(); ++line) paintPadding(painter, line, theme);
  paintText(painter,
            QRectF(kSide, linesBottom() + 6, std::max(200, viewport()->width() - 2 * kSide), m_notesHeight),
            Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, notes(), theme.dimText());
  paintTitles(painter, exposed, theme);
}

void BatchView::paintTitles(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const bool onScreen = painter.device() == viewport();
  const double top = onScreen ? toContent({0, 0}).y() : 0;
  painter.fillRect(QRectF(exposed.left(), top, exposed.width(), headHeight()), theme.base());
  painter.setPen(theme.dimText());
  for (int i = kWork; i < kColumns; ++i) {
    const auto column = static_cast<Column>(i);
    QRectF area = columnRect(column, 0);
    area.moveTop(top);
    if (area.width() <= 0) continue;
    paintText(painter, area, (isNumber(i) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
              title(column));
  }
  painter.setPen(QPen(theme.line(), 1));
  painter.drawLine(QPointF(exposed.left(), top + headHeight() - 0.5),
                   QPointF(exposed.right(), top + headHeight() - 0.5));
}

void BatchView::paintLine(QPainter& painter, int at, const Theme& theme) const {
  const BatchLine& line = m_lines[static_cast<std::size_t>(at)];
  const BatchRow& row = m_batch->at(line.row);
  const QRectF area(0, lineRect(at).top(), m_left[kColumns] - kGap / 2.0, rowHeight());
  const QColor colour = theme.request(requestStyle(row.request).colourIndex);
  painter.fillRect(area, mix(theme.base(), colour, theme.isDark() ? 0.2 : 0.13));
  const bool begins =
      at == 0 || m_batch->at(m_lines[static_cast<std::size_t>(at) - 1].row).group != row.group;
  if (begins && at > 0)
    painter.fillRect(QRectF(area.left(), area.top() - 0.5, area.width(), 1), theme.line());
  if (row.sequence == m_batch->session()->selectedSequence())
    painter.fillRect(QRectF(0, area.top(), 4, area.height()), theme.accent());
  if (line.folded > 0) {
    painter.setPen(theme.text());
    const BatchRow& hidden = m_batch->at(line.row + line.folded - 1);
    paintText(painter, area.adjusted(m_left[kWork], 0, 0, 0), kAtLeft,
              tr("… %n more row(s) of %1, to position %2", nullptr, line.folded)
                  .arg(m_batch->letter(row.sequence))
                  .arg(hidden.cell.position));
  } else {
    if (isLit(row)) paintLitGround(painter, area.adjusted(5, 1, -1, -1), 5, theme);
    paintRow(painter, at, row, theme);
  }
  if (at != currentRow() || !hasFocus()) return;
  drawBox(painter, area.adjusted(1, 1, -1, -1), 5, QPen(theme.accent(), 1.6));
}

void BatchView::paintRow(QPainter& painter, int line, const BatchRow& row, const Theme& theme) const {
  const QString letter = m_batch->letter(row.sequence);
  const QRectF place = columnRect(kChip, line);
  const QSizeF chip = chipSize(font(), letter);
  paintChip(painter, QRectF(QPointF(place.left(), place.center().y() - chip.height() / 2), chip), row.request,
            letter, theme);
  for (const Column column : {kWork, kToken, kPosition, kRotary, kSlot, kSees}) {
    const QRectF area = columnRect(column, line);
    if (area.width() <= 0) continue;
    paintText(painter, area, (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
              elidedText(font(), cellText(row, column), area.width() + 1), theme.text());
  }
  if (row.cell.isDraft) {  // dashed, as a draft is in the lanes
    drawBox(painter, columnRect(kToken, line).adjusted(-4, 2.5, 4, -2.5), 4,
            QPen(theme.text(), 1.2, Qt::DashLine));
  }
  paintTable(painter, line, row, theme);
  if (!row.cell.wantsLogits) return;
  const QRectF logits = columnRect(kLogits, line);
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.text());
  painter.drawEllipse(QPointF(logits.left() + textWidth(font(), title(kLogits)) / 2, logits.center().y()),
                      4.5, 4.5);
}

// Grey, as no request is, and hatched, as nothing else here is. The words have a ground of their own.
void BatchView::paintPadding(QPainter& painter, int line, const Theme& theme) const {
  const QRectF area(0, lineRect(line).top(), m_left[kColumns] - kGap / 2.0, rowHeight());
  const QColor ground = mix(theme.base(), theme.text(), 0.1);
  fillHatched(painter, area.adjusted(0, 0.5, 0, -0.5), ground, Hatch::kRising);
  const QRectF words(m_left[kWork], area.top() + 2, textWidth(font(), paddingText()), area.height() - 4);
  painter.fillRect(words.adjusted(-4, 0, 4, 0), ground);
  paintText(painter, words, kAtLeft | Qt::TextDontClip, paddingText(), theme.text());
}

void BatchView::paintTable(QPainter& painter, int line, const BatchRow& row, const Theme& theme) const {
  const QColor colour = theme.request(requestStyle(row.request).colourIndex);
  const std::vector<BlockId>& lit = spotlight().target().blocks;
  for (const TableCell& cell :
       tableCells(m_lines[static_cast<std::size_t>(line)], columnRect(kTable, line))) {
    if (cell.block < 0) {
      paintText(painter, cell.area, Qt::AlignCenter, QStringLiteral("…"), theme.text());
      continue;
    }
    const bool isLit = std::ranges::find(lit, cell.block) != lit.end();
    drawBox(painter, cell.area, 3,
            isLit ? QPen(theme.text(), 2) : QPen(mix(theme.base(), theme.text(), 0.45), 1),
            cell.written ? QBrush(colour) : QBrush(theme.base()));
    paintText(painter, cell.area, Qt::AlignCenter, QString::number(cell.block),
              cell.written ? Theme::inkOn(colour) : theme.text());
  }
}

}  // namespace vitrine

#include "moc_batch_view.cpp"
