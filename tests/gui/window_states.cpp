#include "gui/window_states.h"

#include <QDialog>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QTimer>
#include <utility>

#include "gui/bars/status_strip.h"
#include "gui/machine/model_loading.h"
#include "gui/machine/run_state.h"
#include "gui/parts/message_bar.h"
#include "gui/runs/run_archive.h"
#include "gui/runs/run_menu.h"
#include "gui/runs/run_to.h"
#include "gui/scenario/scenario_editor.h"
#include "gui/scenario/scenario_menu.h"
#include "widgets/chat/chat_view.h"
#include "widgets/conversation/chat_model.h"
#include "widgets/time/breakpoint_list.h"

namespace vitrine::test {

namespace {

constexpr int kStepsOfRun = 3, kMostSteps = 300;

bool openTrace(StateWindow& w) {
  w.window.open(w.files.trace());
  return w.isUnderWay();
}

bool openSomeOfTrace(StateWindow& w) {
  QEventLoop loop;
  const auto some = QObject::connect(&w.session(), &Session::stateChanged, &loop, [&] {
    if (w.mode() == MachineMode::kEmpty && w.session().recording().size() > 0) loop.quit();
  });
  QTimer::singleShot(kPatience, &loop, &QEventLoop::quit);
  const bool begun = openTrace(w);
  loop.exec();
  QObject::disconnect(some);
  return begun && w.isUnderWay() && w.session().recording().size() > 0;
}

// A busy machine may read the rest of it before the loop ends.
bool openTraceInPart(StateWindow& w) {
  for (int tries = 0; tries < 20; ++tries)
    if (openSomeOfTrace(w)) return true;
  return false;
}

bool showsTrace(StateWindow& w) {
  const bool shown = w.mode() == MachineMode::kEmpty && w.steps() > kStepsOfRun;
  if (!shown && !(openTrace(w) && w.comesToRest())) return false;
  w.session().goLive();
  w.session().goToStep(w.session().firstStep());
  return w.steps() > kStepsOfRun && !w.session().isLive();
}

bool resumes(StateWindow& w) {
  w.session().goToStep(2);
  w.window.archive().resume();
  return w.window.archive().isUnderWay();
}

bool isBranch(StateWindow& w) {
  if (w.hasRun(true) && w.isBranch()) return true;
  return resumes(w) && w.comesToRest() && w.isPaused() && w.isBranch();
}

bool holds(StateWindow& w) {
  w.window.stepPhase();
  return w.settles() && w.comesTo(MachineMode::kHeld);  // the host calls it held before it is
}
bool runs(StateWindow& w) { return w.window.run(), w.comesTo(MachineMode::kRunning); }
bool looksBack(StateWindow& w) { return w.session().goToStep(1), !w.session().isLive(); }

bool fails(StateWindow& w) {
  return w.openScenario(w.files.failing()) && w.stepTimes(1) && w.window.messages().isVisible();
}

void sendMessage(StateWindow& w) {
  QPlainTextEdit* input = w.window.panels().chat->input();
  input->setPlainText(QStringLiteral("Hello!"));
  QTest::keyClick(input, Qt::Key_Return);
}

bool chats(StateWindow& w) {
  w.tidy();
  w.window.openModel(w.files.model());
  if (!w.comesTo(MachineMode::kPaused)) return false;
  w.window.showPerspective(Perspective::kChat);
  w.window.host().setStepsPerSecond(30);
  // On a busy computer a message may go with the machine of before, or be answered between two looks.
  constexpr int kTries = 6;
  for (int tries = 0; tries < kTries; ++tries) {
    sendMessage(w);
    if (waitForMode(w.window, MachineMode::kRunning, kPatience / kTries)) return true;
  }
  return false;
}

bool messageWaits(StateWindow& w) {
  if (w.window.panels().chatModel->isAnswering()) return w.isPaused();
  const std::size_t requests = w.live().requests.size();
  sendMessage(w);
  return waitUntil([&] { return w.live().requests.size() > requests; }) && w.isPaused();
}

bool editorIsOpen(StateWindow& w) {
  w.dialogs.hush(true);
  emit w.window.findChild<ScenarioMenu*>()->editRequested();
  w.dialogs.hush(false);
  const auto* editor = w.window.findChild<ScenarioEditor*>();
  return editor && editor->isVisible();
}

bool loadFailed(StateWindow& w) {
  w.window.openModel(QStringLiteral("no/such/folder"));
  return w.comesToRest() && w.isPaused() && w.window.messages().isVisible();
}

}  // namespace

DialogAnswers::DialogAnswers() { qApp->installEventFilter(this); }

// Not before the dialog's own loop runs.
bool DialogAnswers::eventFilter(QObject* watched, QEvent* event) {
  auto* dialog = event->type() == QEvent::Show ? qobject_cast<QDialog*>(watched) : nullptr;
  if (!dialog || m_hushed) return false;
  ++m_shown;
  const Answer answer = std::exchange(m_next, {});
  QMetaObject::invokeMethod(
      dialog, [dialog, answer] { answer ? answer(*dialog) : dialog->reject(); }, Qt::QueuedConnection);
  return false;
}

StateWindow::StateWindow(const WindowFiles& opened)
    : ShownWindow(Perspective::kStep, {1024, 700}), files(opened) {
  window.bar().setStepsPerSecond(30);
  // tst_chat_models has the question before a change that ends an answer.
  window.findChild<ModelLoading*>()->setMayChange({});
}

int StateWindow::run() {
  const Recording& recording = session().recording();
  return recording.size() > 0 ? recording.event(0).run : 0;
}

bool StateWindow::isUnderWay() { return mode() == MachineMode::kLoading || window.archive().isUnderWay(); }

bool StateWindow::isAtRest() {
  return !isUnderWay() && !window.runTo().player().isPlaying() &&
         (mode() == MachineMode::kPaused || mode() == MachineMode::kEmpty);
}

void StateWindow::closeDialogs() {
  for (QDialog* dialog : window.findChildren<QDialog*>())
    if (dialog->isVisible()) dialog->reject();
  while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
}

// A call may be made before what was ordered earlier, by a held thread, or beside another call; the
// third one in a row is not.
bool StateWindow::settles() {
  bool known = true;
  for (int call = 1; known && call <= 3; ++call) {
    const Question question =
        window.host().ask([](const AskedMachine&) { return true; }, &window, [](auto) {});
    known = waitUntil([&] { return !question.isOpen(); });
  }
  return known;
}

bool StateWindow::comesToRest() {
  closeDialogs();
  for (int turn = 0; turn < 10; ++turn) {
    if (!settles()) return false;
    if (isAtRest()) return true;
    const bool rests = waitUntil([&] {
      if (mode() == MachineMode::kRunning) window.host().pause();
      window.runTo().player().stop();
      if (mode() == MachineMode::kHeld) window.host().step();
      return isAtRest();
    });
    if (!rests) return false;
  }
  return false;
}

bool StateWindow::goesOn() {
  session().goLive();
  const int before = steps();
  const bool idle = mode() == MachineMode::kEmpty || !hasWork();
  if (idle) return true;
  return stepTimes(1) && steps() == before + 1;
}

QString StateWindow::falsehood() {
  MachineView view{mode(), session().isLive(), session().canGoBack(), hasWork(),
                   window.runTo().player().isPlaying()};
  const Verbs wanted = availableVerbs(view);
  const MachineBar& bar = window.bar();
  const std::pair<const QAction*, bool> offers[] = {{bar.reset, wanted.reset},
                                                    {bar.back, wanted.back},
                                                    {bar.step, wanted.step},
                                                    {bar.phase, wanted.phase},
                                                    {bar.runPause, wanted.run || wanted.pause}};
  for (const auto& [action, can] : offers)
    if (action->isVisible() && action->isEnabled() != can)
      return QStringLiteral("%1 is offered wrongly").arg(action->text());
  const QString line = runState(mode(), window.host().nextPhase(), session()).line;
  if (window.status().modeText() != line)
    return QStringLiteral("the strip says %1").arg(window.status().modeText());
  for (const QProgressBar* progress : window.status().findChildren<QProgressBar*>())
    if (progress->isVisible()) return QStringLiteral("progress is shown, and nothing is under way");
  if (window.findChild<RunMenu*>()->resume->isEnabled() != window.archive().canResume())
    return QStringLiteral("Resume is offered wrongly");
  const QString asks = window.panels().chat->input()->placeholderText();  // with a file its own question
  const bool ready = asks.startsWith(QLatin1String("Write")) || asks.startsWith(QLatin1String("What is in"));
  return ready == (mode() == MachineMode::kPaused) ? QString() : QStringLiteral("the chat is ready wrongly");
}

bool StateWindow::openScenario(const QString& file) {
  tidy();
  window.openScenario(file);
  return comesTo(MachineMode::kPaused);
}

void StateWindow::tidy() {
  window.messages().closeAll();
  BreakpointList* const breakpoints = window.panels().breakpoints;
  while (breakpoints->rowCount() > 0) breakpoints->remove(0);
}

bool StateWindow::isBranch() { return session().engine() && session().engine()->branchStep >= 0; }

bool StateWindow::hasRun(bool orBranch) {
  tidy();
  window.showPerspective(Perspective::kStep);
  session().goLive();
  const bool there = isPaused() && window.archive().runs().name().origin == QLatin1String("long") &&
                     steps() >= kStepsOfRun && steps() < kMostSteps && hasWork() && (orBranch || !isBranch());
  return there || (openScenario(files.longRun()) && stepTimes(kStepsOfRun));
}

// A run goes on meanwhile, and may come to its end.
Unmoved Unmoved::of(StateWindow& w, bool running) {
  const bool live = w.session().isLive();
  return {running ? MachineMode::kRunning : w.mode(), w.run(), running && live ? -1 : w.session().step(),
          live};
}

std::vector<WindowState> machineStates() {
  using W = StateWindow;
  return {
      {"no model", [](W& w) { return w.comesToRest() && w.isFresh(); }, true},
      {"loading", [](W& w) { return w.window.openModel(w.files.model()), w.isUnderWay(); }, true},
      {"loading over a run", [](W& w) { return w.hasRun() && (w.window.reset(), w.isUnderWay()); }},
      {"staged", [](W& w) { return w.openScenario(w.files.longRun()); }},
      {"paused", [](W& w) { return w.hasRun(); }},
      {"inside a step", [](W& w) { return w.hasRun() && holds(w); }},
      {"running", [](W& w) { return w.hasRun() && runs(w); }},
      {"replaying", [](W& w) { return w.hasRun() && looksBack(w); }},
      {"replaying, held", [](W& w) { return w.hasRun() && holds(w) && looksBack(w); }},
      {"replaying, running", [](W& w) { return w.hasRun() && runs(w) && looksBack(w); }},
      {"finished", [](W& w) { return w.openScenario(w.files.shortRun()) && w.stepTimes(5) && !w.hasWork(); }},
      {"a load failed", [](W& w) { return w.hasRun() && loadFailed(w); }},
      {"a step failed", fails},
      {"a step failed in a run", [](W& w) { return fails(w) && runs(w); }},
      {"the editor is open", [](W& w) { return w.hasRun() && editorIsOpen(w); }},
      {"a message waits", [](W& w) { return w.hasRun() && messageWaits(w); }},
      {"a message is answered", chats},
  };
}

std::vector<WindowState> recordingStates() {
  using W = StateWindow;
  return {
      {"saving",
       [](W& w) {
         return w.hasRun() && (w.window.archive().save(w.files.path("saved.vitrine")), w.isUnderWay());
       }},
      {"opening a trace", [](W& w) { return openTrace(w); }},
      {"opening a trace over a run", [](W& w) { return w.hasRun() && openTrace(w); }},
      {"a trace in part", openTraceInPart},
      {"a trace", showsTrace},
      {"a trace's end", [](W& w) { return showsTrace(w) && (w.session().goLive(), w.session().isLive()); }},
      {"resuming", [](W& w) { return w.hasRun() && resumes(w); }},
      {"resuming a trace", [](W& w) { return showsTrace(w) && resumes(w); }},
      {"a branch", [](W& w) { return isBranch(w); }},
      {"a branch, inside a step", [](W& w) { return isBranch(w) && holds(w); }},
      {"a branch, running", [](W& w) { return isBranch(w) && runs(w); }},
  };
}

}  // namespace vitrine::test
