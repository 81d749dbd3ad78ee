// Sampling detail of a sequence: the latest one up to the cursor, read from the recording.
#include <QTest>

#include "support/word_machine.h"
#include "widgets/session/candidate_index.h"

using namespace vitrine;
using test::WordMachine;

namespace {

struct Run {
  Recording recording;
  CandidateIndex index;

  void take(std::vector<Event> events) {
    for (Event& event : events)
      if (const Event* kept = recording.append(std::move(event))) index.note(*kept);
  }
  int positionAt(SequenceId sequence, std::optional<int> cursor) {
    const auto found = index.find(sequence, cursor, recording);
    return found ? found->position : -1;
  }
};

}  // namespace

class TestCandidateIndex : public QObject {
  Q_OBJECT
 private slots:
  void theLatestUpToTheCursor() {
    Run run;
    WordMachine machine(16, 8);
    machine.submit("one", 5, 6);
    machine.run();
    run.take(machine.take());
    QCOMPARE(run.positionAt(1, std::nullopt), 10);
    for (int step = 1; step <= 6; ++step) QCOMPARE(run.positionAt(1, step), 4 + step);
    for (int step = 0; step <= 6; ++step) QCOMPARE(run.index.stepOf(1, step), step);
    QCOMPARE(run.index.stepOf(1, std::nullopt), 6);
    QCOMPARE(run.index.stepOf(2, std::nullopt), 0);
    QCOMPARE(run.positionAt(1, 0), -1);
    QCOMPARE(run.positionAt(2, std::nullopt), -1);
  }

  // Several views ask in turn; a second sequence must not get the first one's answer, nor an old step's.
  void nothingIsRememberedTooLong() {
    Run run;
    WordMachine machine(16, 8);
    machine.submit("one", 5, 6);
    machine.submit("two", 3, 6);
    for (int step = 1; step <= 3; ++step) {
      machine.step();
      run.take(machine.take());
      QCOMPARE(run.positionAt(1, std::nullopt), 4 + step);
      QCOMPARE(run.positionAt(2, std::nullopt), 2 + step);
    }
    run.index.clear();
    QCOMPARE(run.positionAt(1, std::nullopt), -1);
  }
};

QTEST_GUILESS_MAIN(TestCandidateIndex)
#include "tst_candidate_index.moc"
