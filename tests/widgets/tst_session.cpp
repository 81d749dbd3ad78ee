// The session: where events arrive, and the cursor that says which step is shown.
#include <sys/wait.h>
#include <unistd.h>

#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <csignal>
#include <cstdlib>

#include "support/word_machine.h"
#include "widgets/session/session.h"

using namespace vitrine;
using test::WordMachine;

class TestSession : public QObject {
  Q_OBJECT
 private slots:
  void emptySessionShowsNothing();
  void liveFollowsTheEnd();
  void oneChangeABatch();
  void goingBackShowsThePastExactly();
  void goingPastTheEndsIsClamped();
  void fromInsideAStepBackIsTheLastFinishedOne();
  void thePastGoesOnByPhases();
  void forwardFromTheLastStepIsLive();
  void eventsArrivingWhileLookingBackDoNotMoveTheView();
  void whatCameBetweenStepsBelongsToTheNext();
  void lifecycleIsAnnounced();
  void newRunForgetsTheOld();
  void damagedEventIsLeftOutAndSaid();
  void tokensReadAsText();
  void candidatesFollowTheCursor();
  void selectionFollowsUntilChosen();
  void lateJoinerBeginsWithASnapshot();
  void anotherThreadMayNotCallIt();
};

void TestSession::emptySessionShowsNothing() {
  Session session;
  QVERIFY(session.isLive());
  QVERIFY(!session.canGoBack() && !session.canGoForward());
  QVERIFY(session.stepEvents().empty() && session.shownEnd() == 0);
  session.goBack();
  session.goToStep(7);
  session.goForward();
  QVERIFY(session.isLive());
  QCOMPARE(session.step(), 0);
  QVERIFY(session.candidates(1) == nullptr);
  QCOMPARE(session.tokenText(1, 0), QString());
}

void TestSession::liveFollowsTheEnd() {
  WordMachine machine(16, 8);
  Session session;
  machine.submit("one", 20, 6);
  session.append(machine.take());
  QCOMPARE(session.step(), 0);
  for (int step = 1; machine.step(); ++step) {
    session.append(machine.take());
    QCOMPARE(session.step(), step);
    QVERIFY(session.state() == machine.state());
  }
}

void TestSession::oneChangeABatch() {
  WordMachine machine = test::storyMachine();
  Session session;
  QSignalSpy changes(&session, &Session::stateChanged), appended(&session, &Session::appended);
  session.append(machine.take());
  session.append({});
  QCOMPARE(changes.size(), 1);
  QCOMPARE(appended.size(), 1);
}

void TestSession::goingBackShowsThePastExactly() {
  WordMachine machine(12, 8, 32);
  Session session;
  machine.submit("one", 23, 8);
  machine.submit("two", 20, 8);
  std::vector<MachineState> states{machine.state()};
  while (machine.step()) states.push_back(machine.state());
  session.append(machine.take());
  QVERIFY(states.size() > 8);
  for (int step = static_cast<int>(states.size()) - 1; step >= 0; --step) {
    session.goToStep(step);
    QVERIFY(!session.isLive());
    QCOMPARE(session.step(), step);
    QVERIFY2(session.state() == states[static_cast<std::size_t>(step)], qPrintable(QString::number(step)));
  }
  session.goLive();
  QVERIFY(session.state() == states.back());
}

void TestSession::goingPastTheEndsIsClamped() {
  WordMachine machine = test::storyMachine();
  Session session;
  session.append(machine.take());
  session.goToStep(100000);
  QCOMPARE(session.step(), session.lastStep());
  session.goToStep(-5);
  QCOMPARE(session.step(), 0);
  QVERIFY(!session.canGoBack());
  session.goBack();
  QCOMPARE(session.step(), 0);
}

void TestSession::fromInsideAStepBackIsTheLastFinishedOne() {
  WordMachine machine(16, 8);
  machine.submit("one", 20, 6);
  machine.step();
  machine.step();
  machine.beginStep();
  Session session;
  session.append(machine.take());
  QVERIFY(session.isInsideStep());
  QCOMPARE(session.step(), 3);
  QVERIFY(session.canGoBack());
  session.goBack();
  QCOMPARE(session.step(), 2);
  session.goForward();
  QVERIFY(session.isLive());
  QCOMPARE(session.step(), 3);
}

// As a machine that is stepped by phases, which begins a step and holds before its second one.
void TestSession::thePastGoesOnByPhases() {
  WordMachine machine(16, 8);
  machine.submit("one", 20, 6);
  for (int i = 0; i < 3; ++i) machine.step();
  Session session;
  session.append(machine.take());
  session.goToStep(0);
  QVERIFY(!session.phaseAhead() && !session.isInsideStep());
  QVERIFY(!session.canGoBack());
  const std::int64_t begin = session.shownEnd();
  std::int64_t end = begin;
  for (int phase = 1; phase < kPhaseCount; ++phase) {
    session.goToNextPhase();
    QVERIFY(session.isInsideStep() && !session.isLive() && session.canGoForward());
    QVERIFY(session.phaseAhead() == static_cast<Phase>(phase));
    QCOMPARE(session.step(), 1);
    QCOMPARE(session.finishedStep(), 0);
    QVERIFY(session.shownEnd() > end);
    end = session.shownEnd();
    // The state, and the step's events, of the run as far as here.
    MachineState state;
    for (std::int64_t place = 0; place < end; ++place) state.apply(session.recording().event(place));
    QVERIFY(session.state() == state);
    QCOMPARE(session.stepEvents().back().number, session.recording().event(end - 1).number);
    QVERIFY(std::holds_alternative<PhaseStarted>(session.recording().event(end).body));
  }
  session.goToNextPhase();
  QVERIFY(!session.isInsideStep() && !session.phaseAhead());
  QCOMPARE(session.step(), 1);
  QCOMPARE(session.finishedStep(), 1);

  // From inside a step, back is the step before, and forward this one's end.
  session.goToNextPhase();
  QCOMPARE(session.step(), 2);
  session.goBack();
  QCOMPARE(session.step(), 1);
  QVERIFY(!session.isInsideStep());
  session.goToNextPhase();
  session.goForward();
  QCOMPARE(session.step(), 2);
  QVERIFY(!session.isInsideStep());
  session.goToNextPhase();
  QSignalSpy moves(&session, &Session::cursorChanged);
  session.goToStep(3);  // the same step, whole
  QCOMPARE(moves.size(), 1);
  QVERIFY(!session.isInsideStep());
  session.goToNextPhase();  // nothing is recorded behind it
  QVERIFY(session.isLive() && !session.phaseAhead());
  session.goToNextPhase();
  QCOMPARE(moves.size(), 2);

  // Events that come meanwhile move nothing, and a new run leaves no place inside a step.
  session.goToStep(1);
  session.goToNextPhase();
  const auto shown = session.stepEvents().size();
  machine.step();
  session.append(machine.take());
  QVERIFY(session.phaseAhead() == Phase::kPlan);
  QCOMPARE(session.stepEvents().size(), shown);
  session.clear();
  QVERIFY(session.isLive() && !session.phaseAhead());
}

void TestSession::forwardFromTheLastStepIsLive() {
  WordMachine machine = test::storyMachine();
  Session session;
  session.append(machine.take());
  const int last = session.lastStep();
  session.goBack();
  QCOMPARE(session.step(), last - 1);
  QVERIFY(session.canGoForward());
  session.goForward();
  QCOMPARE(session.step(), last);
  QVERIFY(!session.isLive());
  session.goForward();
  QVERIFY(session.isLive());
}

void TestSession::eventsArrivingWhileLookingBackDoNotMoveTheView() {
  WordMachine machine(16, 8);
  machine.submit("one", 20, 10);
  for (int i = 0; i < 4; ++i) machine.step();
  Session session;
  session.append(machine.take());
  session.goToStep(2);
  const MachineState shown = session.state();
  QSignalSpy changes(&session, &Session::stateChanged), appended(&session, &Session::appended);
  machine.run();
  session.append(machine.take());
  QCOMPARE(changes.size(), 0);
  QCOMPARE(appended.size(), 1);
  QVERIFY(session.state() == shown);
  QCOMPARE(session.step(), 2);
}

void TestSession::whatCameBetweenStepsBelongsToTheNext() {
  WordMachine machine(16, 8);
  machine.submit("one", 9, 10);
  machine.step();
  machine.submit("two", 9, 10);
  machine.step();
  Session session;
  session.append(machine.take());
  const auto arrivals = [&session] {
    int count = 0;
    for (const Event& event : session.stepEvents()) {
      const auto* submitted = bodyOf<RequestSubmitted>(event);
      if (submitted && submitted->request == 2) ++count;
    }
    return count;
  };
  session.goToStep(1);
  QCOMPARE(arrivals(), 0);
  QVERIFY(std::holds_alternative<StepFinished>(session.stepEvents().back().body));
  session.goToStep(2);
  QCOMPARE(arrivals(), 1);
}

void TestSession::lifecycleIsAnnounced() {
  WordMachine machine = test::storyMachine();
  machine.reject("too big");
  Session session;
  int submitted = 0, finished = 0;
  QString text;
  connect(&session, &Session::requestSubmitted, this, [&](const RequestSubmitted&) { ++submitted; });
  connect(&session, &Session::requestFinished, this, [&](const RequestFinished&) { ++finished; });
  connect(&session, &Session::textAppended, this, [&](int request, int index, const QString& more) {
    if (request == 1 && index == 0) text += more;
  });
  QSignalSpy rejected(&session, &Session::requestRejected), steps(&session, &Session::stepFinished);
  session.append(machine.take());
  QCOMPARE(submitted, 5);
  QCOMPARE(finished, 5);
  QCOMPARE(rejected.size(), 1);
  QCOMPARE(steps.size(), session.lastStep());
  QCOMPARE(text, QString::fromStdString(session.state().sequences.at(1).text));
  QVERIFY(!text.isEmpty());
}

void TestSession::newRunForgetsTheOld() {
  WordMachine first = test::storyMachine(), second(4, 16);
  second.submit("fresh", 5, 3);
  second.step();
  Session session;
  session.append(first.take());
  session.goToStep(3);
  QSignalSpy runs(&session, &Session::runStarted);
  auto events = second.take();
  for (Event& event : events) event.run = 2;
  session.append(std::move(events));
  QCOMPARE(runs.size(), 1);
  QVERIFY(session.isLive());
  QCOMPARE(session.lastStep(), 1);
  QVERIFY(session.state() == second.state());
  QCOMPARE(session.engine()->options.numBlocks, 4);
}

void TestSession::damagedEventIsLeftOutAndSaid() {
  WordMachine machine(16, 8);
  machine.submit("one", 20, 3);
  machine.step();
  Session session;
  auto events = machine.take();
  Event bad = events.back();
  bad.body = BlockFreed{3, 77, 0};
  events.push_back(bad);
  QSignalSpy damaged(&session, &Session::streamDamaged);
  session.append(std::move(events));
  QCOMPARE(damaged.size(), 1);
  QVERIFY(session.state() == machine.state());
  machine.step();
  session.append(machine.take());
  QVERIFY(session.state() == machine.state());
}

void TestSession::tokensReadAsText() {
  WordMachine machine(16, 8);
  machine.submit("one", 3, 2);
  machine.run();
  Session session;
  session.append(machine.take());
  QCOMPARE(session.tokenText(1, 0), QStringLiteral(" the"));
  QCOMPARE(session.tokenText(1, 3) + session.tokenText(1, 4),
           QString::fromStdString(session.state().sequences.at(1).text));
  QCOMPARE(session.tokenText(1, 99), QString());
  QCOMPARE(session.tokenText(1, -1), QString());
  QCOMPARE(session.tokenText(9, 0), QString());
}

void TestSession::candidatesFollowTheCursor() {
  WordMachine machine(16, 8);
  machine.submit("one", 5, 6);
  machine.run();
  Session session;
  session.append(machine.take());
  QCOMPARE(session.candidates(1)->position, 10);
  session.goToStep(0);
  QVERIFY(session.candidates(1) == nullptr);
  session.goToStep(1);
  QCOMPARE(session.candidates(1)->position, 5);
  QVERIFY(session.state().requests.at(1).ttftNs() > 0);
  session.goToStep(0);
  QCOMPARE(session.state().requests.at(1).ttftNs(), std::int64_t{0});
}

void TestSession::selectionFollowsUntilChosen() {
  WordMachine machine(16, 8);
  machine.submit("one", 5, 12);
  Session session;
  session.append(machine.take());
  QCOMPARE(session.selectedSequence(), 1);
  machine.submit("two", 5, 12);
  machine.step();
  session.append(machine.take());
  QCOMPARE(session.selectedSequence(), 2);
  session.selectSequence(1);
  machine.submit("three", 5, 12);
  machine.step();
  session.append(machine.take());
  QCOMPARE(session.selectedSequence(), 1);
}

void TestSession::lateJoinerBeginsWithASnapshot() {
  WordMachine machine(16, 8);
  machine.submit("one", 20, 12);
  for (int i = 0; i < 3; ++i) machine.step();
  machine.take();
  Event snapshot;
  snapshot.step = 3;
  snapshot.body = Snapshot{std::make_shared<const MachineState>(machine.state())};
  Session session;
  session.append({snapshot});
  QCOMPARE(session.firstStep(), 3);
  machine.step();
  session.append(machine.take());
  QVERIFY(session.state() == machine.state());
  session.goBack();
  QCOMPARE(session.step(), 3);
  QVERIFY(!session.canGoBack());
}

// The check ends the program: in a child of its own.
void TestSession::anotherThreadMayNotCallIt() {
#ifndef QT_FORCE_ASSERTS
  QSKIP("this build has no assertions");
#endif
  const pid_t child = ::fork();
  QVERIFY(child >= 0);
  if (child == 0) {
    std::signal(SIGABRT, SIG_DFL);
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    QThread other;
    Session session;
    session.moveToThread(&other);
    session.append({});
    std::_Exit(EXIT_SUCCESS);
  }
  int status = 0;
  QCOMPARE(::waitpid(child, &status, 0), child);
  QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
