// How LanesView paints: the lanes in sight, the names at their left and the numbers of the steps above them,
// which stay visible while the cells scroll.
#include <QPainter>
#include <QToolButton>
#include <cmath>

#include "widgets/painting/lit.h"
#include "widgets/painting/row_delegate.h"
#include "widgets/requests/lane_painter.h"
#include "widgets/requests/lanes_view.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kMergedBelow = 12;  // equal cells that are narrower are painted as one

}  // namespace

int LanesView::lanesBottom() const { return headHeight() + static_cast<int>(m_sight.size()) * laneHeight(); }
int LanesView::keyHeight() const { return fontMetrics().height() + 16; }
// The key of the signs is shown where the lanes leave room; half a line of it would only ask for a scroll
// bar.
bool LanesView::showsKey() const { return lanesBottom() + keyHeight() <= viewport()->height(); }

void LanesView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const bool onScreen = painter.device() == viewport();
  const LaneLook look{theme,
                      font(),
                      QFontMetricsF(font()),
                      m_lanes->session()->step(),
                      onScreen ? toContent({0, 0}) : QPoint(),
                      m_lanes->session()->selectedSequence(),
                      showsTexts()};
  const auto steps = stepsIn(exposed);
  const auto [first, last] = placesIn(exposed);
  for (int place = first; place <= last; ++place) {
    const int bottom = headHeight() + (place + 1) * laneHeight();
    painter.setPen(QPen(theme.line(), 1));
    painter.drawLine(exposed.left(), bottom, exposed.right(), bottom);
    paintLane(painter, place, steps, look);
  }
  paintNames(painter, exposed, look);
  paintSteps(painter, exposed, look);
}

void LanesView::paintLane(QPainter& painter, int place, std::pair<int, int> steps,
                          const LaneLook& look) const {
  const int lane = m_sight[static_cast<std::size_t>(place)];
  const Lane& row = m_lanes->lanes()[static_cast<std::size_t>(lane)];
  const auto isLit = [&](int step) { return spotlight().isOnCell(row.sequence, step); };
  const auto joins = [&](int step) {
    const LaneCell &work = m_lanes->cell(lane, step), &next = m_lanes->cell(lane, step + 1);
    return m_cellWidth < kMergedBelow && step < steps.second && step != look.cursor &&
           work.kind == next.kind && work.kind != LaneKind::kPreempted && !work.finished && !work.cached &&
           !next.cached && work.drafted == 0 && next.drafted == 0 && !isLit(step) && !isLit(step + 1);
  };
  for (int step = steps.first; step <= steps.second; ++step) {
    const int from = step;
    int tokens = m_lanes->cell(lane, step).tokens;
    while (joins(step) && step + 1 != look.cursor) tokens += m_lanes->cell(lane, ++step).tokens;
    LaneCell work = m_lanes->cell(lane, step);
    work.tokens = tokens;
    const QRectF cell = QRectF(cellRect(lane, from)).united(cellRect(lane, step));
    if (step == look.cursor && work.kind != LaneKind::kNone) {
      painter.setPen(QPen(look.theme.accent(), 2));
      painter.setBrush(mix(look.theme.base(), look.theme.accent(), 0.12));
      painter.drawRoundedRect(cell.adjusted(0, 1, 0, -1), 5, 5);
    } else if (Spot{lane, step} == m_hover) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(look.theme.panel());
      painter.drawRoundedRect(cell.adjusted(0, 1, 0, -1), 5, 5);
    }
    if (work.kind == LaneKind::kNone) continue;
    painter.setOpacity(step > look.cursor ? 0.3 : 1.0);
    paintLaneCell(painter, cell, work, row.request,
                  {m_lanes->waitAt(lane, step), look.texts ? m_lanes->textAt(lane, step) : QString()}, look);
    painter.setOpacity(1.0);
    if (isLit(step)) paintLitFrame(painter, cell.adjusted(0, 1, 0, -1), 5, look.theme);
  }
}

// The numbers of the steps, which do not scroll up and down.
void LanesView::paintSteps(QPainter& painter, const QRect& exposed, const LaneLook& look) const {
  const double top = look.corner.y();
  painter.fillRect(QRectF(exposed.left(), top, exposed.width(), headHeight()), look.theme.base());
  const auto [first, last] = stepsIn(exposed);
  const int widest = static_cast<int>(textWidth(look.font, QString::number(last))) + 10;
  int every = 1;
  for (const int next : {2, 5, 10, 20, 50, 100, 200, 500, 1000})
    if (every * m_cellWidth < widest) every = next;
  const bool onScreen = painter.device() == viewport();
  const double end = onScreen ? look.corner.x() + m_fit->x() - viewport()->x() : contentSize().width();
  const double cursorX = headWidth() + (look.cursor - m_lanes->firstStep() + 0.5) * m_cellWidth;
  for (int step = first; step <= last; ++step) {
    const bool now = step == look.cursor;
    const bool lit = spotlight().target().sequence == 0 && spotlight().target().step == step;
    const double x = headWidth() + (step - m_lanes->firstStep() + 0.5) * m_cellWidth;
    if (x + widest / 2.0 > end) break;  // the button "fit" is there
    if (!now && !lit && step != m_hover.step && (step % every != 0 || std::abs(x - cursorX) < widest))
      continue;
    QFont face = look.font;
    face.setBold(now);
    painter.setFont(face);
    if (lit)
      paintLitGround(painter, QRectF(x - widest / 2.0, top + 3, widest, headHeight() - 6), 5, look.theme);
    painter.setPen(now ? look.theme.accentText() : lit ? look.theme.text() : look.theme.dimText());
    paintText(painter, QRectF(x - widest, top, 2 * widest, headHeight()), Qt::AlignCenter,
              QString::number(step));
  }
  painter.setFont(look.font);
  painter.fillRect(QRectF(look.corner.x(), top, headWidth() - 4, headHeight()), look.theme.base());
  painter.setPen(look.theme.dimText());
  paintText(painter, QRectF(look.corner.x() + 10, top, headWidth() - 20, headHeight()),
            Qt::AlignLeft | Qt::AlignVCenter, tr("step"));
  painter.setPen(QPen(look.theme.line(), 1));
  painter.drawLine(QPointF(exposed.left(), top + headHeight()), QPointF(exposed.right(), top + headHeight()));
}

void LanesView::paintNames(QPainter& painter, const QRect& exposed, const LaneLook& look) const {
  const double width = headWidth(), left = look.corner.x();
  painter.fillRect(QRectF(left, exposed.top(), width - 4, exposed.height()), look.theme.base());
  const auto [first, last] = placesIn(exposed);
  for (int place = first; place <= last; ++place) {
    const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(m_sight[static_cast<std::size_t>(place)])];
    const QRectF row(left, headHeight() + place * laneHeight(), width - 4, laneHeight());
    if (spotlight().isOnSequence(lane.sequence, lane.request))
      paintLitGround(painter, row.adjusted(4, 4, -2, -4), 6, look.theme);
    if (lane.sequence == look.selected) {
      painter.setPen(QPen(look.theme.accent(), 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(row.adjusted(4, 4, -2, -4), 6, 6);
    }
    painter.setPen(QPen(look.theme.line(), 1));
    painter.drawLine(row.bottomLeft(), row.bottomRight());
    const QSizeF chip = chipSize(look.font, lane.letter);
    paintChip(painter, QRectF(QPointF(row.left() + 10, row.center().y() - chip.height() / 2), chip),
              lane.request, lane.letter, look.theme);
    painter.setPen(look.theme.text());
    const double x = row.left() + 10 + chip.width() + 7, room = row.right() - x - 6;
    paintText(painter, QRectF(x, row.top(), room, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
              elidedText(look.font, lane.name.simplified(), room));
  }
  if (!showsKey()) return;
  const double y = lanesBottom() + 8;
  painter.setPen(look.theme.dimText());
  const QString key =
      tr("bar: a token · number: prompt tokens · dashed: waits, needs › has · tick: draft accepted, "
         "struck: rejected · cross: preempted");
  const double room = std::max(100, viewport()->width() - 20);
  paintText(painter, QRectF(left + 10, y, room, look.metrics.height()), Qt::AlignLeft | Qt::AlignVCenter,
            elidedText(look.font, key, room));
}

}  // namespace vitrine
