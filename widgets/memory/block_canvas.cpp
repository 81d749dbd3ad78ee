#include "widgets/memory/block_canvas.h"

#include <QPainter>
#include <cmath>

#include "widgets/memory/block_painter.h"

namespace vitrine {
namespace {

constexpr int kMargin = 1;  // that a cell's outline needs around it, in pixels
constexpr int kMostStamps = 2048;

QPixmap pixmapOf(QSize size, double ratio) {
  QPixmap pixmap(static_cast<int>(std::ceil(size.width() * ratio)),
                 static_cast<int>(std::ceil(size.height() * ratio)));
  pixmap.setDevicePixelRatio(ratio);
  return pixmap;
}

bool isWhole(double number) { return number == std::round(number); }

}  // namespace

void BlockCanvas::note(const BlockMapModel& blocks) {
  m_missed = m_missed || blocks.generation() != m_noted + 1 ||
             m_changed.size() + blocks.changed().size() > blocks.rows().size();
  m_noted = blocks.generation();
  if (m_missed)
    m_changed.clear();
  else
    m_changed.insert(m_changed.end(), blocks.changed().begin(), blocks.changed().end());
}

void BlockCanvas::prepare(const Look& look, const Theme& theme, const BlockMapModel& blocks) {
  m_cellsPainted = 0;
  Look here = m_look;
  here.sight = look.sight;
  const bool sameCells = here == look && m_look.sight.size() == look.sight.size() && !m_pixmap.isNull();
  if (!sameCells) m_stamps.clear();
  m_missed = m_missed || blocks.generation() != m_noted;
  const bool kept = sameCells && !m_missed && scrollTo(look);
  m_look = look;
  if (!kept) {
    m_pixmap = pixmapOf(look.sight.size(), look.ratio);
    m_toPaint = look.sight;
  } else if (!m_changed.empty()) {
    QPainter painter(&m_pixmap);
    painter.translate(-look.sight.topLeft());
    for (const BlockId block : m_changed)
      if (look.grid.cellRect(block).intersects(look.sight)) paintCell(painter, block, theme, blocks);
  }
  m_noted = blocks.generation();
  m_missed = false;
  m_changed.clear();
  if (!m_toPaint.isEmpty()) paintBand(m_toPaint, theme, blocks);
  m_toPaint = {};
}

// Moves the picture up or down by whole device pixels. False: it must be painted anew.
bool BlockCanvas::scrollTo(const Look& look) {
  const QPoint by = m_look.sight.topLeft() - look.sight.topLeft();
  if (by.isNull()) return true;
  if (by.x() != 0 || std::abs(by.y()) >= look.sight.height()) return false;
  if (!isWhole(by.y() * look.ratio) || !isWhole(look.sight.height() * look.ratio)) return false;
  m_pixmap.scroll(0, static_cast<int>(by.y() * look.ratio), QRect(QPoint(), m_pixmap.size()));
  m_toPaint = look.sight;
  if (by.y() < 0)
    m_toPaint.setTop(look.sight.bottom() + 1 + by.y());
  else
    m_toPaint.setHeight(by.y());
  return true;
}

void BlockCanvas::paintBand(const QRect& band, const Theme& theme, const BlockMapModel& blocks) {
  QPainter painter(&m_pixmap);
  painter.translate(-m_look.sight.topLeft());
  painter.setClipRect(band);
  painter.fillRect(band, theme.base());
  const auto [first, end] = m_look.grid.blocksIn(band.adjusted(0, -kMargin, 0, kMargin));
  for (int block = first; block < end; ++block) paintCell(painter, block, theme, blocks);
}

void BlockCanvas::paintCell(QPainter& painter, int block, const Theme& theme, const BlockMapModel& blocks) {
  ++m_cellsPainted;
  const QRect cell = m_look.grid.cellRect(block);
  if (cell.height() < BlockGrid::kPlainCell) {
    BlockPainter(painter, theme, m_look.font, m_look.blockSize).paint(QRectF(cell), blocks.at(block));
    return;
  }
  painter.drawPixmap(cell.topLeft() - QPoint(kMargin, kMargin), stampOf(blocks.at(block), theme));
}

const QPixmap& BlockCanvas::stampOf(const BlockRow& row, const Theme& theme) {
  const Stamp key{row.letters, row.filled, row.refCount, row.turn, row.cached, row.change};
  if (const auto found = m_stamps.constFind(key); found != m_stamps.constEnd()) return *found;
  if (m_stamps.size() >= kMostStamps) m_stamps.clear();
  const QSize cell = m_look.grid.cell();
  QPixmap stamp = pixmapOf(cell + QSize(2 * kMargin, 2 * kMargin), m_look.ratio);
  stamp.fill(theme.base());
  QPainter painter(&stamp);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(m_look.font);
  const QRectF rect(kMargin + 0.5, kMargin + 0.5, cell.width() - 1, cell.height() - 1);
  BlockPainter(painter, theme, m_look.font, m_look.blockSize).paint(rect, row);
  painter.end();
  return *m_stamps.insert(key, stamp);
}

void BlockCanvas::draw(QPainter& painter) const { painter.drawPixmap(m_look.sight.topLeft(), m_pixmap); }

}  // namespace vitrine
