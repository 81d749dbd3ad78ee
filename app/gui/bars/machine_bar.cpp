#include "gui/bars/machine_bar.h"

#include <QEvent>
#include <QLabel>
#include <QLayout>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>

#include "gui/bars/machine_buttons.h"
#include "gui/bars/machine_icons.h"
#include "widgets/support/shaped_text.h"
#include "widgets/support/theme.h"

namespace vitrine {

namespace {

// The slider's stops; the last one is "as fast as it goes".
constexpr std::array<double, 9> kSpeeds = {0.5, 1, 2, 4, 8, 15, 30, 60, 0};
constexpr int kDefaultSpeed = 3;
constexpr int kMostGiven = 6;
constexpr int kChoiceLetters = 20, kFewLetters = 12;  // of the model's and the scenario's buttons

// Why a machine takes no step; empty: it does, or it says by itself what it does.
QString whyNoStep(const MachineView& machine) {
  if (machine.isOutside)
    return MachineBar::tr("This engine is another program's, which takes its steps by itself");
  if (machine.isRemote && machine.mode == MachineMode::kEmpty)
    return MachineBar::tr("This machine is watched: to step it, attach with the server's own token");
  switch (machine.mode) {
    case MachineMode::kEmpty:
      return machine.canGoBack ? MachineBar::tr("The recording is at its end: go back, or resume it")
                               : MachineBar::tr("There is no machine to run: open a model");
    case MachineMode::kLoading:
      return MachineBar::tr("The model is loading");
    case MachineMode::kPaused:
      return machine.hasWork ? QString()
                             : MachineBar::tr("Nothing is left to compute: send a message, or start again");
    case MachineMode::kRunning:
    case MachineMode::kHeld:
      break;
  }
  return {};
}

// A letter is a command where the machinery is in sight alone.
QList<QKeySequence> runKeys(bool withLetter) {
  QList<QKeySequence> keys = {Qt::Key_F5};
  if (withLetter) keys.append(Qt::Key_P);
  return keys;
}

MenuButton* menuButton(const QString& what, const QString& tip, QMenu* menu, QWidget* parent) {
  auto* button = new MenuButton(parent);
  button->setChoice(what);
  button->setAccessibleName(what);
  button->give(menu);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::NoFocus);  // the menu bar has the same menus
  button->setToolTip(tip);
  return button;
}

}  // namespace

Verbs availableVerbs(const MachineView& machine) {
  const bool there = machine.mode != MachineMode::kEmpty && machine.mode != MachineMode::kLoading;
  const bool running = machine.mode == MachineMode::kRunning;
  const bool held = machine.mode == MachineMode::kHeld;
  const bool canWork = there && !running && (machine.hasWork || held);
  const bool isRecording = machine.mode == MachineMode::kEmpty && !machine.live;
  Verbs verbs;
  verbs.reset = there && !machine.isRemote;
  verbs.back = machine.canGoBack;  // a recording needs no machine
  verbs.step = !machine.live || canWork;
  verbs.phase = verbs.step && !(machine.isRemote && machine.live);
  // A request to a paused remote engine waits, so that engine can be resumed while its queue is empty, too.
  const bool isRemotePaused = machine.isRemote && machine.mode == MachineMode::kPaused;
  verbs.run = canWork || isRemotePaused || (isRecording && !machine.plays);
  verbs.pause = running || machine.plays;
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
  setContextMenuPolicy(Qt::PreventContextMenu);  // it could be hidden for good there
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  const auto describe = [](QAction* action, const QList<QKeySequence>& keys, const QString& tip) {
    action->setShortcuts(keys);
    action->setToolTip(
        QStringLiteral("%1 (%2)").arg(tip, QKeySequence::listToString(keys, QKeySequence::NativeText)));
    action->setData(action->toolTip());
  };
  describe(reset, {Qt::CTRL | Qt::Key_F5},
           tr("Start again: empty cache, iteration 0, the first requests waiting"));
  describe(back, {Qt::SHIFT | Qt::Key_F10}, tr("Show the step before"));
  describe(step, {Qt::Key_F10}, tr("One scheduler iteration; in the past, one step forward"));
  describe(phase, {Qt::Key_F7},
           tr("One phase of a step: admit, plan, allocate, forward, sample, commit; in the past, one phase "
              "forward"));
  describe(runPause, runKeys(true), tr("One step after another until nothing is left"));
  addCommands();
  addSpeed();
  addRun();
  applyIcons();
  connect(runPause, &QAction::triggered, this, [this] {
    if (m_showsPause) {
      emit pauseRequested();
    } else {
      emit runRequested();
    }
  });
  show(MachineView{});
}

void MachineBar::addCommands() {
  addActions({reset, back});
  m_stepButton = new StepButton(this);
  m_stepButton->setDefaultAction(step);
  m_stepButton->setAutoRaise(true);
  m_stepButton->setFocusPolicy(Qt::NoFocus);  // as the other buttons: they have keys of their own
  connect(this, &QToolBar::iconSizeChanged, m_stepButton, &QToolButton::setIconSize);
  QAction* stepField = addWidget(m_stepButton);
  addActions({phase, runPause});
  m_machinery = {reset, back, stepField, phase, runPause};
  qobject_cast<QToolButton*>(widgetForAction(reset))->setAccessibleName(tr("Reset"));
}

MenuButton* MachineBar::addMenu(const QString& what, const QString& tip, QMenu* menu) {
  MenuButton* const button = menuButton(what, tip, menu, this);
  button->setToolButtonStyle(Qt::ToolButtonTextOnly);
  insertWidget(m_pillField, button);
  m_choices.append(button);
  fit();
  return button;
}

void MachineBar::addRunTo(QMenu* menu) {
  m_runToButton = menuButton(tr("Run to…"), tr("Run to the next preemption, token, step, ..."), menu, this);
  m_runToButton->setObjectName(QStringLiteral("runTo"));
  m_machinery.append(insertWidget(m_speedBegins, m_runToButton));
  show(m_machine);
}

void MachineBar::addLeave(QAction* leave) {
  m_leave = leave;
  addAction(leave);
  connect(leave, &QAction::visibleChanged, this, &MachineBar::fit);
  applyIcons();
}

void MachineBar::addSpeed() {
  m_speedBegins = addSeparator();
  m_machinery.append(m_speedBegins);
  auto* label = new QLabel(tr("Speed"), this);
  label->setContentsMargins(6, 0, 6, 0);
  m_speedLabel = addField(label);
  m_slider = new QSlider(Qt::Horizontal, this);
  m_slider->setRange(0, static_cast<int>(kSpeeds.size()) - 1);
  m_slider->setPageStep(1);
  m_slider->setValue(kDefaultSpeed);
  m_slider->setAccessibleName(tr("Steps per second while running"));
  m_sliderField = addField(m_slider);
  m_speedText = new QLabel(this);
  m_speedText->setContentsMargins(6, 0, 0, 0);
  m_speedField = addField(m_speedText);
  connect(m_slider, &QSlider::valueChanged, this, &MachineBar::onSpeed);
  onSpeed();
}

void MachineBar::addRun() {
  auto* spacer = new QWidget(this);
  spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(spacer);
  m_pill = new RunPill(this);
  m_pillField = addField(m_pill);
}

QAction* MachineBar::addField(QWidget* widget) {
  QAction* field = addWidget(widget);
  m_machinery.append(field);
  return field;
}

void MachineBar::setMachineryVisible(bool visible) {
  m_machineryVisible = visible;
  runPause->setShortcuts(runKeys(visible));
  fit();
}

void MachineBar::showRun(const QString& state, bool calls) {
  if (m_pill->setState(state, calls)) fit();
}

void MachineBar::onSpeed() {
  const double rate = stepsPerSecond();
  const QString text = rate > 0 ? tr("%1/s").arg(QLocale().toString(rate)) : tr("Max");
  m_speedText->setText(text);
  m_slider->setToolTip(rate > 0 ? tr("%1 steps/s").arg(QLocale().toString(rate))
                                : tr("As fast as the engine goes"));
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
  const bool running = verbs.pause;
  reset->setEnabled(verbs.reset);
  back->setEnabled(verbs.back);
  step->setEnabled(verbs.step);
  phase->setEnabled(verbs.phase);
  runPause->setEnabled(verbs.run || verbs.pause);
  const QString whyNot = whyNoStep(machine);
  for (QAction* action : {step, phase, runPause})
    action->setToolTip(action->isEnabled() || whyNot.isEmpty() ? action->data().toString() : whyNot);
  if (verbs.step && !verbs.phase)
    phase->setToolTip(tr("Another program's machine takes whole steps from here"));
  enableButtons();
  runPause->setText(running ? tr("Pause") : tr("Run"));
  if (running == m_showsPause && verbs.step == m_stepButton->isLit()) return;
  m_showsPause = running;
  m_stepButton->setLit(verbs.step);
  applyIcons();
}

// Those that are not the tool bar's own: it enables a widget whenever it shows it.
void MachineBar::enableButtons() {
  const Verbs verbs = availableVerbs(m_machine);
  m_stepButton->setEnabled(verbs.step);
  if (m_runToButton) m_runToButton->setEnabled(!m_machine.isRemote && (verbs.step || verbs.pause));
}

void MachineBar::applyIcons() {
  reset->setIcon(machineIcon(MachineIcon::kReset, palette()));
  back->setIcon(machineIcon(MachineIcon::kBack, palette()));
  phase->setIcon(machineIcon(MachineIcon::kPhase, palette()));
  step->setIcon(machineIcon(MachineIcon::kStep, palette(), m_stepButton->isLit()));
  if (m_leave) m_leave->setIcon(machineIcon(MachineIcon::kLeave, palette()));
  runPause->setIcon(machineIcon(m_showsPause ? MachineIcon::kPause : MachineIcon::kRun, palette()));
}

// Otherwise buttons would hide behind the tool bar's extension arrow.
void MachineBar::fit() {
  for (int words = 0; words <= kMostGiven; ++words) {
    give(words);
    if (layout()->sizeHint().width() <= width()) break;
  }
  layout()->activate();
}

// In the order of their worth: the words beside the signs first, the speed's slider late. The status strip
// says the state of the run too.
void MachineBar::give(int words) {
  setToolButtonStyle(words > 1 ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  m_stepButton->setToolButtonStyle(words > 2 ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
  for (QAction* one : m_machinery) one->setVisible(m_machineryVisible);
  enableButtons();
  m_speedLabel->setVisible(m_machineryVisible && words < 1);
  m_speedField->setVisible(m_machineryVisible && words < 4);
  m_pillField->setVisible(m_machineryVisible && words < 5);
  m_sliderField->setVisible(m_machineryVisible && words < 6);
  for (QAction* bare : {reset, m_leave})
    if (bare) qobject_cast<QToolButton*>(widgetForAction(bare))->setToolButtonStyle(Qt::ToolButtonIconOnly);
  m_slider->setFixedWidth(fontMetrics().averageCharWidth() * (words < 3 ? 14 : 9));
  for (MenuButton* choice : m_choices) choice->setLetters(words < 2 ? kChoiceLetters : kFewLetters);
  holdRunButton();
  m_speedText->setMinimumWidth(fontMetrics().horizontalAdvance(tr("%1/s").arg(60)) + 12);
  layout()->invalidate();
}

// Of the wider of its two words, so that what follows does not move when a run begins.
void MachineBar::holdRunButton() {
  auto* button = qobject_cast<QToolButton*>(widgetForAction(runPause));
  button->setMinimumWidth(0);
  const double now = textWidth(button->font(), runPause->text());
  double widest = now;
  for (const QString& word : {tr("Run"), tr("Pause")})
    widest = std::max(widest, textWidth(button->font(), word));
  if (button->toolButtonStyle() != Qt::ToolButtonIconOnly)
    button->setMinimumWidth(button->sizeHint().width() + static_cast<int>(std::ceil(widest - now)));
}

// White as the cards, with a line below.
void MachineBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(this);
  painter.fillRect(rect(), theme.base());
  painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line());
}

void MachineBar::resizeEvent(QResizeEvent* event) {
  QToolBar::resizeEvent(event);
  fit();
}

void MachineBar::changeEvent(QEvent* event) {
  QToolBar::changeEvent(event);
  if (event->type() == QEvent::FontChange && m_slider) {
    QMetaObject::invokeMethod(this, &MachineBar::fit, Qt::QueuedConnection);  // after the buttons' own change
  }
  if (event->type() == QEvent::PaletteChange && m_slider) {
    applyIcons();
    show(m_machine);
  }
}

}  // namespace vitrine

#include "moc_machine_bar.cpp"
