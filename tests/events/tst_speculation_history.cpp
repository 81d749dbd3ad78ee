// The figures of speculation up to any step: equal to those of a report that heard the events up to there.
#include <QTest>
#include <random>

#include "vitrine/speculation_history.h"

using namespace vitrine;

namespace {

using Figures = SpeculationFigures;

bool areEqual(const Figures& a, const Figures& b) {
  return a.options.drafter == b.options.drafter && a.options.draftLength == b.options.draftLength &&
         a.positions == b.positions && a.lengths == b.lengths && a.drafts == b.drafts &&
         a.draftedTokens == b.draftedTokens && a.acceptedTokens == b.acceptedTokens && a.sizes == b.sizes &&
         a.acceptance() == b.acceptance() && a.meanAcceptedLength() == b.meanAcceptedLength() &&
         a.relativeCost() == b.relativeCost() && a.speedUp() == b.speedUp() &&
         a.breakEvenAcceptance() == b.breakEvenAcceptance();
}

// A run whose drafts, fates and times are drawn at random.
class RandomRun {
 public:
  explicit RandomRun(unsigned seed) : m_random(seed) {
    EngineLoaded loaded;
    loaded.options.speculation.drafter = DraftMethod::kEarlyExit;
    say(loaded);
  }

  void step(int mostSequences) {
    ++m_step;
    const int sequences = 1 + below(mostSequences);
    const bool plain = below(6) == 0;
    StepSpeculated timed{};
    timed.sequences = timed.keptTokens = sequences;
    timed.prefillTokens = below(8) == 0 ? 9 : 0;
    timed.draftNs = plain ? 0 : below(1000);
    timed.verifyNs = 500 + below(below(20) == 0 ? 1'000'000 : 60);  // with ties, and some that were delayed
    for (SequenceId one = 1; one <= sequences && !plain; ++one) {
      if (below(9) == 0) continue;  // without a draft
      DraftVerified verified = judged(one);
      timed.draftedTokens += static_cast<int>(verified.judgements.size());
      timed.keptTokens += verified.accepted;
      say(std::move(verified));
    }
    say(timed);
  }
  void change(int draftLength) {
    OptionsChanged changed;
    changed.options.speculation.drafter = DraftMethod::kNgram;
    changed.options.speculation.draftLength = draftLength;
    say(changed);
  }

  std::vector<Event> events;

 private:
  DraftVerified judged(SequenceId sequence) {
    using enum DraftVerdict;
    DraftVerified verified;
    verified.sequence = sequence;
    const int length = 1 + below(SpeculationHistory::kMostPositions), accepted = below(length + 1);
    verified.accepted = accepted;
    for (int i = 0; i < length; ++i) {
      DraftJudgement judgement;
      judgement.verdict = i < accepted    ? (below(2) == 0 ? kSame : kWithin)
                          : i == accepted ? (below(2) == 0 ? kDiffers : kBeyond)
                                          : kUndecided;
      verified.judgements.push_back(judgement);
    }
    return verified;
  }
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  void say(EventBody body) {
    Event event;
    event.step = m_step;
    event.number = static_cast<std::int64_t>(events.size());
    event.body = std::move(body);
    events.push_back(std::move(event));
  }

  std::mt19937 m_random;
  int m_step = 0;
};

}  // namespace

class TestSpeculationHistory : public QObject {
  Q_OBJECT

 private slots:
  void equalsTheReportAtEveryStep_data() {
    QTest::addColumn<int>("sequences");
    QTest::addColumn<int>("steps");
    QTest::newRow("one sequence") << 1 << 900;
    QTest::newRow("many at once") << 24 << 500;  // several checkpoints
  }
  void equalsTheReportAtEveryStep() {
    QFETCH(int, sequences);
    QFETCH(int, steps);
    RandomRun run(static_cast<unsigned>(sequences));
    for (int i = 0; i < steps; ++i) run.step(sequences);
    SpeculationHistory history;
    for (const Event& event : run.events) history.add(event);
    SpeculationReport report;
    std::size_t next = 0;
    bool measured = false, compared = false;
    for (int step = 0; step <= steps; ++step) {
      for (; next < run.events.size() && run.events[next].step <= step; ++next) report.add(run.events[next]);
      const Figures expected = report.figures(), found = history.at(step);
      QVERIFY2(areEqual(found, expected), qPrintable(QString::number(step)));
      measured |= expected.speedUp().has_value();
      compared |= expected.speedUp() != history.at(steps).speedUp();
    }
    QVERIFY(measured && compared);  // the figures change on the way
    QVERIFY(areEqual(history.at(steps + 100), report.figures()));
  }

  // A report of the steps since then knows nothing of the drafts before.
  void otherOptionsBeginAnew() {
    RandomRun run(3);
    for (int i = 0; i < 40; ++i) run.step(3);
    run.change(7);
    for (int i = 0; i < 40; ++i) run.step(3);
    SpeculationHistory history;
    for (const Event& event : run.events) history.add(event);
    SpeculationReport before, after;
    for (const Event& event : run.events) (event.step <= 40 ? before : after).add(event);
    after.options.drafter = DraftMethod::kNgram;
    after.options.draftLength = 7;
    QVERIFY(areEqual(history.at(40), before.figures()));
    QVERIFY(areEqual(history.at(80), after.figures()));
    QVERIFY(history.at(41).drafts <= 3);
    QCOMPARE(history.firstStep(40), 0);
    QCOMPARE(history.firstStep(80), 41);
    const auto steps = history.lastSteps(44, 64);
    QVERIFY(steps.size() <= 4 && steps.front().step >= 41);
    run.change(7);  // nothing of the drafter has changed
    history.add(run.events.back());
    QVERIFY(areEqual(history.at(80), after.figures()));
  }

  void theLastStepsAreCounted() {
    RandomRun run(5);
    for (int i = 0; i < 90; ++i) run.step(4);
    SpeculationHistory history;
    for (const Event& event : run.events) history.add(event);
    std::vector<SpeculationHistory::Step> expected;
    for (const Event& event : run.events) {
      const auto* verified = std::get_if<DraftVerified>(&event.body);
      if (!verified || event.step > 70) continue;
      if (expected.empty() || expected.back().step != event.step) expected.push_back({event.step, 0, 0});
      for (const DraftJudgement& one : verified->judgements) {
        expected.back().judged += one.verdict != DraftVerdict::kUndecided ? 1 : 0;
        expected.back().accepted +=
            one.verdict == DraftVerdict::kSame || one.verdict == DraftVerdict::kWithin ? 1 : 0;
      }
    }
    expected.erase(expected.begin(), expected.end() - 32);
    QVERIFY(history.lastSteps(70, 32) == expected);
  }

  void aNewRunForgetsTheOld() {
    RandomRun run(7);
    for (int i = 0; i < 20; ++i) run.step(2);
    SpeculationHistory history;
    QCOMPARE(history.at(3).drafts, 0);
    for (const Event& event : run.events) history.add(event);
    history.add(run.events.front());
    QCOMPARE(history.at(20).drafts, 0);
    QVERIFY(history.lastSteps(20, 8).empty() && !history.at(20).speedUp());
  }
};

QTEST_APPLESS_MAIN(TestSpeculationHistory)
#include "tst_speculation_history.moc"
