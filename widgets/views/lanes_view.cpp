#include "widgets/views/lanes_view.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "widgets/support/formats.h"
#include "widgets/support/request_style.h"
#include "widgets/views/row_delegate.h"

namespace vitrine {

struct LanesView::Look {
  Theme theme;
  QFont font;
  QFontMetricsF metrics;
  int cursor = 0;
  int headLeft = 0;  // the left edge of the names, which do not scroll sideways
  SequenceId selected = 0;
};

LanesView::LanesView(LaneModel* model, QWidget* parent) : PaintedView(model, parent), m_lanes(model) {
  setAccessibleName(tr("Scheduler lanes"));
  const auto repaint = qOverload<>(&QWidget::update);
  connect(model->session(), &Session::selectionChanged, viewport(), repaint);
  connect(model->session(), &Session::cursorChanged, this, [this](int, bool live) {
    m_follow = m_follow || !live;
    if (isVisible()) followCursor();
  });
  connect(model->session(), &Session::runStarted, this, [this] {
    m_follow = m_followLane = true;
    m_current = -1;
  });
  // Following stops when the user scrolls away from the cursor, and starts again when it is in view.
  connect(horizontalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
    m_follow = horizontalScrollBar()->sliderPosition() >= horizontalScrollBar()->maximum() - cellWidth();
  });
  connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
    m_followLane = verticalScrollBar()->sliderPosition() >= verticalScrollBar()->maximum() - laneHeight();
  });
}

int LanesView::laneHeight() const { return fontMetrics().height() + 18; }
int LanesView::cellWidth() const { return fontMetrics().horizontalAdvance(QStringLiteral("000")) + 8; }
int LanesView::headHeight() const { return fontMetrics().height() + 12; }
int LanesView::headWidth() const {
  return std::min(viewport()->width() / 3,
                  fontMetrics().horizontalAdvance(QStringLiteral("AA  request-name")) + 24);
}

QString LanesView::emptyText() const {
  return m_lanes->lanes().empty()
             ? tr("Each request gets a lane here. Its cells show what every step computed for it: a block "
                  "for a prompt, a dash for one token.")
             : QString();
}

QRect LanesView::cellRect(int lane, int step) const {
  return {headWidth() + (step - m_lanes->firstStep()) * cellWidth(), headHeight() + lane * laneHeight(),
          cellWidth(), laneHeight()};
}

// The steps that the painter must draw, for a run of any length.
std::pair<int, int> LanesView::stepsIn(const QRect& exposed) const {
  const int first = m_lanes->firstStep();
  return {first + std::max(0, (exposed.left() - headWidth()) / cellWidth()),
          first + std::min(m_lanes->steps() - 1, (exposed.right() - headWidth()) / cellWidth())};
}

std::pair<int, int> LanesView::lanesIn(const QRect& exposed) const {
  const int last = static_cast<int>(m_lanes->lanes().size()) - 1;
  return {std::max(0, (exposed.top() - headHeight()) / laneHeight()),
          std::min(last, (exposed.bottom() - headHeight()) / laneHeight())};
}

QSize LanesView::contentSize() const {
  // A spare column, so that the newest cell does not touch the edge.
  return {
      headWidth() + (m_lanes->steps() + 1) * cellWidth(),
      headHeight() + static_cast<int>(m_lanes->lanes().size()) * laneHeight() + fontMetrics().height() + 16};
}

void LanesView::contentChanged() {
  layoutContent();
  m_current = std::min(m_current, m_lanes->rowCount() - 1);
  followCursor();
}

void LanesView::followCursor() {
  if (m_follow) {
    const QRect cell = cellRect(0, m_lanes->session()->step());
    // The names cover the left edge, and a few earlier steps stay visible.
    const int vertical = verticalScrollBar()->value(), past = headWidth() + 3 * cell.width();
    reveal(QRect(cell.left() - past, vertical, past + 2 * cell.width(), 1));
    // With dozens of requests the active lanes are further down.
    const int lane = m_followLane ? m_lanes->laneOf(m_lanes->session()->selectedSequence()) : -1;
    const int horizontal = horizontalScrollBar()->value();
    if (lane >= 0) reveal(QRect(horizontal, cellRect(lane, 0).top(), 1, laneHeight()));
  }
  viewport()->update();
}

void LanesView::paintContent(QPainter& painter, const QRect& exposed, const Theme& theme) const {
  const bool onScreen = painter.device() == viewport();
  const Look look{theme,
                  font(),
                  QFontMetricsF(font()),
                  m_lanes->session()->step(),
                  onScreen ? horizontalScrollBar()->value() : 0,
                  m_lanes->session()->selectedSequence()};
  paintSteps(painter, exposed, look);
  const auto [first, last] = stepsIn(exposed);
  const auto [firstLane, lastLane] = lanesIn(exposed);
  for (int lane = firstLane; lane <= lastLane; ++lane) {
    const int top = headHeight() + lane * laneHeight();
    painter.setPen(QPen(theme.line(), 1));
    painter.drawLine(exposed.left(), top + laneHeight(), exposed.right(), top + laneHeight());
    for (int step = first; step <= last; ++step) {
      const LaneCell& work = m_lanes->cell(lane, step);
      const bool future = step > look.cursor;
      painter.setOpacity(future ? 0.3 : 1.0);
      paintCell(painter, QRectF(cellRect(lane, step)), work, m_lanes->lanes()[static_cast<std::size_t>(lane)],
                look);
    }
    painter.setOpacity(1.0);
  }
  paintHead(painter, exposed, look);
}

void LanesView::paintSteps(QPainter& painter, const QRect& exposed, const Look& look) const {
  const int lanes = static_cast<int>(m_lanes->lanes().size());
  if (look.cursor >= m_lanes->firstStep()) {
    QRectF column = cellRect(0, look.cursor);
    column.setTop(2);
    column.setBottom(headHeight() + lanes * laneHeight());
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(look.theme.base(), look.theme.accent(), 0.25));
    painter.drawRoundedRect(column, 4, 4);
  }
  const auto [first, last] = stepsIn(exposed);
  for (int step = first; step <= last; ++step) {
    const QRect cell = cellRect(0, step);
    const bool current = step == look.cursor;
    // Every number where there is room, every fifth where there is not.
    if (!current && step % 5 != 0 && look.metrics.horizontalAdvance(QString::number(step)) > cell.width() - 6)
      continue;
    QFont face = look.font;
    face.setBold(current);
    painter.setFont(face);
    painter.setPen(current ? look.theme.text() : look.theme.dimText());
    painter.drawText(QRectF(cell.left() - 10, 4, cell.width() + 20, headHeight() - 8), Qt::AlignCenter,
                     QString::number(step));
  }
  painter.setFont(look.font);
}

void LanesView::paintCell(QPainter& painter, const QRectF& cell, const LaneCell& work, const Lane& lane,
                          const Look& look) const {
  const RequestStyle style = requestStyle(lane.request);
  const QColor colour = look.theme.request(style.colourIndex);
  const QRectF box = cell.adjusted(2, 5, -2, -5);
  switch (work.kind) {
    case LaneKind::kNone:
    case LaneKind::kFinished:
      break;
    case LaneKind::kWaiting:
      painter.setPen(QPen(look.theme.dimText(), 1.6, Qt::DotLine));
      painter.drawLine(QPointF(box.left() + 2, box.center().y()), QPointF(box.right() - 2, box.center().y()));
      break;
    case LaneKind::kPrefill: {
      fillHatched(painter, box, colour, style.hatch);
      const QString count = QString::number(work.tokens);
      if (look.metrics.horizontalAdvance(count) > box.width()) break;
      const QColor ink = Theme::inkOn(colour);
      painter.setPen(ink);
      painter.drawText(box, Qt::AlignCenter, count);
      break;
    }
    case LaneKind::kDecode:
      fillHatched(painter, QRectF(box.left(), box.center().y() - 5, box.width(), 10), colour, style.hatch, 5);
      break;
    case LaneKind::kPreempted: {
      painter.setPen(QPen(look.theme.warning(), 2.4, Qt::SolidLine, Qt::RoundCap));
      const QRectF cross(box.center().x() - 6, box.center().y() - 6, 12, 12);
      painter.drawLine(cross.topLeft(), cross.bottomRight());
      painter.drawLine(cross.topRight(), cross.bottomLeft());
      break;
    }
  }
  if (work.cached) {  // tokens from the prefix cache: an open box before the computed one
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(look.theme.text(), 1.6));
    painter.drawRect(box);
  }
  if (work.finished) painter.fillRect(QRectF(box.right() - 1, box.top(), 3, box.height()), look.theme.text());
}

void LanesView::paintHead(QPainter& painter, const QRect& exposed, const Look& look) const {
  const double width = headWidth();
  painter.fillRect(QRectF(look.headLeft, exposed.top(), width - 4, exposed.height()), look.theme.base());
  painter.setPen(look.theme.dimText());
  painter.drawText(QRectF(look.headLeft + 10, 4, width - 20, headHeight() - 8),
                   Qt::AlignLeft | Qt::AlignVCenter, tr("Step"));
  const auto [first, last] = lanesIn(exposed);
  for (int lane = first; lane <= last; ++lane) {
    const Lane& laneRow = m_lanes->lanes()[static_cast<std::size_t>(lane)];
    QRectF row(look.headLeft, headHeight() + lane * laneHeight(), width - 4, laneHeight());
    if (laneRow.sequence == look.selected) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(mix(look.theme.base(), look.theme.accent(), 0.22));
      painter.drawRoundedRect(row.adjusted(4, 2, -2, -2), 5, 5);
    }
    const QSizeF chip = chipSize(look.font, laneRow.letter);
    paintChip(painter, QRectF(QPointF(row.left() + 10, row.center().y() - chip.height() / 2), chip),
              laneRow.request, laneRow.letter, look.theme);
    painter.setPen(look.theme.text());
    const double left = row.left() + 10 + chip.width() + 8, room = row.right() - left - 6;
    painter.drawText(QRectF(left, row.top(), room, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     look.metrics.elidedText(laneRow.name, Qt::ElideRight, room));
  }
  const double y = headHeight() + static_cast<double>(m_lanes->lanes().size()) * laneHeight() + 6;
  painter.setPen(look.theme.dimText());
  const QString key = tr("number: prompt tokens computed · bar: one token · dots: waits · cross: preempted");
  const double room = std::max(100, viewport()->width() - 20);
  painter.drawText(QRectF(look.headLeft + 10, y, room, look.metrics.height()),
                   Qt::AlignLeft | Qt::AlignVCenter, look.metrics.elidedText(key, Qt::ElideRight, room));
}

QString LanesView::tipAt(const QPoint& content) const {
  const int lane = (content.y() - headHeight()) / laneHeight();
  if (content.y() < headHeight() || lane >= m_lanes->rowCount()) return {};
  const int x = content.x() - horizontalScrollBar()->value();
  if (x < headWidth()) return m_lanes->headerData(lane, Qt::Vertical).toString();
  const int step = m_lanes->firstStep() + (content.x() - headWidth()) / cellWidth();
  return step < m_lanes->firstStep() + m_lanes->steps() ? m_lanes->describe(lane, step) : QString();
}

void LanesView::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const QPoint point = toContent(event->pos());
  const int lane = point.y() < headHeight() ? -1 : (point.y() - headHeight()) / laneHeight();
  if (lane >= 0 && lane < m_lanes->rowCount()) {
    m_current = lane;
    emit sequenceSelected(m_lanes->lanes()[static_cast<std::size_t>(lane)].sequence);
  }
  if (event->pos().x() < headWidth()) return;
  const int step = m_lanes->firstStep() + (point.x() - headWidth()) / cellWidth();
  if (step < m_lanes->firstStep() + m_lanes->steps()) emit stepRequested(step);
}

void LanesView::keyPressEvent(QKeyEvent* event) {
  const int lanes = m_lanes->rowCount(), step = m_lanes->session()->step();
  const int last = m_lanes->firstStep() + m_lanes->steps() - 1;
  const auto walk = [&](int lane) {
    if (lanes == 0) return;
    m_current = std::clamp(lane, 0, lanes - 1);
    const QRect row = cellRect(m_current, step);
    reveal(QRect(horizontalScrollBar()->value(), row.top(), 1, row.height()));
    announce(m_lanes->describe(m_current, step));
    emit sequenceSelected(m_lanes->lanes()[static_cast<std::size_t>(m_current)].sequence);
  };
  switch (event->key()) {
    case Qt::Key_Up:
      return walk(m_current - 1);
    case Qt::Key_Down:
      return walk(m_current + 1);
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

}  // namespace vitrine
