#include "gui/bars/phase_strip.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "gui/parts/card.h"
#include "widgets/support/formats.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

constexpr double kPadding = 10, kArrow = 22;

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

// Of the widest words that the phase can have, so that no name moves.
double PhaseStrip::widthOf(int phase) const {
  const QString name = phaseName(static_cast<Phase>(phase));
  return std::max(textWidth(font(), tr("%1 ✓").arg(name)), textWidth(boldened(font()), name)) + 2 * kPadding;
}

QSize PhaseStrip::sizeHint() const {
  double width = 12 - kArrow;
  for (int phase = 0; phase < kPhaseCount; ++phase) width += widthOf(phase) + kArrow;
  return {static_cast<int>(width), fontMetrics().height() + 12};
}

// Where there is less room the strip is drawn smaller; see paintEvent.
QSize PhaseStrip::minimumSizeHint() const { return {sizeHint().width() / 2, sizeHint().height()}; }

void PhaseStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(this);
  const double squeeze = std::min(1.0, width() / static_cast<double>(sizeHint().width()));
  double x = 6;
  for (int phase = 0; phase < kPhaseCount; ++phase) {
    const QRectF area(x, 2, widthOf(phase) * squeeze, height() - 4.0);
    const PhaseProgress progress = m_progress[static_cast<std::size_t>(phase)];
    const bool present = progress == PhaseProgress::kPresent;
    QFont face = font();
    face.setBold(present);
    if (present) paintPill(painter, area, theme.accent());
    painter.setFont(face);
    painter.setPen(present                            ? palette().color(QPalette::HighlightedText)
                   : progress == PhaseProgress::kDone ? theme.text()
                                                      : theme.dimText());
    // The colour says that a phase is done, too, so the tick goes before a name is cut.
    const bool fits = textWidth(face, words(phase)) <= area.width();
    const QString shown = fits ? words(phase) : phaseName(static_cast<Phase>(phase));
    paintText(painter, area, Qt::AlignCenter, elidedText(face, shown, area.width()));
    x = area.right() + kArrow * squeeze;
    if (phase + 1 == kPhaseCount) break;
    painter.setFont(font());
    painter.setPen(theme.dimText());
    paintText(painter, QRectF(area.right(), 2, kArrow * squeeze, height() - 4.0), Qt::AlignCenter,
              QStringLiteral("▸"));
  }
}

void PhaseStrip::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
}

bool PhaseStrip::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const double squeeze = std::min(1.0, width() / static_cast<double>(sizeHint().width()));
  double right = 6;
  for (int phase = 0; phase < kPhaseCount; ++phase) {
    right += (widthOf(phase) + kArrow) * squeeze;
    if (help->pos().x() > right) continue;
    QToolTip::showText(help->globalPos(),
                       tr("%1: %2").arg(phaseName(static_cast<Phase>(phase)), lesson(phase)), this);
    break;
  }
  return true;
}

}  // namespace vitrine

#include "moc_phase_strip.cpp"
