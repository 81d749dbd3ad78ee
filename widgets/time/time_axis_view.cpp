#include "widgets/time/time_axis_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/time/bookmarks.h"
#include "widgets/time/breakpoint_list.h"

namespace vitrine {
namespace {

constexpr int kBlocksLines = 24;     // height of a window with the blocks above the steps
constexpr double kWidestPitch = 18;  // a short run's, so that the first ticks do not move as the run grows

}  // namespace

TimeAxisView::TimeAxisView(TimeAxisModel* model, QWidget* parent)
    : PaintedView(model, parent), m_model(model) {
  setAccessibleName(tr("Timeline"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(model->session(), &Session::cursorChanged, this, [this] {
    if (!isVisible()) return;
    contentChanged();
    paintInTurn();
  });
}

bool TimeAxisView::showsBlocks() const {
  return window() == this || window()->height() >= kBlocksLines * fontMetrics().height();
}

// With letters of 15 pixels the bar that has the axis is 64 pixels high.
QSize TimeAxisView::sizeHint() const {
  const int line = fontMetrics().height();
  return {400, showsBlocks() ? 5 * line / 2 + 6 : line + 16};
}

// As wide as the longer label, whether the blocks are in sight or not, so that folding moves no tick. Each
// tick asks for it, so it is measured once a font.
double TimeAxisView::labelWidth() const {
  if (m_labelWidth > 0 && m_labelFont == font()) return m_labelWidth;
  m_labelFont = font();
  double& width = m_labelWidth = 0;
  for (const QString& label : {tr("blocks"), tr("step")})
    width = std::max(width, fontMetrics().horizontalAdvance(label) + 2 * kMargin);
  return width;
}

QRectF TimeAxisView::area() const {
  const double left = labelWidth(), right = viewport()->width() - 2 * kMargin;
  return {left, 4, std::max(20.0, right - left), viewport()->height() - 8.0};
}

QRectF TimeAxisView::stepArea() const {
  const QRectF whole = area();
  const double height = std::min(1.3 * fontMetrics().height(), whole.height());
  return {whole.left(), whole.bottom() - height, whole.width(), height};
}

double TimeAxisView::fitPitch() const {
  return std::min(kWidestPitch, area().width() / std::max(1, session().lastStep() - session().firstStep()));
}
double TimeAxisView::pitch() const { return std::min(kWidestPitch, fitPitch() * m_zoom); }

double TimeAxisView::firstShown() const {
  if (m_zoom <= 1) return session().firstStep();
  const double last = session().lastStep() - area().width() / pitch();
  return std::clamp(m_from, static_cast<double>(session().firstStep()),
                    std::max(last, static_cast<double>(session().firstStep())));
}

int TimeAxisView::stepAt(double x) const {
  return std::clamp(static_cast<int>(std::lround(firstShown() + (x - area().left()) / pitch())),
                    session().firstStep(), std::max(session().firstStep(), session().lastStep()));
}

void TimeAxisView::zoom(double factor, double x) {
  const double before = firstShown() + (x - area().left()) / pitch();
  m_zoom = std::clamp(m_zoom * factor, 1.0, std::max(1.0, kWidestPitch / fitPitch()));
  m_from = before - (x - area().left()) / pitch();
  viewport()->update();
}

// What the cursor shows stays in sight.
void TimeAxisView::contentChanged() {
  const QString words = tr("Step %1 of %2").arg(session().step()).arg(session().lastStep());
  announce(words);
  if (m_zoom <= 1) return;
  const double shown = area().width() / pitch(), step = session().step();
  if (step < firstShown() || step > firstShown() + shown)
    m_from = step - shown * (session().isLive() ? 1 : 0.5);
}

QString TimeAxisView::emptyText() const {
  return session().lastStep() == 0 ? tr("Every step adds a tick here; click a tick to go back to its step.")
                                   : QString();
}

QString TimeAxisView::tipAt(const QPoint& content) const {
  if (session().lastStep() == 0 || content.x() < area().left() - kMargin) return {};
  const int step = stepAt(content.x());
  const AxisSteps what = m_model->at(step);
  QStringList lines{tr("Step %1").arg(step)};
  for (const StepMark mark :
       {StepMark::kArrived, StepMark::kFinished, StepMark::kSwapped, StepMark::kPreempted})
    if (what.has(mark)) lines << stepMarkText(mark);
  lines << tr("%1, %2 prefill and %3 decode tokens, %4 blocks in use")
               .arg(formatRate(static_cast<double>(what.tokensPerSecond)), formatCount(what.prefillTokens),
                    formatCount(what.decodeTokens), formatCount(what.usedBlocks));
  if (const QString why = m_model->stopAt(step); !why.isEmpty()) lines << why;
  if (step == m_compared) lines << tr("Compared with the step shown");
  if (step == m_model->branchStep()) lines << tr("Here this run left the one before (Run, Earlier runs)");
  return lines.join(u'\n');
}

void TimeAxisView::goTo(double x) {
  if (session().lastStep() == 0) return;
  const int step = stepAt(x);
  if (step >= session().lastStep()) {
    if (!session().isLive()) emit liveRequested();
  } else if (session().isLive() || step != session().step()) {
    emit stepRequested(step);
  }
}

void TimeAxisView::setCompared(std::optional<int> step) {
  m_compared = step;
  viewport()->update();
}

void TimeAxisView::compareWith(int step) {
  if (session().lastStep() > 0)
    emit comparisonRequested(std::clamp(step, session().firstStep(), session().lastStep()));
}

void TimeAxisView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && event->modifiers() & Qt::ShiftModifier)
    compareWith(stepAt(event->position().x()));
  else if (event->button() != Qt::MiddleButton)
    goTo(event->position().x());  // a menu speaks of the step below it
}

// What the window offers for the step shown.
void TimeAxisView::addActions(QMenu& menu) { menu.addActions(actions()); }

void TimeAxisView::mouseMoveEvent(QMouseEvent* event) {
  if (!(event->buttons() & Qt::LeftButton)) return;
  if (event->modifiers() & Qt::ShiftModifier)
    compareWith(stepAt(event->position().x()));
  else
    goTo(event->position().x());
}

void TimeAxisView::wheelEvent(QWheelEvent* event) {
  if (event->angleDelta().y() != 0)
    zoom(std::pow(1.25, event->angleDelta().y() / 120.0), event->position().x());
  event->accept();
}

void TimeAxisView::keyPressEvent(QKeyEvent* event) {
  const bool left = event->key() == Qt::Key_Left;
  if (event->modifiers() == Qt::ShiftModifier && (left || event->key() == Qt::Key_Right))
    return compareWith(m_compared.value_or(session().step()) + (left ? -1 : 1));
  switch (event->key()) {
    case Qt::Key_PageUp:
    case Qt::Key_Left:
      emit backRequested();
      return;
    case Qt::Key_PageDown:
      emit forwardRequested();
      return;
    case Qt::Key_Right:  // moves in the past only: an arrow key never steps the machine
      if (!session().isLive()) emit forwardRequested();
      return;
    case Qt::Key_Home:
      emit stepRequested(session().firstStep());
      return;
    case Qt::Key_End:
      emit liveRequested();
      return;
    case Qt::Key_Plus:
    case Qt::Key_Minus:
      zoom(event->key() == Qt::Key_Plus ? 1.25 : 0.8, xOf(session().step()));
      return;
    default:
      PaintedView::keyPressEvent(event);
  }
}

// The height follows the window's, since the blocks fold away in a low one.
void TimeAxisView::showEvent(QShowEvent* event) {
  PaintedView::showEvent(event);
  window()->installEventFilter(this);
  updateGeometry();
}

bool TimeAxisView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == window() && event->type() == QEvent::Resize) updateGeometry();
  return PaintedView::eventFilter(watched, event);
}

// How TimeAxisView paints itself: blocks, ticks, marks, cursor.

int TimeAxisView::lastOfPixel(int step) const {
  if (pitch() >= 1) return step;
  const double edge = std::floor(xOf(step)) + 1;
  const int next = static_cast<int>(std::ceil(firstShown() + (edge - area().left()) / pitch()));
  return std::max(step, next - 1);
}

void TimeAxisView::paintContent(QPainter& painter, const QRect&, const Theme& theme) const {
  const QRectF whole = area(), steps = stepArea();
  paintCompared(painter, theme);
  if (showsBlocks()) {
    const QRectF box(whole.topLeft(), QPointF(whole.right(), steps.top()));
    paintBlocks(painter, theme, box);
    paintValue(painter, theme, box);
  }
  paintText(painter, QRectF(kMargin, steps.top(), whole.left(), steps.height()), kAtLeft, tr("step"),
            theme.dimText());
  painter.save();
  painter.setClipRect(whole.adjusted(-8, -4, kMargin, 4));
  paintTicks(painter, theme);
  painter.restore();
  paintBranch(painter, theme);
  paintMarks(painter, theme);
  paintCursor(painter, theme);
}

// The blocks in use, of the whole pool.
void TimeAxisView::paintBlocks(QPainter& painter, const Theme& theme, const QRectF& box) const {
  paintText(painter, QRectF(kMargin, box.top(), box.left(), box.height()), kAtLeft, tr("blocks"),
            theme.dimText());
  const double ground = box.bottom() - 2, room = box.height() - 5;
  const double top = std::max(1, m_model->numBlocks());
  const auto y = [&](int value) { return ground - room * std::min(1.0, value / top); };
  const int first = std::max(session().firstStep(), static_cast<int>(std::floor(firstShown())));
  const int last = std::min(session().recording().lastFinishedStep(), stepAt(box.right()) + 1);
  QPolygonF line;
  for (int step = first, end = 0; step <= last; step = end + 1) {
    end = lastOfPixel(step);
    line << QPointF(xOf(step), y(m_model->rangeOf(step, end).usedBlocks));
  }
  if (line.isEmpty()) return;
  QPolygonF area = line;
  area << QPointF(line.last().x(), ground) << QPointF(line.first().x(), ground);
  painter.save();
  painter.setClipRect(box.adjusted(-1, 0, 1, 0));
  // The line is the edge, and smooth fills cost the most.
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(theme.base(), theme.dimText(), 0.18));
  painter.drawPolygon(area);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme.dimText(), 1));  // Qt draws wider ones as areas, at ten times the cost
  painter.drawPolyline(line);
  painter.restore();
}

// The number of blocks at the cursor, right of it. A step in progress has none yet: the number is that of the
// step before.
void TimeAxisView::paintValue(QPainter& painter, const Theme& theme, const QRectF& box) const {
  const QString text = formatCount(m_model->at(std::max(session().finishedStep(), 0)).usedBlocks);
  const double x = xOf(session().step()), width = textWidth(font(), text);
  const bool left = x + 8 + width > viewport()->width();
  const QRectF place(left ? x - 8 - width : x + 8, box.top() + 1, width + 1, box.height() - 2);
  QColor behind = theme.base();  // the number stands on its curve when the cursor is in the past
  behind.setAlphaF(0.75f);
  painter.fillRect(place, behind);
  paintText(painter, place, kAtLeft, text, theme.text());
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
    paintText(painter, QRectF(x + 9, box.top(), room, fontMetrics().height()), kAtLeft,
              elidedText(font(), words, room));
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

#include "moc_time_axis_view.cpp"
