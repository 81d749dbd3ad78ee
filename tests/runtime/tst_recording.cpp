// Going back: any step of a recording is the machine as it was.
#include "vitrine/recording.h"

#include "support/event_log.h"
#include "support/scripted_machine.h"

#include <QTest>

using namespace vitrine;

namespace {

SchedulerOptions options() {
  SchedulerOptions tiny;
  tiny.blockSize = 4;
  tiny.numBlocks = 9;
  tiny.tokenBudget = 6;
  tiny.maxSequences = 4;
  return tiny;
}

// 90 requests take well over two snapshot intervals.
struct Run {
  Run() : machine(options(), log) {
    runRandomly(machine, 5, 90, [&] { states.push_back(machine.state()); });
  }
  EventLog log;
  ScriptedMachine machine;
  std::vector<MachineState> states;  // after step 1, 2, ...
};

bool startsStep(const Event& event) { return std::holds_alternative<StepStarted>(event.body); }

}  // namespace

class TestRecording : public QObject {
  Q_OBJECT

 private slots:
  void anyStepIsTheMachineAsItWas() {
    const Run run;
    QVERIFY(run.states.size() > 2 * Recording::kSnapshotInterval);
    Recording recording;
    QCOMPARE(recording.lastStep(), 0);
    QVERIFY(recording.stateAt(0) == MachineState());
    for (const Event& event : run.log.events) recording.append(event);
    QCOMPARE(recording.firstStep(), 0);
    QCOMPARE(recording.lastFinishedStep(), static_cast<int>(run.states.size()));
    for (int step = recording.lastFinishedStep(); step >= 1; --step)  // backwards, as a user goes
      QVERIFY2(recording.stateAt(step) == run.states[static_cast<std::size_t>(step - 1)],
               qPrintable(QString::number(step)));
    QVERIFY(recording.live() == run.machine.state());
    const MachineState beginning = recording.stateAt(0);
    QCOMPARE(beginning.step, 0);
    QVERIFY(!beginning.waiting.empty() && beginning.running.empty());
  }

  void eventsOfStepsAreAllEventsInOrder() {
    const Run run;
    Recording recording;
    for (const Event& event : run.log.events) recording.append(event);
    std::size_t seen = 0;
    for (int step = 0; step <= recording.lastStep(); ++step) {
      const auto events = recording.eventsOf(step);
      QVERIFY(!events.empty());
      QCOMPARE(startsStep(events.front()), step > 0);
      for (const Event& event : events) QCOMPARE(event.number, static_cast<std::int64_t>(seen++));
    }
    QCOMPARE(seen, run.log.events.size());
    QVERIFY(recording.eventsOf(-1).empty());
    QVERIFY(recording.eventsOf(recording.lastStep() + 1).empty());
  }

  void aLateJoinerBeginsWithASnapshot() {
    const Run run;
    constexpr int kJoin = 40;
    const auto joined = std::find_if(run.log.events.begin(), run.log.events.end(), [](const Event& event) {
      return event.step == kJoin && std::holds_alternative<StepFinished>(event.body);
    });
    for (bool withLoaded : {true, false}) {
      Recording recording;
      if (withLoaded) recording.append(run.log.events.front());
      Event snapshot = *joined;
      snapshot.body = Snapshot{std::make_shared<const MachineState>(run.states[kJoin - 1])};
      recording.append(snapshot);
      for (auto event = joined + 1; event != run.log.events.end(); ++event) recording.append(*event);
      QCOMPARE(recording.firstStep(), kJoin);
      for (int step = kJoin + 1; step <= recording.lastFinishedStep(); ++step)
        QVERIFY(recording.stateAt(step) == run.states[static_cast<std::size_t>(step - 1)]);
      QCOMPARE(recording.stateAt(kJoin).step, kJoin);
      QVERIFY(startsStep(recording.eventsOf(kJoin + 1).front()));
      QVERIFY(recording.eventsOf(kJoin - 1).empty());
    }
  }

  void anotherEngineBeginsAnew() {
    const Run run;
    Recording recording;
    for (const Event& event : run.log.events) recording.append(event);
    recording.append(run.log.events.front());
    QCOMPARE(recording.lastStep(), 0);
    QCOMPARE(static_cast<int>(recording.events().size()), 1);
    QVERIFY(recording.stateAt(0).requests.empty());
  }

  void aContradictionLeavesTheEventOut() {
    const Run run;
    Recording recording;
    recording.append(run.log.events.front());
    Event wrong;
    wrong.body = BlockFreed{0, 1, 0};
    QVERIFY_EXCEPTION_THROWN(recording.append(wrong), EngineError);
    QCOMPARE(static_cast<int>(recording.events().size()), 1);
  }
};

QTEST_APPLESS_MAIN(TestRecording)
#include "tst_recording.moc"
