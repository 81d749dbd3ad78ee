#include "gui/bars/phase_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr double kPadding = 8, kGap = 2, kMark = 2;  // pixels

QString lesson(int phase) {
  switch (static_cast<Phase>(phase)) {
    case Phase::kAdmit:
      return PhaseStrip::tr("Waiting requests join the running ones, in the order of the policy.");
    case Phase::kPlan:
      return PhaseStrip::tr("The token budget is shared out: decodes first, then prefill chunks.");
    case Phase::kAllocate:
      return PhaseStrip::tr("Each token that will be computed gets a place in a KV block.");
    case Phase::kForward:
      return PhaseStrip::tr("One pass through the model computes all planned tokens.");
    case Phase::kSample:
      return PhaseStrip::tr("Each finished position gives probabilities, and a token is chosen from them.");
    case Phase::kCommit:
      return PhaseStrip::tr("New tokens are appended, full blocks registered, finished requests released.");
  }
  return {};
}

}  // namespace

PhaseStrip::PhaseStrip(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Phases of the step"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void PhaseStrip::show(const Progress& progress) {
  if (progress == m_progress) return;
  m_progress = progress;
  setAccessibleDescription(text());
  update();
}

QString PhaseStrip::words(int phase) const {
  const QString name = phaseName(static_cast<Phase>(phase));
  return m_progress[static_cast<std::size_t>(phase)] == PhaseProgress::kDone ? tr("%1 ✓").arg(name) : name;
}

QString PhaseStrip::text() const {
  QStringList parts;
  for (int phase = 0; phase < kPhaseCount; ++phase) {
    const bool present = m_progress[static_cast<std::size_t>(phase)] == PhaseProgress::kPresent;
    parts += present ? u'[' + words(phase) + u']' : words(phase);
  }
  return parts.join(QStringLiteral(" ▸ "));
}

// Of the bold name, so that no name moves when its phase is the present one.
double PhaseStrip::widthOf(int phase) const {
  return textWidth(boldened(font()), phaseName(static_cast<Phase>(phase))) + 2 * kPadding;
}

double PhaseStrip::wholeWidth() const {
  double width = -kGap;
  for (int phase = 0; phase < kPhaseCount; ++phase) width += widthOf(phase) + kGap;
  return width;
}

void PhaseStrip::setAlone(bool alone) {
  if (std::exchange(m_alone, alone) == alone) return;
  updateGeometry();
  update();
}

QSize PhaseStrip::sizeHint() const {
  if (m_alone) return minimumSizeHint();
  return {static_cast<int>(std::ceil(wholeWidth())), fontMetrics().height() + 12};
}

// Where there is less room, one phase is shown: the present one, or the last that is done.
QSize PhaseStrip::minimumSizeHint() const {
  double widest = 0;
  for (int phase = 0; phase < kPhaseCount; ++phase) widest = std::max(widest, widthOf(phase));
  return {static_cast<int>(std::ceil(widest)), fontMetrics().height() + 12};
}

int PhaseStrip::shownAlone() const {
  int last = 0;
  for (int phase = 0; phase < kPhaseCount; ++phase)
    if (m_progress[static_cast<std::size_t>(phase)] != PhaseProgress::kOpen) last = phase;
  return last;
}

std::array<QRectF, kPhaseCount> PhaseStrip::areas() const {
  std::array<QRectF, kPhaseCount> areas;  // empty: not shown
  const double top = 3, high = height() - 6.0;
  if (width() < std::floor(wholeWidth())) {
    const int alone = shownAlone();
    areas[static_cast<std::size_t>(alone)] = QRectF(0, top, widthOf(alone), high);
    return areas;
  }
  double x = 0;
  for (int phase = 0; phase < kPhaseCount; ++phase) {
    areas[static_cast<std::size_t>(phase)] = QRectF(x, top, widthOf(phase), high);
    x += widthOf(phase) + kGap;
  }
  return areas;
}

// The present phase is filled; one that is done has a line below, so that colour is not all that says it.
void PhaseStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  const std::array<QRectF, kPhaseCount> places = areas();
  for (int phase = 0; phase < kPhaseCount; ++phase) {
    const auto i = static_cast<std::size_t>(phase);
    const QRectF& area = places[i];
    if (area.isEmpty()) continue;
    const bool present = m_progress[i] == PhaseProgress::kPresent,
               done = m_progress[i] == PhaseProgress::kDone;
    if (present) drawBox(painter, area, 6, Qt::NoPen, theme.accent());
    if (done)
      painter.fillRect(
          QRectF(area.left() + kPadding, area.bottom() - kMark, area.width() - 2 * kPadding, kMark),
          theme.accent());
    painter.setFont(boldened(font(), present));
    paintText(painter, area, Qt::AlignCenter, phaseName(static_cast<Phase>(phase)),
              present ? palette().color(QPalette::HighlightedText)
              : done  ? theme.text()
                      : theme.dimText());
  }
}

void PhaseStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
}

bool PhaseStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const std::array<QRectF, kPhaseCount> places = areas();
  const auto at =
      std::ranges::find_if(places, [&](const QRectF& area) { return area.contains(help->pos()); });
  if (at == places.end()) return true;
  const auto phase = static_cast<Phase>(at - places.begin());
  QToolTip::showText(help->globalPos(), tr("%1: %2").arg(phaseName(phase), lesson(static_cast<int>(phase))),
                     this);
  return true;
}

}  // namespace vitrine

#include "moc_phase_strip.cpp"
