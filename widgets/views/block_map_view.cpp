#include "widgets/views/block_map_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"
#include "widgets/views/block_painter.h"
#include "widgets/views/lit.h"

namespace vitrine {
namespace {
constexpr int kSmallestCell = 16, kReadableCell = 26, kLargestCell = 54, kGap = 3, kMargin = 10;
}  // namespace

BlockMapView::BlockMapView(BlockMapModel* model, QWidget* parent)
    : PaintedView(model, parent), m_blocks(model) {
  setAccessibleName(tr("KV block map"));
  connect(&m_clock, &AnimationClock::tick, viewport(), qOverload<>(&QWidget::update));
  connect(model->session(), &Session::selectionChanged, viewport(), qOverload<>(&QWidget::update));
  connect(model->session(), &Session::runStarted, this, [this] {
    m_seen = -1;
    m_fades.clear();
    m_current = -1;
  });
  // After going back, the changes of a step are new again.
  connect(model->session(), &Session::cursorChanged, this, [this](int, bool live) {
    if (!live) m_seen = -1;
  });
}

QString BlockMapView::emptyText() const {
  return m_blocks->rowCount() > 0
             ? QString()
             : tr("The engine's memory appears here once a model is loaded: one cell for each block of "
                  "keys and values.");
}

// The largest cell with which the whole pool is visible; for a very large pool the smallest readable one.
void BlockMapView::measure(int width, int height) const {
  const int blocks = std::max(1, m_blocks->rowCount()), line = fontMetrics().height();
  m_top = kMargin + line + 8;
  const int across = std::max(1, width - 2 * kMargin),
            down = height - m_top - kMargin - legendHeight(width) - 14;
  m_cell = kReadableCell;
  for (int cell = kLargestCell; cell >= kSmallestCell; --cell) {
    const int columns = std::max(1, (across + kGap) / (cell + kGap));
    if ((blocks + columns - 1) / columns * (cell + kGap) <= down) {
      m_cell = cell;
      break;
    }
    if (cell == kSmallestCell) m_cell = blocks > 2000 ? kSmallestCell : kReadableCell;
  }
  m_columns = std::max(1, (across + kGap) / (m_cell + kGap));
}

QSize BlockMapView::contentSize() const {
  measure(viewport()->width(), viewport()->height());
  const int rows = (m_blocks->rowCount() + m_columns - 1) / m_columns;
  return {viewport()->width(),
          m_top + rows * (m_cell + kGap) + legendHeight(viewport()->width()) + 14 + kMargin};
}

QRect BlockMapView::cellRect(int block) const {
  return {kMargin + block % m_columns * (m_cell + kGap), m_top + block / m_columns * (m_cell + kGap), m_cell,
          m_cell};
}

int BlockMapView::blockAt(const QPoint& content) const {
  const int pitch = m_cell + kGap;
  if (content.x() < kMargin || content.y() < m_top) return -1;
  const int column = (content.x() - kMargin) / pitch;
  const int block = (content.y() - m_top) / pitch * m_columns + column;
  return column < m_columns && block < m_blocks->rowCount() ? block : -1;
}

void BlockMapView::contentChanged() {
  m_fades.resize(static_cast<std::size_t>(m_blocks->rowCount()));
  m_current = std::min(m_current, m_blocks->rowCount() - 1);
  std::int64_t newest = m_seen;
  bool changed = false;
  for (std::size_t i = 0; i < m_fades.size(); ++i) {
    const std::int64_t change = m_blocks->rows()[i].changeNumber;
    if (change <= m_seen || change == m_fades[i].change) continue;
    m_fades[i] = {change, m_clock.nowMs()};
    newest = std::max(newest, change);
    changed = true;
  }
  m_seen = newest;
  if (changed) m_clock.run(kFadeMs);
}

double BlockMapView::glow(int block) const {
  if (AnimationClock::reducedMotion() || static_cast<std::size_t>(block) >= m_fades.size()) return 0;
  const Fade& fade = m_fades[static_cast<std::size_t>(block)];
  if (fade.change < 0 || fade.change != m_blocks->at(block).changeNumber) return 0;
  return std::clamp(1.0 - static_cast<double>(m_clock.nowMs() - fade.startMs) / kFadeMs, 0.0, 1.0);
}

void BlockMapView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const QFontMetricsF metrics(font());
  painter.setPen(theme.dimText());
  const int blocks = m_blocks->rowCount();
  QString summary =
      tr("%1 of %2 blocks in use").arg(formatCount(m_blocks->usedBlocks()), formatCount(blocks));
  if (m_blocks->cachedFreeBlocks() > 0) {
    summary += QStringLiteral(" · ") + tr("%n free but still cached", nullptr, m_blocks->cachedFreeBlocks());
  }
  const double width = contentSize().width() - 2 * kMargin;
  painter.drawText(QRectF(kMargin, kMargin, width, metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
                   metrics.elidedText(summary, Qt::ElideRight, width));
  const BlockPainter cells(painter, theme, font(), std::max(1, m_blocks->blockSize()));
  const int first = std::max(0, (exposed.top() - m_top) / (m_cell + kGap)) * m_columns;
  for (int block = first; block < blocks; ++block) {
    if (cellRect(block).top() > exposed.bottom()) break;
    cells.paint(QRectF(cellRect(block)).adjusted(0.5, 0.5, -0.5, -0.5), m_blocks->at(block),
                {m_blocks->session()->selectedSequence(), glow(block), block == m_current && hasFocus()});
  }
  for (int block = first; block < blocks && cellRect(block).top() <= exposed.bottom(); ++block)
    if (const BlockRow& row = m_blocks->at(block); spotlight().isOnBlock(block, row.owners, row.request))
      paintLitFrame(painter, QRectF(cellRect(block)).adjusted(-1, -1, 1, 1), 5, theme);
  paintLegend(painter, theme);
}

prose::Target BlockMapView::targetAt(const QPoint& content) const {
  const int block = blockAt(content);
  return block < 0 ? prose::Target() : prose::Target{.blocks = {block}};
}

// Samples of the marks, each drawn by the code that draws the cells, so that the legend always matches.
QStringList BlockMapView::legendWords() {
  return {tr("in the prefix cache"), tr("shared"), tr("changed in this step")};
}

// Its words take as many lines as the letters' size needs.
int BlockMapView::legendHeight(int width) const {
  const QFontMetricsF metrics(font());
  double x = kMargin, height = metrics.height();
  for (const QString& words : legendWords()) {
    const double wide = metrics.height() + 20 + metrics.horizontalAdvance(words);
    if (x > kMargin && x + wide > width - kMargin) {
      x = kMargin;
      height += metrics.height() + 2;
    }
    x += wide;
  }
  return static_cast<int>(std::ceil(height));
}

void BlockMapView::paintLegend(QPainter& painter, const Theme& theme) const {
  const QFontMetricsF metrics(font());
  const double size = metrics.height() - 2;
  double x = kMargin, y = contentSize().height() - legendHeight(contentSize().width()) - kMargin;
  const BlockPainter cells(painter, theme, font(), 1);
  BlockRow cached, shared, changed;
  cached.cached = true;
  shared.refCount = 2;
  changed.change = BlockChange::kAllocated;
  const BlockRow* const samples[] = {&cached, &shared, &changed};
  for (qsizetype i = 0; i < legendWords().size(); ++i) {
    const QString words = legendWords().at(i);
    const double width = size + 6 + metrics.horizontalAdvance(words) + 16;
    if (x > kMargin && x + width > contentSize().width() - kMargin) {
      x = kMargin;
      y += metrics.height() + 2;
    }
    cells.paintMarks(QRectF(x, y + 1, size, size), *samples[i], {});
    painter.setPen(theme.dimText());
    painter.drawText(QPointF(x + size + 6, y + metrics.ascent()), words);
    x += width;
  }
}

QString BlockMapView::tipAt(const QPoint& content) const { return m_blocks->describe(blockAt(content)); }

QString BlockMapView::summary() const {
  if (m_blocks->rowCount() == 0) return {};
  QStringList parts = {tr("%1 of %2 blocks in use")
                           .arg(formatCount(m_blocks->usedBlocks()), formatCount(m_blocks->rowCount()))};
  if (m_blocks->cachedFreeBlocks() > 0)
    parts << tr("%1 free, still cached").arg(m_blocks->cachedFreeBlocks());
  parts << tr("%1 tokens each").arg(m_blocks->blockSize());
  return parts.join(QStringLiteral(" · "));
}

void BlockMapView::setCurrentBlock(int block) {
  if (block < 0 || block >= m_blocks->rowCount()) return;
  m_current = block;
  reveal(cellRect(block).adjusted(-4, -4, 4, 4));
  announce(m_blocks->describe(block));
  viewport()->update();
  emit blockSelected(block);
}

void BlockMapView::activate(int block) {
  setCurrentBlock(block);
  const auto& owners = m_blocks->at(block).owners;
  if (!owners.empty()) emit sequenceSelected(owners.front());
}

void BlockMapView::keyPressEvent(QKeyEvent* event) {
  const int blocks = m_blocks->rowCount();
  if (blocks == 0) return PaintedView::keyPressEvent(event);
  const int from = std::max(0, m_current);
  const auto go = [&](int block) { setCurrentBlock(m_current < 0 ? 0 : std::clamp(block, 0, blocks - 1)); };
  switch (event->key()) {
    case Qt::Key_Left:
      return go(from - 1);
    case Qt::Key_Right:
      return go(from + 1);
    case Qt::Key_Up:
      return go(from >= m_columns ? from - m_columns : from);
    case Qt::Key_Down:
      return go(from + m_columns < blocks ? from + m_columns : from);
    case Qt::Key_Home:
      return go(0);
    case Qt::Key_End:
      return go(blocks - 1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
      if (m_current >= 0) activate(m_current);
      return;
    default:
      PaintedView::keyPressEvent(event);
  }
}

void BlockMapView::mousePressEvent(QMouseEvent* event) {
  const int block = blockAt(toContent(event->pos()));
  if (event->button() == Qt::LeftButton && block >= 0) activate(block);
}

}  // namespace vitrine
