#include "widgets/views/timeline_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

namespace vitrine {
namespace {

constexpr int kSide = 14;

StepMark markFor(const EventBody& body) {
  if (std::holds_alternative<SequencePreempted>(body)) return StepMark::kPreempted;
  if (std::holds_alternative<SequenceFinished>(body)) return StepMark::kFinished;
  if (bodyOf<RequestSubmitted>(body)) return StepMark::kArrived;
  if (std::holds_alternative<StepStarted>(body)) return StepMark::kPlain;
  return StepMark::kNone;
}

QString markName(StepMark mark) {
  switch (mark) {
    case StepMark::kArrived:
      return TimelineView::tr("a request arrived");
    case StepMark::kFinished:
      return TimelineView::tr("a sequence finished");
    case StepMark::kPreempted:
      return TimelineView::tr("a sequence was preempted");
    default:
      return {};
  }
}

}  // namespace

TimelineView::TimelineView(Session* session, QWidget* parent) : QWidget(parent), m_session(session) {
  setFont(readable(font()));
  setAccessibleName(tr("Timeline"));
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  connect(session, &Session::appended, this, [this](EventBatch events) {
    for (const Event& event : events) take(event);
    refresh();
  });
  connect(session, &Session::stateChanged, this, &TimelineView::refresh);
  connect(session, &Session::runStarted, this, &TimelineView::restart);
  session->recording().forEach([this](const Event& event) { take(event); });
}

void TimelineView::restart() {
  m_marks.clear();
  m_strongest.clear();
  update();
}

void TimelineView::refresh() {
  if (!isVisible()) return;
  const QString words = tr("Step %1 of %2").arg(m_session->step()).arg(m_session->lastStep());
  if (words != accessibleDescription()) setAccessibleDescription(words);
  update();
}

void TimelineView::take(const Event& event) {
  const StepMark mark = markFor(event.body);
  const int place = event.step - m_session->firstStep();
  if (mark == StepMark::kNone || place < 0) return;
  const auto raise = [mark](std::deque<StepMark>& marks, int at) {
    if (at >= static_cast<int>(marks.size())) marks.resize(static_cast<std::size_t>(at) + 1);
    StepMark& present = marks[static_cast<std::size_t>(at)];
    present = std::max(present, mark);
  };
  raise(m_marks, place);
  raise(m_strongest, place / kStretch);
}

StepMark TimelineView::strongest(int first, int last) const {
  StepMark mark = StepMark::kNone;
  const int origin = m_session->firstStep();
  for (int step = first; step <= last;) {
    const int place = step - origin;
    const bool whole = place % kStretch == 0 && step + kStretch - 1 <= last &&
                       place / kStretch < static_cast<int>(m_strongest.size());
    mark = std::max(mark, whole ? m_strongest[static_cast<std::size_t>(place / kStretch)] : markOf(step));
    step += whole ? kStretch : 1;
  }
  return mark;
}

StepMark TimelineView::markOf(int step) const {
  const int place = step - m_session->firstStep();
  return place >= 0 && place < static_cast<int>(m_marks.size()) ? m_marks[static_cast<std::size_t>(place)]
                                                                : StepMark::kNone;
}

QSize TimelineView::sizeHint() const { return {400, 2 * fontMetrics().height() + 22}; }
QSize TimelineView::minimumSizeHint() const { return {200, sizeHint().height()}; }

QRectF TimelineView::track() const {
  const double line = fontMetrics().height();
  return {kSide, line + 8, width() - 2.0 * kSide, height() - line - 16};
}

double TimelineView::xOf(int step) const {
  const int first = m_session->firstStep(), steps = std::max(1, m_session->lastStep() - first);
  // Short runs have a fixed pitch, so that the first ticks do not move as the run grows.
  const double pitch = std::min(18.0, track().width() / steps);
  return track().left() + (step - first) * pitch;
}

int TimelineView::stepAt(double x) const {
  const int first = m_session->firstStep();
  const double pitch = xOf(first + 1) - xOf(first);
  return std::clamp(first + static_cast<int>(std::lround((x - track().left()) / pitch)), first,
                    m_session->lastStep());
}

void TimelineView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  const double line = fontMetrics().height();
  const QRectF head(kSide, 4, width() - 2.0 * kSide, line);
  painter.setPen(theme.text());
  const QString where =
      m_session->isLive()
          ? tr("Live · step %1").arg(m_session->step())
          : tr("In the past · step %1 of %2").arg(m_session->step()).arg(m_session->lastStep());
  painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, where);
  painter.setPen(theme.dimText());
  const QString key = tr("○ arrived   ■ finished   ✕ preempted");
  if (fontMetrics().horizontalAdvance(where + key) + 40 < head.width()) {
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, key);
  }
  if (m_session->lastStep() == 0) {
    painter.drawText(track(), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Every step adds a tick here; click a tick to go back to its step."));
  } else {
    paintTicks(painter, theme);
    paintCursor(painter, theme);
  }
  if (hasFocus()) {
    painter.setPen(QPen(theme.accent(), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
  }
}

void TimelineView::paintTicks(QPainter& painter, const Theme& theme) const {
  const QRectF area = track();
  const double ground = area.bottom() - 2;
  painter.setPen(QPen(theme.line(), 1.5));
  painter.drawLine(QPointF(area.left(), ground), QPointF(area.right(), ground));
  const double pitch = xOf(m_session->firstStep() + 1) - xOf(m_session->firstStep());
  // Where several steps share a pixel, the strongest mark among them is drawn.
  const int begin = m_session->firstStep(), end = m_session->lastStep();
  for (int step = begin, last = 0; step <= end; step = last + 1) {
    last = step;
    if (pitch < 1) {
      const double edge = std::floor(xOf(step)) + 1;  // of the pixel
      last = std::clamp(begin + static_cast<int>(std::ceil((edge - area.left()) / pitch)) - 1, step, end);
    }
    const StepMark mark = strongest(step, last);
    const double x = pitch >= 1 ? xOf(step) : std::floor(xOf(step));
    const double height = area.height() * (mark > StepMark::kPlain ? 0.55 : 0.32);
    painter.setPen(
        QPen(mark == StepMark::kPreempted ? theme.warning() : theme.dimText(), pitch > 5 ? 1.6 : 1));
    painter.drawLine(QPointF(x, ground), QPointF(x, ground - height));
    if (pitch < 5 && mark != StepMark::kPreempted) continue;
    const QPointF top(x, ground - height - 2);
    if (mark == StepMark::kArrived) {
      painter.setBrush(theme.base());
      painter.drawEllipse(top, 3.2, 3.2);
    } else if (mark == StepMark::kFinished) {
      painter.fillRect(QRectF(top.x() - 3, top.y() - 3, 6, 6), theme.dimText());
    } else if (mark == StepMark::kPreempted) {
      painter.drawLine(top + QPointF(-3.5, -3.5), top + QPointF(3.5, 3.5));
      painter.drawLine(top + QPointF(-3.5, 3.5), top + QPointF(3.5, -3.5));
    }
  }
}

void TimelineView::paintCursor(QPainter& painter, const Theme& theme) const {
  const QRectF area = track();
  const double x = xOf(m_session->step());
  painter.setPen(QPen(theme.accent(), 2.4));
  painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme.accent());
  const QPolygonF handle({{x - 6, area.top() - 3}, {x + 6, area.top() - 3}, {x, area.top() + 6}});
  painter.drawPolygon(handle);
}

void TimelineView::goTo(double x) {
  if (m_session->lastStep() == 0) return;
  const int step = stepAt(x);
  if (step >= m_session->lastStep()) {
    if (!m_session->isLive()) emit liveRequested();
  } else if (m_session->isLive() || step != m_session->step()) {
    emit stepRequested(step);
  }
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) goTo(event->position().x());
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() & Qt::LeftButton) goTo(event->position().x());
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_PageUp:
    case Qt::Key_Left:
      emit backRequested();
      return;
    case Qt::Key_PageDown:
      emit forwardRequested();
      return;
    case Qt::Key_Right:  // moves in the past only: an arrow key never steps the machine
      if (!m_session->isLive()) emit forwardRequested();
      return;
    case Qt::Key_Home:
      emit stepRequested(m_session->firstStep());
      return;
    case Qt::Key_End:
      emit liveRequested();
      return;
    default:
      QWidget::keyPressEvent(event);
  }
}

void TimelineView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

bool TimelineView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip && m_session->lastStep() > 0) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int step = stepAt(help->pos().x());
    const QString mark = markName(markOf(step));
    QToolTip::showText(help->globalPos(),
                       mark.isEmpty() ? tr("Step %1").arg(step) : tr("Step %1: %2").arg(step).arg(mark),
                       this);
    return true;
  }
  return QWidget::event(event);
}

}  // namespace vitrine
