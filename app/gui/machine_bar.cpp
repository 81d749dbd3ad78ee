#include "machine_bar.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QSlider>
#include <QToolButton>
#include <array>
#include <cmath>

#include "machine_icons.h"

namespace vitrine {

namespace {

// The slider's stops; the last one is "as fast as it goes".
constexpr std::array<double, 9> kSpeeds = {0.5, 1, 2, 4, 8, 15, 30, 60, 0};
constexpr int kDefaultSpeed = 3;

}  // namespace

Verbs availableVerbs(const MachineView& machine) {
  const bool there = machine.mode != MachineMode::kEmpty && machine.mode != MachineMode::kLoading;
  const bool running = machine.mode == MachineMode::kRunning;
  const bool held = machine.mode == MachineMode::kHeld;
  const bool canWork = there && !running && (machine.hasWork || held);
  Verbs verbs;
  verbs.reset = there;
  verbs.back = machine.canGoBack;  // a recording needs no machine
  verbs.step = !machine.live || canWork;
  verbs.phase = machine.live && canWork;
  verbs.run = canWork;
  verbs.pause = running;
  return verbs;
}

MachineBar::MachineBar(QWidget* parent)
    : QToolBar(tr("Machine"), parent),
      reset(new QAction(tr("Reset"), this)),
      back(new QAction(tr("Back"), this)),
      step(new QAction(tr("Step"), this)),
      phase(new QAction(tr("Phase"), this)),
      runPause(new QAction(tr("Run"), this)) {
  setObjectName(QStringLiteral("machineBar"));
  setMovable(false);
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  const auto describe = [](QAction* action, const QKeySequence& key, const QString& tip) {
    action->setShortcut(key);
    action->setToolTip(QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
  };
  describe(reset, Qt::CTRL | Qt::Key_F5,
           tr("Start again: empty cache, iteration 0, the first requests waiting"));
  describe(back, Qt::SHIFT | Qt::Key_F10, tr("Show the step before"));
  describe(step, Qt::Key_F10, tr("One scheduler iteration; in the past, one step forward"));
  describe(phase, Qt::Key_F7, tr("One phase of a step: admit, plan, allocate, forward, sample, commit"));
  describe(runPause, Qt::Key_F5, tr("One step after another until nothing is left"));
  m_machinery = {reset, back, step, phase, runPause};
  addActions(m_machinery);
  m_stepButton = qobject_cast<QToolButton*>(widgetForAction(step));
  addSpeed();
  applyIcons();
  connect(runPause, &QAction::triggered, this, [this] {
    if (m_machine.mode == MachineMode::kRunning) {
      emit pauseRequested();
    } else {
      emit runRequested();
    }
  });
  show(MachineView{});
}

void MachineBar::addSpeed() {
  m_machinery.append(addSeparator());
  auto* label = new QLabel(tr("Speed"), this);
  label->setContentsMargins(6, 0, 6, 0);
  addField(label);
  m_slider = new QSlider(Qt::Horizontal, this);
  m_slider->setRange(0, static_cast<int>(kSpeeds.size()) - 1);
  m_slider->setPageStep(1);
  m_slider->setValue(kDefaultSpeed);
  m_slider->setFixedWidth(fontMetrics().averageCharWidth() * 16);
  m_slider->setAccessibleName(tr("Steps per second while running"));
  addField(m_slider);
  m_speedText = new QLabel(this);
  m_speedText->setContentsMargins(6, 0, 0, 0);
  m_speedText->setMinimumWidth(fontMetrics().horizontalAdvance(tr("%1 steps/s").arg(60)) + 12);
  addField(m_speedText);
  connect(m_slider, &QSlider::valueChanged, this, &MachineBar::onSpeed);
  onSpeed();
}

void MachineBar::addField(QWidget* widget) { m_machinery.append(addWidget(widget)); }

void MachineBar::setMachineryVisible(bool visible) {
  for (QAction* action : m_machinery) action->setVisible(visible);
  fit();
}

void MachineBar::onSpeed() {
  const double rate = stepsPerSecond();
  const QString text = rate > 0 ? tr("%1 steps/s").arg(QLocale().toString(rate)) : tr("Max");
  m_speedText->setText(text);
  m_slider->setToolTip(rate > 0 ? text : tr("As fast as the engine goes"));
  emit speedChanged(rate);
}

double MachineBar::stepsPerSecond() const { return kSpeeds.at(static_cast<std::size_t>(m_slider->value())); }

void MachineBar::setStepsPerSecond(double rate) {
  for (std::size_t i = 0; i < kSpeeds.size(); ++i)
    if (std::abs(kSpeeds[i] - rate) < 1e-9) m_slider->setValue(static_cast<int>(i));
}

void MachineBar::show(const MachineView& machine) {
  m_machine = machine;
  const Verbs verbs = availableVerbs(machine);
  const bool running = machine.mode == MachineMode::kRunning;
  reset->setEnabled(verbs.reset);
  back->setEnabled(verbs.back);
  step->setEnabled(verbs.step);
  phase->setEnabled(verbs.phase);
  runPause->setEnabled(verbs.run || verbs.pause);
  runPause->setText(running ? tr("Pause") : tr("Run"));
  runPause->setIcon(machineIcon(running ? MachineIcon::kPause : MachineIcon::kRun, palette()));
  // The one highlighted button, for a new user's first step.
  const bool lit = verbs.step && machine.live;
  QFont font = m_stepButton->font();
  font.setBold(lit);
  m_stepButton->setFont(font);
  step->setIcon(machineIcon(MachineIcon::kStep, palette(), lit));
}

void MachineBar::applyIcons() {
  reset->setIcon(machineIcon(MachineIcon::kReset, palette()));
  back->setIcon(machineIcon(MachineIcon::kBack, palette()));
  phase->setIcon(machineIcon(MachineIcon::kPhase, palette()));
  step->setIcon(machineIcon(MachineIcon::kStep, palette()));
  runPause->setIcon(machineIcon(MachineIcon::kRun, palette()));
}

// Shows the icons alone where the words do not fit, as in the large font of a presentation. Otherwise buttons
// would hide behind the tool bar's extension arrow.
void MachineBar::fit() {
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  if (sizeHint().width() > width()) setToolButtonStyle(Qt::ToolButtonIconOnly);
}

void MachineBar::resizeEvent(QResizeEvent* event) {
  QToolBar::resizeEvent(event);
  fit();
}

void MachineBar::changeEvent(QEvent* event) {
  QToolBar::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_slider) {
    m_slider->setFixedWidth(fontMetrics().averageCharWidth() * 16);
    QMetaObject::invokeMethod(this, &MachineBar::fit, Qt::QueuedConnection);  // after the buttons' own change
  }
  if (event->type() == QEvent::PaletteChange && m_slider) {
    applyIcons();
    show(m_machine);
  }
}

}  // namespace vitrine
