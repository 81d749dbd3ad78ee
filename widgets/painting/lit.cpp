#include "widgets/painting/lit.h"

#include <QPainter>
#include <algorithm>

#include "widgets/session/session.h"

namespace vitrine {

void paintLitGround(QPainter& painter, const QRectF& area, double radius, const Theme& theme) {
  painter.save();
  drawBox(painter, area, radius, QPen(theme.accent(), 1), mix(theme.base(), theme.accent(), 0.22));
  painter.restore();
}

// Two lines, one of them in the ground's colour, so that it stands out on every hatch.
void paintLitFrame(QPainter& painter, const QRectF& area, double radius, const Theme& theme) {
  painter.save();
  drawBox(painter, area, radius, QPen(theme.base(), 5.5));
  drawBox(painter, area, radius, QPen(theme.text(), 3));
  painter.restore();
}

bool holdsLitBlocks(Session& session, SequenceId sequence) {
  const std::vector<BlockId>& lit = session.spotlight()->target().blocks;
  const auto found = session.state().sequences.find(sequence);
  if (lit.empty() || found == session.state().sequences.end()) return false;
  std::vector<bool> isLit(session.state().blocks.size());
  for (const BlockId block : lit)
    if (static_cast<std::size_t>(block) < isLit.size()) isLit[static_cast<std::size_t>(block)] = true;
  return std::ranges::any_of(found->second.blockTable,
                             [&](BlockId block) { return isLit[static_cast<std::size_t>(block)]; });
}

}  // namespace vitrine
