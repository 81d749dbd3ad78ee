// How TimeAxisView paints itself: tracks, ticks, marks, cursor.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/breakpoint_list.h"
#include "widgets/time/time_axis_view.h"

namespace vitrine {

int TimeAxisView::lastOfPixel(int step) const {
  if (pitch() >= 1) return step;
  const double edge = std::floor(xOf(step)) + 1;
  const int next = static_cast<int>(std::ceil(firstShown() + (edge - area().left()) / pitch()));
  return std::max(step, next - 1);
}

void TimeAxisView::paintContent(QPainter& painter, const QRect&, const Theme& theme) const {
  const std::vector<Track> all = tracks();
  const QRectF whole = area(), steps = stepArea();
  paintCompared(painter, theme);
  const double height = (steps.top() - whole.top()) / std::max(1.0, static_cast<double>(all.size()));
  double top = whole.top();
  for (const Track& track : all) {
    const QRectF box(whole.left(), top, whole.width(), height);
    paintTrack(painter, theme, track, box);
    paintValue(painter, theme, track, box);
    top += height;
  }
  painter.setPen(theme.dimText());
  paintText(painter, QRectF(kMargin, steps.top(), whole.left(), steps.height()),
            Qt::AlignLeft | Qt::AlignVCenter, tr("step"));
  painter.save();
  painter.setClipRect(whole.adjusted(-8, -4, kMargin, 4));
  paintTicks(painter, theme);
  painter.restore();
  paintBranch(painter, theme);
  paintMarks(painter, theme);
  paintCursor(painter, theme);
}

void TimeAxisView::paintTrack(QPainter& painter, const Theme& theme, const Track& track,
                              const QRectF& box) const {
  painter.setPen(theme.dimText());
  paintText(painter, QRectF(kMargin, box.top(), box.left(), box.height()), Qt::AlignLeft | Qt::AlignVCenter,
            track.name);
  const double ground = box.bottom() - 2, room = box.height() - 5;
  const double top = track.top > 0 ? track.top : std::max(1.0, track.value(m_model->highest()));
  const auto y = [&](double value) { return ground - room * std::min(1.0, value / top); };
  const int first = std::max(session().firstStep(), static_cast<int>(std::floor(firstShown())));
  const int last = std::min(session().recording().lastFinishedStep(), stepAt(box.right()) + 1);
  QPolygonF line, part;
  for (int step = first, end = 0; step <= last; step = end + 1) {
    end = lastOfPixel(step);
    const AxisSteps sum = m_model->rangeOf(step, end);
    line << QPointF(xOf(step), y(track.value(sum)));
    if (track.part) part << QPointF(xOf(step), y(track.part(sum)));
  }
  if (line.isEmpty()) return;
  const auto closed = [ground](QPolygonF shape) {
    shape << QPointF(shape.last().x(), ground) << QPointF(shape.first().x(), ground);
    return shape;
  };
  const QColor colour = track.part ? theme.good() : track.top > 0 ? theme.dimText() : theme.accent();
  painter.save();
  painter.setClipRect(box.adjusted(-1, 0, 1, 0));
  // The line is the edge, and smooth fills cost the most.
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.base(), colour, 0.18));
  painter.drawPolygon(closed(line));
  painter.setBrush(mix(theme.base(), colour, 0.45));
  if (track.part) painter.drawPolygon(closed(part));
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(colour, 1));  // Qt draws wider ones as areas, at ten times the cost
  painter.drawPolyline(line);
  painter.restore();
}

// The track's number at the cursor, right of it. A step in progress has none yet: the number is that of the
// step before.
void TimeAxisView::paintValue(QPainter& painter, const Theme& theme, const Track& track,
                              const QRectF& box) const {
  const int finished = std::max(session().recording().lastFinishedStep(), 0);
  const double value = track.value(m_model->at(std::min(session().step(), finished)));
  const QString text = formatCount(std::llround(value));
  const double x = xOf(session().step()), width = textWidth(font(), text);
  const bool left = x + 8 + width > viewport()->width();
  const QRectF place(left ? x - 8 - width : x + 8, box.top() + 1, width + 1, box.height() - 2);
  QColor behind = theme.base();  // the number stands on its curve when the cursor is in the past
  behind.setAlphaF(0.75f);
  painter.fillRect(place, behind);
  painter.setPen(theme.text());
  paintText(painter, place, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void TimeAxisView::paintTicks(QPainter& painter, const Theme& theme) const {
  const QRectF box = stepArea();
  const double ground = box.bottom() - 2;
  painter.setPen(QPen(theme.line(), 1.5));
  painter.drawLine(QPointF(box.left(), ground), QPointF(box.right(), ground));
  const int first = std::max(session().firstStep(), static_cast<int>(std::floor(firstShown())));
  const int end = std::min(session().lastStep(), stepAt(box.right()) + 1);
  // Where several steps share a pixel, the strongest mark among them is drawn.
  for (int step = first; step <= end; step = lastOfPixel(step) + 1) {
    const StepMark mark = m_model->rangeOf(step, lastOfPixel(step)).strongest();
    const double x = pitch() >= 1 ? xOf(step) : std::floor(xOf(step));
    const double height = box.height() * (mark > StepMark::kPlain ? 0.5 : 0.28);
    painter.setPen(
        QPen(mark == StepMark::kPreempted ? theme.warning() : theme.dimText(), pitch() > 5 ? 1.6 : 1));
    painter.drawLine(QPointF(x, ground), QPointF(x, ground - height));
    if (pitch() >= 5 || mark == StepMark::kPreempted)
      paintMark(painter, theme, mark, {x, ground - height - 3});
  }
}

void TimeAxisView::paintMark(QPainter& painter, const Theme& theme, StepMark mark, const QPointF& top) const {
  switch (mark) {
    case StepMark::kArrived:
      painter.setBrush(theme.base());
      painter.drawEllipse(top, 3.2, 3.2);
      break;
    case StepMark::kFinished:
      painter.fillRect(QRectF(top.x() - 3, top.y() - 3, 6, 6), theme.dimText());
      break;
    case StepMark::kSwapped:
      painter.setBrush(theme.dimText());
      painter.drawPolygon(
          QPolygonF({top + QPointF(-4, 0), top + QPointF(0, -4), top + QPointF(4, 0), top + QPointF(0, 4)}));
      break;
    case StepMark::kPreempted:
      painter.drawLine(top + QPointF(-3.5, -3.5), top + QPointF(3.5, 3.5));
      painter.drawLine(top + QPointF(-3.5, 3.5), top + QPointF(3.5, -3.5));
      break;
    case StepMark::kNone:
    case StepMark::kPlain:
      break;
  }
}

// Where the run left another one: a fork.
void TimeAxisView::paintBranch(QPainter& painter, const Theme& theme) const {
  const QRectF box = stepArea();
  const double x = xOf(m_model->branchStep()), fork = box.center().y();
  if (m_model->branchStep() < 0 || x < box.left() - 5 || x > box.right() + kMargin) return;
  painter.setPen(QPen(theme.accent(), 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawLine(QPointF(x, box.bottom()), QPointF(x, box.top() + 2));
  painter.drawPolyline(QPolygonF({{x, fork + 4}, {x + 5, fork - 1}, {x + 5, box.top() + 2}}));
}

// Breakpoints and the moment that the machine runs to as a red dot with words, bookmarks as a flag.
void TimeAxisView::paintMarks(QPainter& painter, const Theme& theme) const {
  const QRectF box = stepArea();
  const double middle = box.top() + fontMetrics().height() / 2.0;
  const auto dot = [&](double x, bool filled, const QString& words) {
    painter.setPen(QPen(theme.breakpoint(), 1.6));
    painter.setBrush(filled ? theme.breakpoint() : theme.base());
    painter.drawEllipse(QPointF(x, middle), 4.5, 4.5);
    const double room = viewport()->width() - x - 10;
    if (words.isEmpty() || room < fontMetrics().averageCharWidth() * 4) return;
    paintText(painter, QRectF(x + 9, box.top(), room, fontMetrics().height()),
              Qt::AlignLeft | Qt::AlignVCenter, elidedText(font(), words, room));
  };
  const auto inSight = [&](double x) { return x >= box.left() - 5 && x <= box.right() + kMargin; };
  for (const auto& [step, why] : m_model->stops()) {  // a red tick where a run stopped
    const double x = xOf(step);
    if (!inSight(x)) continue;
    painter.setPen(QPen(theme.breakpoint(), 2));
    painter.drawLine(QPointF(x - 3, box.bottom() - 1), QPointF(x + 3, box.bottom() - 1));
  }
  if (const BreakpointList* list = m_model->breakpoints()) {
    for (const Breakpoint& one : list->all()) {
      const double x = xOf(one.step);
      if (one.kind == BreakKind::kStep && !one.once && inSight(x)) dot(x, one.enabled, {});
    }
    if (const auto& once = list->once()) {
      const double end = xOf(session().lastStep()) + 5 * fontMetrics().averageCharWidth();
      const double x = once->kind == BreakKind::kStep ? xOf(once->step) : end;
      dot(std::min(x, box.right() - box.width() / 4), true, tr("run to: %1").arg(list->textOf(*once)));
    }
  }
  if (!m_model->bookmarks()) return;
  for (const int step : m_model->bookmarks()->steps()) {
    const double x = xOf(step);
    if (!inSight(x)) continue;
    painter.setPen(QPen(theme.accent(), 1.6));
    painter.setBrush(theme.accent());
    painter.drawLine(QPointF(x, box.bottom() - 2), QPointF(x, box.top()));
    painter.drawPolygon(QPolygonF({{x, box.top()}, {x + 9, box.top() + 4}, {x, box.top() + 8}}));
  }
}

// The steps between the compared one and the one shown, and a bracket at the first and the last.
void TimeAxisView::paintCompared(QPainter& painter, const Theme& theme) const {
  if (!m_compared) return;
  const QRectF whole = area();
  const double from = std::max(xOf(std::min(*m_compared, session().step())), whole.left() - 4);
  const double to = std::min(xOf(std::max(*m_compared, session().step())), whole.right() + kMargin);
  if (to < from) return;
  const QRectF span(from, whole.top(), to - from, whole.height());
  painter.fillRect(span, mix(theme.base(), theme.accent(), 0.12));
  painter.setPen(QPen(theme.accent(), 1.6));
  const double edge = xOf(*m_compared), foot = edge <= from + 1 ? 5 : -5;
  if (edge < from - 1 || edge > to + 1) return;
  painter.drawPolyline(QPolygonF({{edge + foot, span.top()},
                                  {edge, span.top()},
                                  {edge, span.bottom() + 3},
                                  {edge + foot, span.bottom() + 3}}));
}

void TimeAxisView::paintCursor(QPainter& painter, const Theme& theme) const {
  const QRectF whole = area(), box = stepArea();
  const double x = xOf(session().step());
  if (x < whole.left() - 1 || x > viewport()->width()) return;
  painter.setPen(QPen(theme.accent(), 1.2, Qt::DashLine));
  painter.drawLine(QPointF(x, whole.top()), QPointF(x, box.top()));
  painter.setPen(QPen(theme.accent(), 2.2));
  painter.drawLine(QPointF(x, box.top() + 4), QPointF(x, box.bottom()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.accent());
  painter.drawPolygon(QPolygonF({{x - 6, box.top() - 2}, {x + 6, box.top() - 2}, {x, box.top() + 7}}));
}

}  // namespace vitrine
