#include "widgets/time/time_axis_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/support/formats.h"

namespace vitrine {
namespace {

constexpr int kRoomyWindow = 700, kRoomyLines = 36;  // height of a window with all tracks
constexpr int kAxisLeastLines = 24;                  // of a window with any
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

int TimeAxisView::trackCount() const {
  const QWidget* const top = window();
  const int line = fontMetrics().height(), roomy = std::max(kRoomyWindow, kRoomyLines * line);
  if (top == this || top->height() >= roomy) return 3;
  return top->height() >= kAxisLeastLines * line ? 1 : 0;
}

QSize TimeAxisView::sizeHint() const {
  const int line = fontMetrics().height(), tracks = trackCount();
  return {400, tracks > 0 ? tracks * (line + 6) + 2 * line + 12 : line + 24};
}
QSize TimeAxisView::minimumSizeHint() const { return {200, sizeHint().height()}; }

std::vector<TimeAxisView::Track> TimeAxisView::tracks() const {
  const auto rate = [](const AxisSteps& step) { return static_cast<double>(step.tokensPerSecond); };
  const auto decode = [](const AxisSteps& step) { return static_cast<double>(step.decodeTokens); };
  const auto batch = [](const AxisSteps& step) {
    return static_cast<double>(step.decodeTokens + step.prefillTokens);
  };
  const auto blocks = [](const AxisSteps& step) { return static_cast<double>(step.usedBlocks); };
  const Track used{tr("blocks"), blocks, nullptr, static_cast<double>(m_model->numBlocks())};
  if (trackCount() == 0) return {};
  if (trackCount() == 1) return {used};
  return {{tr("tok/s"), rate, nullptr}, {tr("batch tokens"), batch, decode}, used};
}

// As wide as the longest label, whichever tracks are in sight, so that folding moves no tick. Each tick asks
// for it, so it is measured once a font.
double TimeAxisView::labelWidth() const {
  if (m_labelWidth > 0 && m_labelFont == font()) return m_labelWidth;
  m_labelFont = font();
  double& width = m_labelWidth = 0;
  for (const QString& label : {tr("tok/s"), tr("batch tokens"), tr("blocks"), tr("step")})
    width = std::max(width, fontMetrics().horizontalAdvance(label) + 2 * kMargin);
  return width;
}

QRectF TimeAxisView::area() const {
  const double left = labelWidth(), right = viewport()->width() - 2 * kMargin;
  return {left, 4, std::max(20.0, right - left), viewport()->height() - 8.0};
}

QRectF TimeAxisView::stepArea() const {
  const QRectF whole = area();
  const double height = std::min(2.0 * fontMetrics().height(), whole.height());
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

double TimeAxisView::xOf(int step) const { return area().left() + (step - firstShown()) * pitch(); }

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

// The height follows the window's, since two tracks fold away in a low one.
void TimeAxisView::showEvent(QShowEvent* event) {
  PaintedView::showEvent(event);
  window()->installEventFilter(this);
  updateGeometry();
}

bool TimeAxisView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == window() && event->type() == QEvent::Resize) updateGeometry();
  return PaintedView::eventFilter(watched, event);
}

}  // namespace vitrine

#include "moc_time_axis_view.cpp"
