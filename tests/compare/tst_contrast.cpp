// What two runs differ in: the shipped scenarios under one changed option each, answers compared with those
// that the engine gives back, and figures with a benchmark's of the same events.
#include "compare/contrast.h"

#include "bench/trial.h"
#include "compare/variation.h"
#include "support/tiny_engine.h"
#include "vitrine/durations.h"

#include <QTest>
#include <chrono>
#include <map>
#include <thread>

using namespace vitrine;
using namespace vitrine::compare;

namespace {

using Tokens = std::vector<TokenId>;

struct PlayedScenario {
  RunTally tally;
  std::map<std::string, std::vector<Tokens>> answers;  // by request, from the engine
  std::set<std::string> cancelled;
};

PlayedScenario play(const Scenario& scenario) {
  PlayedScenario played;
  const auto engine =
      Engine::load(scenario.engine.modelDirectory(), scenario.engine.toOptions(), played.tally);
  Timetable timetable(scenario.requests, scenario.commands);
  const auto rejected = [](std::size_t, const EngineError& error) { qFatal("%s", error.what()); };
  for (timetable.serve(*engine, rejected); engine->hasWork(); timetable.serve(*engine, rejected)) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(timetable.restNs(*engine)));
    engine->step();
    timetable.stepped();
  }
  for (std::size_t i = 0; i < scenario.requests.size(); ++i) {
    const RequestResult result = engine->takeResult(timetable.idOf(i));
    for (const SequenceResult& sequence : result.sequences) {
      played.answers[result.name].push_back(sequence.tokenIds);
      if (sequence.reason == FinishReason::kCancelled) played.cancelled.insert(result.name);
    }
  }
  return played;
}

bool beginsAlike(const std::vector<Tokens>& one, const std::vector<Tokens>& other) {
  for (std::size_t i = 0; i < std::min(one.size(), other.size()); ++i)
    if (const auto [a, b] = std::ranges::mismatch(one[i], other[i]); a != one[i].end() && b != other[i].end())
      return false;
  return true;
}

// As the engine's results have it: whole answers are equal, and cancelled ones begin alike.
bool sameResults(const PlayedScenario& one, const PlayedScenario& other) {
  for (const auto& [name, answers] : one.answers) {
    const bool cut = one.cancelled.contains(name) || other.cancelled.contains(name);
    if (cut ? !beginsAlike(answers, other.answers.at(name)) : answers != other.answers.at(name)) return false;
  }
  return true;
}

void compareRuns(const Scenario& scenario, const Variation& variation, const PlayedScenario& one) {
  const Scenario changed = varied(scenario, variation);
  const PlayedScenario other = play(changed);
  const SameAnswers answers = sameAnswers(one.tally, other.tally);
  const std::string text = scenario.name + " " + variationToText(variation);
  QVERIFY2(answers.complete && answers.tokens > 0, text.c_str());
  QVERIFY2(answers.areSame() == sameResults(one, other), text.c_str());
  QVERIFY2(haveSameRequests(one.tally, other.tally), text.c_str());
  QCOMPARE(sameAnswers(other.tally, one.tally).areSame(), answers.areSame());
  if (!mayChangeAnswers(scenario.engine.options, changed.engine.options))
    QVERIFY2(answers.areSame(), text.c_str());
  if (!answers.first) return;
  // The token named is the first that differs.
  const AnswerDifference& at = *answers.first;
  const Tokens& here = one.tally.answers().at({at.request, 0, at.answer}).tokens;
  const Tokens& there = other.tally.answers().at({at.request, 0, at.answer}).tokens;
  const auto before = static_cast<std::size_t>(at.token - 1);
  QVERIFY(std::ranges::equal(std::span(here).first(before), std::span(there).first(before)));
  QVERIFY(here.size() <= before || there.size() <= before || here[before] != there[before]);
}

RunTally tallyOfTiny(const EngineOptions& options, const std::vector<Request>& requests) {
  RunTally tally;
  const auto engine = tinyModel().engine(options, tally);
  for (const Request& request : requests) engine->submit(request);
  engine->run();
  return tally;
}

std::vector<Request> threeRequests() {
  std::vector<Request> requests(3);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].name = std::string(1, static_cast<char>('A' + i));
    for (int k = 0; k < 9; ++k) requests[i].tokenIds.push_back(8 + k + static_cast<int>(i));
    requests[i].maxTokens = 14;
    requests[i].ignoreEos = true;
  }
  return requests;
}

const ContrastRow* rowOf(const std::vector<ContrastRow>& rows, ContrastFigure figure) {
  const auto found = std::ranges::find(rows, figure, &ContrastRow::figure);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

class TestContrast : public QObject {
  Q_OBJECT

 private slots:
  void aScenarioUnderOneChange_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("which");
    int which = 0;
    for (const std::string& name : shippedScenarioNames())
      QTest::newRow(name.c_str()) << QString::fromStdString(name) << which++;
  }
  // Each scenario has another one of its usual changes.
  void aScenarioUnderOneChange() {
    QFETCH(QString, name);
    QFETCH(int, which);
    const Scenario scenario = readScenario(name.toStdString());
    const std::vector<Variation> usual = usualVariations(scenario);
    QVERIFY(usual.size() >= 5);
    const PlayedScenario one = play(scenario);
    compareRuns(scenario, usual[static_cast<std::size_t>(which) % usual.size()], one);
  }

  void oneScenarioUnderEveryChange() {
    const Scenario scenario = readScenario("preemption-recompute");
    const PlayedScenario one = play(scenario);
    for (const Variation& variation : usualVariations(scenario)) {
      compareRuns(scenario, variation, one);
      if (QTest::currentTestFailed()) return;
    }
  }

  // Weights of eight bits write something else sooner or later, and that is said.
  void weightsOfEightBits() {
    const Scenario scenario = readScenario("preemption-recompute");
    const Scenario changed = varied(scenario, variationFromText("weights=int8"));
    QVERIFY(mayChangeAnswers(scenario.engine.options, changed.engine.options));
    const PlayedScenario one = play(scenario), other = play(changed);
    QCOMPARE(sameAnswers(one.tally, other.tally).areSame(), sameResults(one, other));
    QVERIFY(!sameResults(one, other));
  }

  void recomputeAgainstSwap() {
    const PlayedScenario one = play(readScenario("preemption-recompute"));
    const PlayedScenario other = play(readScenario("preemption-swap"));
    const auto rows = contrastOf(one.tally, other.tally);
    QVERIFY(std::ranges::is_sorted(rows, {}, &ContrastRow::figure));
    const ContrastRow* const again = rowOf(rows, ContrastFigure::kRecomputed);
    QVERIFY(again != nullptr && *again->one > 0 && *again->other == 0);
    QCOMPARE(again->better, ContrastSide::kOther);
    QVERIFY(!again->ratio());
    const ContrastRow* const moved = rowOf(rows, ContrastFigure::kSwappedBytes);
    QVERIFY(moved != nullptr && *moved->one == 0 && *moved->other > 0);
    QCOMPARE(moved->better, ContrastSide::kOne);
    QVERIFY(rowOf(rows, ContrastFigure::kCached) == nullptr);      // zero on both sides
    QVERIFY(rowOf(rows, ContrastFigure::kAcceptance) == nullptr);  // neither drafts
    QCOMPARE(rowOf(rows, ContrastFigure::kBlocksAtMost)->one.value(), 10.0);
    QVERIFY(sameAnswers(one.tally, other.tally).areSame());
    // What was preempted comes back sooner or later.
    const std::optional<int> step = firstDifference(one.tally, other.tally);
    QVERIFY(step && *step > 1 && *step <= one.tally.totals().steps);
  }

  void figuresAreThoseOfABenchmark() {
    for (int atOnce = 1; atOnce <= 4; ++atOnce) {
      cli::Meter meter;
      RunTally tally;
      meter.onEvent = [&](const Event& event) { tally.publish(event); };
      EngineOptions options = tinyOptions(14, 4, 16);
      const auto engine = tinyModel().engine(options, meter);
      const auto requests = cli::syntheticRequests(engine->description().model, {8, 12, 11, 3}, atOnce);
      const cli::Trial trial = meter.run(*engine, requests, atOnce);
      const auto figure = [&](ContrastFigure which) { return figureOf(tally, which).value(); };
      const auto isNear = [](double one, double other) { return std::abs(one - other) <= 1e-9 * other; };
      QVERIFY(isNear(figure(ContrastFigure::kTokensPerSecond), trial.tokensPerSecond()));
      QVERIFY(isNear(figure(ContrastFigure::kTtftP50), percentile(trial.ttftMs(), 0.5)));
      QVERIFY(isNear(figure(ContrastFigure::kItlP50), percentile(trial.itlMs(), 0.5)));
      QVERIFY(isNear(figure(ContrastFigure::kItlP95), percentile(trial.itlMs(), 0.95)));
      QVERIFY(isNear(tally.statistics().itl().percentileNs(0.99) / 1e6, percentile(trial.itlMs(), 0.99)));
      QVERIFY(isNear(figure(ContrastFigure::kEndToEndP50), percentile(trial.endToEndMs(), 0.5)));
      std::size_t written = 0, tallied = 0;
      for (const Tokens& answer : trial.answers) written += answer.size();
      for (const auto& [key, answer] : tally.answers()) tallied += answer.tokens.size();
      QCOMPARE(tallied, written);
      QVERIFY(written > 0);
    }
  }

  void theSecondRunIsLonger() {
    const auto requests = threeRequests();
    const RunTally one = tallyOfTiny(tinyOptions(32, 4, 64), requests);
    EngineOptions options = tinyOptions(32, 4, 64);
    options.batching = Batching::kSequential;
    const RunTally other = tallyOfTiny(options, requests);
    const auto rows = contrastOf(one, other);
    const ContrastRow* const steps = rowOf(rows, ContrastFigure::kSteps);
    QVERIFY(steps != nullptr && *steps->other > *steps->one);
    QCOMPARE(steps->better, ContrastSide::kOne);
    QVERIFY(*steps->ratio() > 1);
    QCOMPARE(firstDifference(one, other).value(), 1);
    QVERIFY(sameAnswers(one, other).areSame());
    const ContrastRow* const waits = rowOf(rows, ContrastFigure::kWaitSteps);
    QVERIFY(waits != nullptr && *waits->one == 0 && *waits->other > 0 && !waits->ratio());
    QVERIFY(contrastOf(RunTally(), RunTally()).empty());
  }

  // One token of one answer.
  void aShorterAnswer() {
    auto requests = threeRequests();
    const RunTally one = tallyOfTiny(tinyOptions(), requests);
    requests[1].maxTokens = 6;
    const RunTally other = tallyOfTiny(tinyOptions(), requests);
    const SameAnswers answers = sameAnswers(one, other);
    QCOMPARE(answers.first.value(), (AnswerDifference{"B", 0, 7}));
    QCOMPARE(answers.tokens, std::int64_t(14 + 6 + 14));
    QVERIFY(answers.complete);
    QVERIFY(!haveSameRequests(one, other));
    requests.pop_back();
    const SameAnswers missing = sameAnswers(other, tallyOfTiny(tinyOptions(), requests));
    QVERIFY(!missing.complete && missing.areSame());
    QCOMPARE(missing.tokens, std::int64_t(14 + 6));
  }

  void otherSeeds() {
    const RunTally one = tallyOfTiny(tinyOptions(), threeRequests());
    EngineOptions options = tinyOptions();
    options.seed = 4;
    QVERIFY(!haveSameRequests(one, tallyOfTiny(options, threeRequests())));
    auto requests = threeRequests();
    requests[0].sampling.temperature = 0.5;
    QVERIFY(!haveSameRequests(one, tallyOfTiny(tinyOptions(), requests)));
    QVERIFY(haveSameRequests(one, tallyOfTiny(tinyOptions(), threeRequests())));
  }

  void whichIsBetter() {
    using enum ContrastSide;
    QCOMPARE(betterOf(ContrastFigure::kTokensPerSecond, 100, 120), kOther);
    QCOMPARE(betterOf(ContrastFigure::kTokensPerSecond, 100, 103), kNeither);  // by chance
    QCOMPARE(betterOf(ContrastFigure::kItlP95, 9.8, 1.9), kOther);
    QCOMPARE(betterOf(ContrastFigure::kTtftP50, 2.1, 2.1), kNeither);
    QCOMPARE(betterOf(ContrastFigure::kSteps, 97, 98), kOne);
    QCOMPARE(betterOf(ContrastFigure::kCached, 10, 0), kOne);
    QCOMPARE(betterOf(ContrastFigure::kAcceptance, std::nullopt, 0.5), kNeither);
  }
};

QTEST_APPLESS_MAIN(TestContrast)
#include "tst_contrast.moc"
