#include "widgets/requests/lanes_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "widgets/painting/lit.h"
#include "widgets/painting/row_delegate.h"
#include "widgets/support/shaped_text.h"

namespace vitrine {
namespace {

constexpr int kNarrowestCell = 2, kWidestCell = 240;
constexpr double kLaneZoom = 1.25;

constexpr int kKeyMargin = 10;
constexpr int kMergedBelow = 12;  // equal cells that are narrower are painted as one

}  // namespace

LanesView::LanesView(LaneModel* model, QWidget* parent)
    : PaintedView(model, parent),
      m_lanes(model),
      m_fit(new QToolButton(this)),
      m_cellWidth(usualCellWidth()) {
  setAccessibleName(tr("Scheduler lanes"));
  m_fit->setText(tr("fit"));
  m_fit->setToolTip(tr("Show the whole run (0); zoom with + and −, or with Ctrl and the wheel"));
  m_fit->setAutoRaise(true);
  m_fit->setFocusPolicy(Qt::NoFocus);
  connect(m_fit, &QToolButton::clicked, this, &LanesView::fit);
  connect(model->session(), &Session::selectionChanged, this, &LanesView::paintInTurn);
  connect(model->session(), &Session::cursorChanged, this, [this](int, bool live) {
    m_follow = m_follow || !live;
    if (isVisible()) followCursor();
  });
  connect(model->session(), &Session::runStarted, this, [this] {
    m_follow = m_followLane = true;
    m_current = -1;
    m_hover = {};
    m_sight.clear();
    m_mostLanes = 0;
  });
  // Following stops when the user scrolls away from the cursor, and starts again when it is in view.
  connect(horizontalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
    m_follow = horizontalScrollBar()->sliderPosition() >= horizontalScrollBar()->maximum() - cellWidth();
  });
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
    m_followLane = verticalScrollBar()->sliderPosition() >= verticalScrollBar()->maximum() - laneHeight();
  });
  connect(horizontalScrollBar(), &QScrollBar::valueChanged, this, [this] {
    findSight();
    tellSummary();
  });
}

int LanesView::usualCellWidth() const {
  const double wait = textWidth(font(), waitWords({.reason = WaitReason::kBlocks, .needed = 10}).first);
  return static_cast<int>(std::max(wait, textWidth(font(), QStringLiteral("000000")))) + 8;
}
LaneRoom LanesView::mostRoom() const {
  return m_cellWidth >= textWidth(font(), QStringLiteral("00000")) ? LaneRoom::kRoomy : LaneRoom::kBare;
}

// The same for all of a run's steps, unless more lanes come, so that no lane grows when another one goes.
LaneRoom LanesView::room() const {
  const int most = std::max(m_mostLanes, static_cast<int>(m_sight.size()));
  for (const LaneRoom room : {LaneRoom::kRoomy, LaneRoom::kLow})
    if (room >= mostRoom() &&
        headHeight() + most * laneHeightOf(room, fontMetrics().height()) <= viewport()->height())
      return room;
  return LaneRoom::kBare;
}

int LanesView::headWidth() const {
  const double name = textWidth(font(), QStringLiteral("AA  a longer one"));
  return std::min(viewport()->width() / 3, static_cast<int>(name) + 24);
}

QString LanesView::emptyText() const {
  return m_lanes->lanes().empty()
             ? tr("Each request gets a lane here. Its cells show what every step computed for it: a block "
                  "for a prompt, a bar for one token.")
             : QString();
}

QString LanesView::summary() const {
  if (m_lanes->steps() == 0) return {};
  const auto [first, last] = stepsIn(QRect(toContent({0, 0}), viewport()->size()));
  return first < last ? tr("steps %1 to %2").arg(first).arg(last) : tr("step %1").arg(first);
}

int LanesView::placeOf(int lane) const {
  const auto found = std::ranges::lower_bound(m_sight, lane);
  return found != m_sight.end() && *found == lane ? static_cast<int>(found - m_sight.begin()) : -1;
}

QRect LanesView::cellRect(int lane, int step) const {
  const int place = placeOf(lane);
  if (place < 0) return {};
  return {headWidth() + (step - m_lanes->firstStep()) * m_cellWidth, headHeight() + place * laneHeight(),
          m_cellWidth, laneHeight()};
}

// The steps that the painter must draw, for a run of any length; the names cover the left edge.
std::pair<int, int> LanesView::stepsIn(const QRect& exposed) const {
  const int first = m_lanes->firstStep();
  return {first + std::max(0, exposed.left() / m_cellWidth),
          first + std::min(m_lanes->steps() - 1, std::max(0, exposed.right() - headWidth()) / m_cellWidth)};
}

std::pair<int, int> LanesView::placesIn(const QRect& exposed) const {
  const int last = static_cast<int>(m_sight.size()) - 1;
  return {std::max(0, (exposed.top() - headHeight()) / laneHeight()),
          std::min(last, (exposed.bottom() - headHeight()) / laneHeight())};
}

QSize LanesView::contentSize() const {
  // A spare column, so that the newest cell does not touch the edge.
  return {headWidth() + (m_lanes->steps() + 1) * m_cellWidth, lanesBottom() + (showsKey() ? keyHeight() : 0)};
}

// With the steps that a vertical scroll bar hides: a lane that it took out of sight would make the bar go,
// and come back with it, without an end.
void LanesView::findSight() {
  const int hidden = std::max(0, maximumViewportSize().width() - viewport()->width());
  const QRect port = QRect(toContent({0, 0}), viewport()->size()).adjusted(-hidden, 0, hidden, 0);
  const auto [first, last] = stepsIn(port);
  // A sequence that has just come lives from the next step on.
  std::vector<int> sight = m_lanes->lanesIn(first, std::max(last, first) + 1);
  if (sight == m_sight) return;
  m_sight = std::move(sight);
  layoutContent();
  if (const int count = static_cast<int>(m_sight.size()); count > m_mostLanes) {
    m_mostLanes = count;
    emit roomChanged();
  }
}

int LanesView::heightFor(int lanes) const {
  return headHeight() + lanes * laneHeightOf(mostRoom(), fontMetrics().height()) + keyHeight() +
         horizontalScrollBar()->sizeHint().height();
}

void LanesView::contentChanged() {
  layoutContent();
  findSight();
  m_current = std::min(m_current, m_lanes->rowCount() - 1);
  followCursor();
}

void LanesView::followCursor() {
  if (m_follow) {
    const int left = headWidth() + (m_lanes->session()->step() - m_lanes->firstStep()) * m_cellWidth;
    // The names cover the left edge, and a few earlier steps stay visible.
    const int room = std::max(0, viewport()->width() - 2 * m_cellWidth);
    const int vertical = verticalScrollBar()->value(), past = std::min(headWidth() + 3 * m_cellWidth, room);
    reveal(QRect(left - past, vertical, past + 2 * m_cellWidth, 1));
    findSight();
    // With dozens of requests the active lanes are further down.
    const int lane = m_followLane ? m_lanes->laneOf(m_lanes->session()->selectedSequence()) : -1;
    if (const QRect cell = cellRect(lane, 0); !cell.isEmpty())
      reveal(
          QRect(horizontalScrollBar()->value(), cell.top() - headHeight(), 1, cell.height() + headHeight()));
  }
  paintInTurn();
}

void LanesView::zoomTo(int width, int x) {
  width = std::clamp(width, kNarrowestCell, kWidestCell);
  if (width == m_cellWidth) return;
  const double steps = double(horizontalScrollBar()->value() + x - headWidth()) / m_cellWidth;
  m_cellWidth = width;
  m_zoomed = true;
  layoutContent();
  horizontalScrollBar()->setValue(static_cast<int>(std::lround(steps * m_cellWidth)) - x + headWidth());
  findSight();
  viewport()->update();
}

// The step shown where it is in sight, else the middle.
int LanesView::zoomCentre() const {
  const int x = headWidth() + (m_lanes->session()->step() - m_lanes->firstStep()) * m_cellWidth -
                horizontalScrollBar()->value();
  return x >= headWidth() && x < viewport()->width() ? x : viewport()->width() / 2;
}

void LanesView::zoomIn() {
  zoomTo(std::max(m_cellWidth + 1, static_cast<int>(m_cellWidth * kLaneZoom)), zoomCentre());
}

void LanesView::zoomOut() {
  zoomTo(std::min(m_cellWidth - 1, static_cast<int>(m_cellWidth / kLaneZoom)), zoomCentre());
}

void LanesView::fit() {
  const int room = viewport()->width() - headWidth();
  zoomTo(std::min(usualCellWidth(), room / std::max(1, m_lanes->steps() + 1)), headWidth());
  m_follow = true;
  followCursor();
}

LanesView::Spot LanesView::spotAt(const QPoint& content) const {
  Spot spot;
  const QPoint port = content - toContent({0, 0});
  const int place = port.y() < headHeight() ? -1 : (content.y() - headHeight()) / laneHeight();
  if (place >= 0 && place < static_cast<int>(m_sight.size()))
    spot.lane = m_sight[static_cast<std::size_t>(place)];
  if (port.x() < headWidth()) return spot;
  const int step = m_lanes->firstStep() + (content.x() - headWidth()) / m_cellWidth;
  if (step < m_lanes->firstStep() + m_lanes->steps()) spot.step = step;
  return spot;
}

QString LanesView::tipAt(const QPoint& content) const {
  const Spot spot = spotAt(content);
  if (spot.lane < 0) return {};
  return spot.step > 0 ? m_lanes->describe(spot.lane, spot.step)
                       : m_lanes->headerData(spot.lane, Qt::Vertical).toString();
}

// A cell, or the sequence itself at its name.
prose::Target LanesView::targetAt(const QPoint& content) const {
  const Spot spot = spotAt(content);
  if (spot.lane < 0) return {};
  const Lane& lane = m_lanes->lanes()[static_cast<std::size_t>(spot.lane)];
  return {.request = lane.request, .sequence = lane.sequence, .step = spot.step};
}

void LanesView::hover(const Spot& spot) {
  if (spot == m_hover) return;
  m_hover = spot;
  viewport()->update();
}

void LanesView::mouseMoveEvent(QMouseEvent* event) { hover(spotAt(toContent(event->pos()))); }
void LanesView::leaveEvent(QEvent* event) {
  PaintedView::leaveEvent(event);
  hover({});
}

void LanesView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const Spot spot = spotAt(toContent(event->pos()));
  if (spot.lane >= 0) {
    m_current = spot.lane;
    emit sequenceSelected(m_lanes->lanes()[static_cast<std::size_t>(spot.lane)].sequence);
  }
  if (spot.step > 0) emit stepRequested(spot.step);
}

void LanesView::zoomByWheel(int turned, const QPointF& at) {
  const int x = std::max(headWidth(), static_cast<int>(at.x()));
  const double factor = std::pow(kLaneZoom, turned / 120.0);
  const int wanted = static_cast<int>(std::lround(m_cellWidth * factor));
  zoomTo(wanted == m_cellWidth && factor != 1 ? m_cellWidth + (factor > 1 ? 1 : -1) : wanted, x);
}

void LanesView::resizeEvent(QResizeEvent* event) {
  PaintedView::resizeEvent(event);
  m_fit->resize(m_fit->sizeHint().width(), headHeight() - 2);
  m_fit->move(viewport()->geometry().right() - m_fit->width() - 2, viewport()->geometry().top() + 1);
  findSight();
  if (isVisible()) followCursor();
  tellSummary();
}

void LanesView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::FontChange && !m_zoomed) m_cellWidth = usualCellWidth();
  PaintedView::changeEvent(event);
}

// To the next lane in sight.
void LanesView::walk(int by) {
  if (m_sight.empty()) return;
  const int last = static_cast<int>(m_sight.size()) - 1, place = placeOf(m_current);
  m_current = m_sight[static_cast<std::size_t>(place < 0 ? 0 : std::clamp(place + by, 0, last))];
  const int step = m_lanes->session()->step();
  const QRect row = cellRect(m_current, step);
  reveal(QRect(horizontalScrollBar()->value(), row.top() - headHeight(), 1, row.height() + headHeight()));
  announce(m_lanes->describe(m_current, step));
  emit sequenceSelected(m_lanes->lanes()[static_cast<std::size_t>(m_current)].sequence);
}

void LanesView::keyPressEvent(QKeyEvent* event) {
  const int step = m_lanes->session()->step(), last = m_lanes->firstStep() + m_lanes->steps() - 1;
  switch (event->key()) {
    case Qt::Key_Up:
      return walk(-1);
    case Qt::Key_Down:
      return walk(1);
    case Qt::Key_Left:
      if (step > m_lanes->firstStep() - 1) emit stepRequested(step - 1);
      return;
    case Qt::Key_Right:
      if (step < last) emit stepRequested(step + 1);
      return;
    default:
      PaintedView::keyPressEvent(event);
  }
}

// How LanesView paints: the lanes in sight, the names at their left and the numbers of the steps above them,
// which stay visible while the cells scroll.

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
                      room()};
  const auto steps = stepsIn(exposed);
  const auto [first, last] = placesIn(exposed);
  for (int place = first; place <= last; ++place) {
    const int bottom = headHeight() + (place + 1) * laneHeight();
    painter.setPen(QPen(theme.line(), 1));
    painter.drawLine(exposed.left(), bottom, exposed.right(), bottom);
    paintLane(painter, place, steps, look);
  }
  if (m_lanes->steps() == 0) paintComing(painter, theme);
  if (look.theme.isHighContrast() &&
      look.cursor < steps.second) {  // nothing is faint: a line begins what came later
    const int x = headWidth() + (look.cursor + 1 - m_lanes->firstStep()) * m_cellWidth;
    painter.setPen(QPen(look.theme.text(), 2, Qt::DashLine));
    painter.drawLine(x, exposed.top(), x, lanesBottom());
  }
  paintNames(painter, exposed, look);
  paintSteps(painter, exposed, look);
}

// A block for the prompt and a bar for each token, as paintLaneCell() has them, with words in the first lane.
void LanesView::paintComing(QPainter& painter, const Theme& theme) const {
  constexpr double kGrey = 0.2;
  const QString prompt = tr("prefill: the whole prompt"), token = tr("decode: one token a step");
  const double line = fontMetrics().height(), gap = 2, right = viewport()->width();
  const double words = textWidth(font(), prompt) + 12, wide = std::max<double>(m_cellWidth, words);
  const double left = headWidth() + gap, tokens = left + wide + gap;
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.base(), theme.text(), kGrey));
  for (int place = 0; place < static_cast<int>(m_sight.size()); ++place) {
    const double top = headHeight() + place * laneHeight() + (showsTexts() ? 3 : 2);
    painter.drawRect(QRectF(left, top, wide, line + 2));
    for (double x = tokens; x < right; x += m_cellWidth)
      painter.drawRect(QRectF(x, top, std::min<double>(m_cellWidth, right - x) - 2 * gap, kLaneBar));
  }
  if (m_sight.empty() || !showsTexts()) return;
  const double top = headHeight() + 3;
  painter.setFont(font());
  paintText(painter, QRectF(left, top, wide, line + 2), Qt::AlignCenter, prompt, theme.text());
  if (tokens + textWidth(font(), token) < right)
    paintText(painter, QRectF(tokens, top + kLaneBar, right - tokens, line + 4),
              Qt::AlignLeft | Qt::AlignVCenter, token, theme.dimText());
}

void LanesView::paintLane(QPainter& painter, int place, std::pair<int, int> steps,
                          const LaneLook& look) const {
  const int lane = m_sight[static_cast<std::size_t>(place)];
  const Lane& row = m_lanes->lanes()[static_cast<std::size_t>(lane)];
  const bool hasTexts = look.room != LaneRoom::kBare;
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
      drawBox(painter, cell.adjusted(0, 1, 0, -1), 5, QPen(look.theme.accent(), 2),
              mix(look.theme.base(), look.theme.accent(), 0.12));
    } else if (Spot{lane, step} == m_hover) {
      drawBox(painter, cell.adjusted(0, 1, 0, -1), 5, Qt::NoPen, look.theme.panel());
    }
    if (work.kind == LaneKind::kNone) continue;
    const bool isFaint = step > look.cursor && !look.theme.isHighContrast();
    painter.setOpacity(isFaint ? 0.3 : 1.0);
    paintLaneCell(painter, cell, work, row.request,
                  {m_lanes->waitAt(lane, step), hasTexts ? m_lanes->textAt(lane, step) : QString()}, look);
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
    painter.setFont(boldened(look.font, now));
    if (lit)
      paintLitGround(painter, QRectF(x - widest / 2.0, top + 3, widest, headHeight() - 6), 5, look.theme);
    paintText(painter, QRectF(x - widest, top, 2 * widest, headHeight()), Qt::AlignCenter,
              QString::number(step),
              now   ? look.theme.accentText()
              : lit ? look.theme.text()
                    : look.theme.dimText());
  }
  painter.setFont(look.font);
  painter.fillRect(QRectF(look.corner.x(), top, headWidth() - 4, headHeight()), look.theme.base());
  paintText(painter, QRectF(look.corner.x() + 10, top, headWidth() - 20, headHeight()), kAtLeft, tr("step"),
            look.theme.dimText());
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
      drawBox(painter, row.adjusted(4, 4, -2, -4), 6, QPen(look.theme.accent(), 2));
    }
    painter.setPen(QPen(look.theme.line(), 1));
    painter.drawLine(row.bottomLeft(), row.bottomRight());
    const QSizeF chip = chipSize(look.font, lane.letter);
    paintChip(painter, QRectF(QPointF(row.left() + 10, row.center().y() - chip.height() / 2), chip),
              lane.request, lane.letter, look.theme);
    painter.setPen(look.theme.text());
    const double x = row.left() + 10 + chip.width() + 7, room = row.right() - x - 6;
    paintText(painter, QRectF(x, row.top(), room, row.height()), kAtLeft,
              elidedText(look.font, lane.name.simplified(), room));
  }
  if (!showsKey()) return;
  const double y = lanesBottom() + 8;
  painter.setPen(look.theme.dimText());
  paintText(painter, QRectF(left + kKeyMargin, y, viewport()->width(), look.metrics.height()), kAtLeft,
            key());
}

QString LanesView::key() const {
  const LaneSigns signs = signsInSight();
  QStringList parts;
  const auto add = [&](bool shown, const QString& words) {
    if (!shown) return;
    const QString more = (parts + QStringList(words)).join(QStringLiteral(" · "));
    if (textWidth(font(), more) <= viewport()->width() - 2 * kKeyMargin) parts << words;
  };
  add(signs.decode, tr("bar: a token"));
  add(signs.prefill, tr("number: prompt tokens"));
  add(signs.waits, tr("dashed: waits"));
  add(signs.swapped, tr("arrow: swapped out"));
  add(signs.preempted, tr("cross: preempted"));
  add(signs.accepted, tr("tick: draft accepted"));
  add(signs.rejected, tr("struck: draft rejected"));
  add(signs.cached, tr("frame: from the prefix cache"));
  add(signs.finished, tr("end stroke: finished"));
  return parts.join(QStringLiteral(" · "));
}

LanesView::LaneSigns LanesView::signsInSight() const {
  LaneSigns signs;
  const auto [first, last] = stepsIn(QRect(toContent({0, 0}), viewport()->size()));
  for (const int lane : m_sight)
    for (int step = first; step <= last; ++step) {
      const LaneCell& cell = m_lanes->cell(lane, step);
      signs.decode |= cell.kind == LaneKind::kDecode;
      signs.prefill |= cell.kind == LaneKind::kPrefill;
      signs.waits |= cell.kind == LaneKind::kWaiting;
      signs.swapped |= cell.kind == LaneKind::kPreempted && cell.swapped;
      signs.preempted |= cell.kind == LaneKind::kPreempted && !cell.swapped;
      signs.accepted |= cell.accepted > 0;
      signs.rejected |= cell.drafted > cell.accepted;
      signs.cached |= cell.cached;
      signs.finished |= cell.finished;
    }
  return signs;
}

}  // namespace vitrine

#include "moc_lanes_view.cpp"
