// Going back: any step of a recording is the machine as it was.
#include "vitrine/recording.h"

#include "events/trace_bytes.h"
#include "support/event_log.h"
#include "support/scripted_machine.h"

// The engine's headers stand first: Qt takes `slots` for itself.
#include <sys/resource.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>

using namespace vitrine;

namespace {

// 90 requests take well over two snapshot intervals.
struct Run {
  Run() : machine(test::traceOptions(), log) {
    runRandomly(machine, 5, 90, [&] { states.push_back(machine.state()); });
  }
  EventLog log;
  ScriptedMachine machine;
  std::vector<MachineState> states;  // after step 1, 2, ...
};

bool startsStep(const Event& event) { return std::holds_alternative<StepStarted>(event.body); }
bool endsStep(const Event& event) { return std::holds_alternative<StepFinished>(event.body); }

std::string textOf(std::span<const Event> events) {
  std::string text;
  for (const Event& event : events) text += eventToJson(event) + "\n";
  return text;
}

// What a recording must give, from a list of all events: those since the step before had finished.
std::vector<Event> eventsOfStep(const std::vector<Event>& all, int step) {
  std::vector<Event> own;
  for (const Event& event : all) {
    if (startsStep(event) && event.step > step) break;
    own.push_back(event);
    if (!endsStep(event)) continue;
    if (event.step == step) break;
    own.clear();
  }
  return own;
}

// The reason of each sequence that waits: the last one since its last admission.
std::map<SequenceId, SequenceWaiting> waitsAfter(const std::vector<Event>& all, int step) {
  std::map<SequenceId, SequenceWaiting> waits;
  for (const Event& event : all) {
    if (const auto* waiting = std::get_if<SequenceWaiting>(&event.body)) waits[waiting->sequence] = *waiting;
    if (const auto* admitted = std::get_if<SequenceAdmitted>(&event.body)) waits.erase(admitted->sequence);
    if (const auto* ended = std::get_if<SequenceFinished>(&event.body)) waits.erase(ended->sequence);
    if (endsStep(event) && event.step == step) break;
  }
  return waits;
}

void record(const std::vector<Event>& events, Recording& recording) {
  for (const Event& event : events) recording.append(event);
}

// Every step, every event and every way to ask for them, compared with the plain list.
void compareWithTheList(const Recording& recording, const Run& run) {
  const std::vector<Event>& all = run.log.events;
  QCOMPARE(recording.size(), static_cast<std::int64_t>(all.size()));
  for (int step = recording.lastFinishedStep(); step >= 1; --step) {
    const MachineState state = recording.stateAt(step);
    QVERIFY2(state == run.states[static_cast<std::size_t>(step - 1)], qPrintable(QString::number(step)));
    const std::vector<Event> own = eventsOfStep(all, step);
    QCOMPARE(textOf(recording.eventsOf(step)), textOf(own));
    QCOMPARE(recording.endOf(step), own.back().number + 1);
    const auto waits = waitsAfter(all, step);
    for (const auto& [id, sequence] : state.sequences) {
      QCOMPARE(sequence.wait.has_value(), waits.contains(id));
      if (!sequence.wait) continue;
      const SequenceWaiting& waiting = waits.at(id);
      QVERIFY(sequence.wait->reason == waiting.reason && sequence.wait->needed == waiting.needed &&
              sequence.wait->available == waiting.available);
    }
  }
  for (std::size_t i = 0; i < all.size(); i += 7)
    QCOMPARE(eventToJson(recording.event(static_cast<std::int64_t>(i))), eventToJson(all[i]));
  std::vector<Event> again;
  recording.forEach([&](const Event& event) { again.push_back(event); });
  QVERIFY(textOf(again) == textOf(all));
}

// No file may grow beyond so many bytes, as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    rlimit full = m_before;
    full.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &full);
  }
  ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &m_before); }

 private:
  rlimit m_before{};
};

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

  // Chunk by chunk from the first place on; nothing is copied where two ranges see the same events.
  void rangesSeeTheRecordingsOwnEvents() {
    const Run run;
    Recording recording;
    record(run.log.events, recording);
    std::vector<Event> all;
    int parts = 0;
    while (static_cast<std::int64_t>(all.size()) < recording.size()) {
      const EventRange part = recording.eventsFrom(static_cast<std::int64_t>(all.size()));
      all.insert(all.end(), part.begin(), part.end());
      ++parts;
    }
    QVERIFY(parts > 2);
    QVERIFY(textOf(all) == textOf(run.log.events));
    QVERIFY(recording.eventsFrom(recording.size()).empty());
    const int last = recording.lastStep();
    QCOMPARE(recording.eventsOf(last).data(), recording.eventsSince(last).data());
    QCOMPARE(&recording.eventsSince(last).back(), &recording.eventsFrom(recording.size() - 1).front());
    const EventRange past = recording.eventsOf(2);
    const std::string words = textOf(past);
    for (int other = 1; other <= last; other += Recording::kSnapshotInterval) recording.eventsOf(other);
    QVERIFY(textOf(past) == words);  // it keeps the chunk it looks into
  }

  void eventsOfStepsAreAllEventsInOrder() {
    const Run run;
    Recording recording;
    record(run.log.events, recording);
    std::size_t seen = 0;
    for (int step = 1; step <= recording.lastStep(); ++step) {
      const auto events = recording.eventsOf(step);
      QVERIFY(!events.empty() && endsStep(events.back()));
      for (const Event& event : events) QCOMPARE(event.number, static_cast<std::int64_t>(seen++));
    }
    for (const Event& event : recording.eventsSince(recording.lastStep()))
      if (event.number >= static_cast<std::int64_t>(seen)) ++seen;
    QCOMPARE(seen, run.log.events.size());
    const auto before = recording.eventsOf(0);
    QVERIFY(!before.empty() && !startsStep(before.back()));
    QVERIFY(startsStep(recording.eventsOf(1)[before.size()]));
    QVERIFY(recording.eventsOf(-1).empty());
    QVERIFY(recording.eventsOf(recording.lastStep() + 1).empty());
    QCOMPARE(recording.eventsSince(1).size(), run.log.events.size());
  }

  // What was put away comes back event for event, wherever it lay, and costs what it should.
  void chunksHoldWhatAPlainListHolds_data() {
    QTest::addColumn<bool>("inFile");
    QTest::newRow("in memory") << false;
    QTest::newRow("in a file") << true;
  }
  void chunksHoldWhatAPlainListHolds() {
    QFETCH(bool, inFile);
    const Run run;
    const QTemporaryDir folder;
    Recording recording(inFile ? folder.path().toStdString() : std::string());
    record(run.log.events, recording);
    compareWithTheList(recording, run);
    const Recording::Size size = recording.bytes();
    QVERIFY(recording.complaint().empty());
    QCOMPARE(size.fileBytes > 0, inFile);
    QCOMPARE(size.memoryBytes > 0, !inFile);
    // Of all steps at most the last 64 lie there as they came, and the rest takes a few bytes an event.
    const auto put = static_cast<std::int64_t>(run.log.events.size()) - size.openEvents;
    QVERIFY(put > static_cast<std::int64_t>(run.log.events.size()) / 2);
    QVERIFY2((size.fileBytes + size.memoryBytes) / put < 32,
             qPrintable(QString::number(double(size.fileBytes + size.memoryBytes) / double(put))));
    // The file has no name: nothing is left of it, however the program ends.
    QVERIFY(QDir(folder.path()).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot));
  }

  void aFullDiskLosesNothing() {
    const Run run;
    const QTemporaryDir folder;
    Recording recording(folder.path().toStdString());
    const std::size_t some = run.log.events.size() / 2;
    record({run.log.events.begin(), run.log.events.begin() + static_cast<std::ptrdiff_t>(some)}, recording);
    const std::int64_t before = recording.bytes().fileBytes;
    QVERIFY(before > 0);
    {
      const FullDisk full(static_cast<rlim_t>(before) + 10);  // the next chunk breaks off
      record({run.log.events.begin() + static_cast<std::ptrdiff_t>(some), run.log.events.end()}, recording);
    }
    QCOMPARE(recording.bytes().fileBytes, before);
    QVERIFY(recording.bytes().memoryBytes > 0);
    QVERIFY(QString::fromStdString(recording.complaint()).contains(folder.path()));
    compareWithTheList(recording, run);
  }

  void aFolderThatIsNotThereMeansMemory() {
    const Run run;
    Recording recording("/nowhere/at/all");
    record(run.log.events, recording);
    QVERIFY(!recording.complaint().empty() && recording.bytes().fileBytes == 0);
    compareWithTheList(recording, run);
  }

  // Of the past that it shares a branch stores its first chunk alone; it outlives the run that it left, and
  // neither disturbs the other.
  void aBranchSharesItsPast() {
    Run run;
    const auto call = [&run](std::int32_t number) {
      for (Event& event : run.log.events) event.run = number;
    };
    const std::int32_t left = run.log.events.front().run;
    const QTemporaryDir folder;
    auto origin = std::make_unique<Recording>(folder.path().toStdString());
    record(run.log.events, *origin);
    const std::int64_t stored = origin->bytes().fileBytes;
    const std::int64_t end = origin->endOf(origin->lastFinishedStep() * 2 / 3);
    call(7);

    Recording branch;
    branch.append(run.log.events.front());
    branch.sharePast(*origin, end);
    for (std::int64_t place = 1; place < end; ++place)
      branch.append(run.log.events[static_cast<std::size_t>(place)]);
    const std::int64_t grown = branch.bytes().fileBytes - stored;
    QVERIFY2(grown > 0 && grown < stored / 3, qPrintable(QString::number(grown)));
    record({run.log.events.begin() + end, run.log.events.end()}, branch);
    QVERIFY(branch.bytes().fileBytes > stored + grown);
    compareWithTheList(branch, run);

    call(left);
    compareWithTheList(*origin, run);
    origin.reset();
    call(7);
    compareWithTheList(branch, run);
    branch.clear();
    QCOMPARE(branch.bytes().fileBytes, std::int64_t{0});
  }

  // The trace written from a recording is the one that was written while it ran.
  void aSavedTraceIsTheOneWrittenLive() {
    const Run run;
    const QTemporaryDir folder;
    const std::filesystem::path live = folder.filePath("live").toStdString(),
                                saved = folder.filePath("saved").toStdString();
    TraceWriter writer(live), saver(saved);
    Recording recording(folder.path().toStdString());
    for (const Event& event : run.log.events) {
      writer.publish(event);
      recording.append(event);
    }
    recording.forEach([&](const Event& event) { saver.publish(event); });
    writer.finish();
    saver.finish();
    QVERIFY(test::bytesOf(live).size() > 100'000);
    QVERIFY(test::bytesOf(saved) == test::bytesOf(live));
  }

  // A snapshot that would outweigh what happens is not stored with every chunk, and nothing depends on it.
  void aHeavyMachineIsNotStoredWithEveryChunk() {
    EventLog log;
    SchedulerOptions wide = test::traceOptions();
    wide.numBlocks = 10'600;
    wide.maxSequences = 1;
    ScriptedMachine machine(wide, log);
    machine.submit({1, 2, 3}, 2000);
    machine.submit(std::vector<TokenId>(40'000, 123'456), 1);  // waits, and is in every snapshot
    std::vector<MachineState> states;
    Recording recording;
    for (int step = 1; step <= 12 * Recording::kSnapshotInterval; ++step) {
      machine.step();
      if (step % 100 == 1) states.push_back(machine.state());
    }
    record(log.events, recording);
    for (std::size_t i = states.size(); i-- > 0;)
      QVERIFY2(recording.stateAt(states[i].step) == states[i], qPrintable(QString::number(states[i].step)));
    QVERIFY(recording.stateAt(70).sequences.at(2).wait.has_value());
    QVERIFY2(recording.bytes().memoryBytes < 400'000,
             qPrintable(QString::number(recording.bytes().memoryBytes)));
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
      QCOMPARE(recording.eventsOf(kJoin + 1).back().step, kJoin + 1);
      QVERIFY(recording.eventsOf(kJoin - 1).empty());
    }
  }

  void anotherEngineBeginsAnew() {
    const Run run;
    Recording recording;
    for (const Event& event : run.log.events) recording.append(event);
    recording.append(run.log.events.front());
    QCOMPARE(recording.lastStep(), 0);
    QCOMPARE(recording.size(), std::int64_t{1});
    QVERIFY(recording.stateAt(0).requests.empty());
  }

  void aContradictionLeavesTheEventOut() {
    const Run run;
    Recording recording;
    recording.append(run.log.events.front());
    Event wrong;
    wrong.body = BlockFreed{0, 1, 0};
    QVERIFY_EXCEPTION_THROWN(recording.append(wrong), EngineError);
    QCOMPARE(recording.size(), std::int64_t{1});
  }
};

QTEST_APPLESS_MAIN(TestRecording)
#include "tst_recording.moc"
