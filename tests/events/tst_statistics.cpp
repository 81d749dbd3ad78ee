// Statistics of hand-made events, with the figures computed by hand, and of a whole machine.
#include "vitrine/statistics.h"

#include <QTest>
#include <memory>

#include "support/event_log.h"
#include "support/scripted_machine.h"

using namespace vitrine;

namespace {

// A run whose events come at given times.
class Run {
 public:
  Run() { at(0, EngineLoaded{}); }

  void at(std::int64_t timeNs, EventBody body) {
    Event event;
    event.timeNs = timeNs;
    event.body = std::move(body);
    statistics.add(event);
  }
  void submit(std::int64_t timeNs, RequestId request, SequenceId sequence, int promptTokens = 4) {
    RequestSubmitted submitted{};
    submitted.request = request;
    submitted.firstSequence = sequence;
    submitted.asked.tokenIds.assign(static_cast<std::size_t>(promptTokens), 1);
    at(timeNs, submitted);
  }
  void sample(std::int64_t timeNs, SequenceId sequence) {
    at(timeNs, TokenSampled{sequence, 1, 0, -1, 0, ""});
  }
  void finishStep(std::int64_t timeNs, std::int64_t forwardNs, int sampled) {
    StepFinished finished{};
    finished.phaseNs[static_cast<std::size_t>(Phase::kForward)] = forwardNs;
    finished.sampled = sampled;
    at(timeNs, finished);
  }

  Statistics statistics;
};

Durations durationsOf(const std::vector<std::int64_t>& all, std::size_t limit) {
  Durations durations(limit);
  for (std::int64_t ns : all) durations.add(ns);
  return durations;
}

}  // namespace

class TestStatistics : public QObject {
  Q_OBJECT

 private slots:
  void durationsHaveMeanLargestAndPercentiles() {
    const Durations none;
    QCOMPARE(none.count(), std::int64_t{0});
    QVERIFY(none.meanNs() == 0 && none.largestNs() == 0 && none.percentileNs(0.5) == 0);
    const Durations four = durationsOf({40, 10, 30, 20}, 8);
    QCOMPARE(four.count(), std::int64_t{4});
    QCOMPARE(four.totalNs(), 100.0);
    QCOMPARE(four.meanNs(), 25.0);
    QCOMPARE(four.largestNs(), std::int64_t{40});
    QCOMPARE(four.percentileNs(0), 10.0);
    QCOMPARE(four.percentileNs(0.5), 25.0);  // between 20 and 30
    QCOMPARE(four.percentileNs(0.9), 37.0);  // 30 + 0.7 * 10
    QCOMPARE(four.percentileNs(1), 40.0);
    QCOMPARE(four.sampleNs(), (std::vector<std::int64_t>{40, 10, 30, 20}));
    QCOMPARE(durationsOf({-5, -7}, 8).largestNs(), std::int64_t{-5});
  }

  // Beyond the limit memory stays, the exact figures stay exact, and percentiles come from a fair sample.
  void durationsBeyondTheLimitAreSampled() {
    constexpr std::int64_t kCount = 100'000;
    Durations many(1000), again(1000);
    for (std::int64_t ns = 1; ns <= kCount; ++ns) {
      many.add(ns);
      again.add(ns);
    }
    QCOMPARE(many.sampleNs().size(), std::size_t{1000});
    QCOMPARE(many.count(), kCount);
    QCOMPARE(many.meanNs(), (kCount + 1) / 2.0);
    QCOMPARE(many.largestNs(), kCount);
    QCOMPARE(many.sampleNs(), again.sampleNs());
    for (double p : {0.1, 0.5, 0.9}) {  // four standard errors of the share: 4 * sqrt(p (1 - p) / 1000)
      const double share = many.percentileNs(p) / kCount, error = 4 * std::sqrt(p * (1 - p) / 1000);
      QVERIFY2(std::abs(share - p) < error, qPrintable(QString("%1: %2").arg(p).arg(share)));
    }
  }

  void aRequestHasItsTimes() {
    Run run;
    run.submit(1'000, 1, 1);
    QCOMPARE(run.statistics.request(1)->submittedNs, std::int64_t{1'000});
    run.at(3'000, SequenceAdmitted{1, 2, 4, false});
    QCOMPARE(run.statistics.request(1)->times.queueNs, std::int64_t{2'000});
    QCOMPARE(run.statistics.request(1)->cachedTokens, 2);
    for (std::int64_t timeNs : {5'000, 6'000, 6'500, 9'000}) run.sample(timeNs, 1);
    const RequestStatistics& request = *run.statistics.request(1);
    QCOMPARE(request.times.ttftNs, std::int64_t{4'000});
    QCOMPARE(request.times.completionTokens, 4);
    QCOMPARE(request.itl.sampleNs(), (std::vector<std::int64_t>{1'000, 500, 2'500}));
    QCOMPARE(request.itl.meanNs(), 4'000.0 / 3);
    QVERIFY(!request.finished);
    run.at(9'000, SequenceFinished{1, FinishReason::kLength, 4});
    run.at(9'100, RequestFinished{1, FinishReason::kLength, 4, 4, 2, 0, 2'050, 4'000, 8'100});
    QVERIFY(request.finished);
    QCOMPARE(request.times.queueNs, std::int64_t{2'050});  // as the engine measured it
    QCOMPARE(request.times.totalNs, std::int64_t{8'100});
    QCOMPARE(request.times.tpotNs(), 4'100.0 / 3);
    QCOMPARE(request.times.decodeRate(), 3e9 / 4'100);
    QCOMPARE(request.times.tokensPerSecond(), 4e9 / 8'100);
    run.at(9'200, RequestForgotten{1});
    QVERIFY(run.statistics.request(1) == nullptr && run.statistics.request(7) == nullptr);
    QCOMPARE(run.statistics.ttft().count(), std::int64_t{1});
  }

  // Ten of its twelve tokens were its beginning: two were generated, in 4,100 ns after the first of them.
  void whatWasGivenIsNotGenerated() {
    const RequestTimes times =
        RequestTimes::of({1, FinishReason::kLength, 4, 12, 8, 0, 0, 4'000, 8'100, 0, 0, false, 10});
    QCOMPARE(times.completionTokens, 2);
    QCOMPARE(times.decodeRate(), 1e9 / 4'100);
    QCOMPARE(times.tokensPerSecond(), 2e9 / 8'100);
  }

  void aRequestOfOneTokenHasNoDecodeRate() {
    const RequestTimes one{0, 5, 10, 1}, none{};
    QVERIFY(one.tpotNs() == 0 && one.decodeRate() == 0 && none.tokensPerSecond() == 0);
    QCOMPARE(one.tokensPerSecond(), 1e8);
  }

  // The first token of a fork has no ITL; each answer has its own last token.
  void eachAnswerHasItsOwnTokens() {
    Run run;
    run.submit(0, 1, 1);
    run.at(10, SequenceAdmitted{1, 0, 4, false});
    run.sample(100, 1);
    run.at(100, SequenceForked{1, 2, 1, 1, 1});
    run.sample(101, 2);
    run.sample(200, 1);
    run.sample(205, 2);
    QCOMPARE(run.statistics.itl().sampleNs(), (std::vector<std::int64_t>{100, 104}));
    QCOMPARE(run.statistics.request(1)->times.completionTokens, 4);
    QCOMPARE(run.statistics.request(1)->times.ttftNs, std::int64_t{100});
  }

  void theEngineHasTotalsAndRates() {
    Run run;
    run.submit(1'000, 1, 1, 4);
    run.submit(1'500, 2, 2, 6);
    run.at(1'600, Boxed<RequestRejected>(RequestRejected{}));
    run.at(2'000, SequenceAdmitted{1, 0, 4, false});
    run.at(2'000, SequenceAdmitted{2, 4, 6, false});
    run.at(2'000, SequenceScheduled{1, WorkKind::kPrefill, 0, 4, 4});
    run.at(2'000, StepPlanned{0, 6, 16, 2});
    run.sample(3'000, 1);
    run.finishStep(3'100, 500, 1);
    run.at(4'000, SequencePreempted{1, 2, 1, 0, 1, 4});
    run.at(4'000, StepPlanned{1, 0, 16, 1});
    run.sample(5'000, 2);
    run.finishStep(5'100, 300, 1);
    run.at(6'000, SequenceAdmitted{1, 0, 5, true});
    run.at(6'000, SequenceScheduled{1, WorkKind::kPrefill, 0, 5, 5});
    const RunTotals& totals = run.statistics.totals();
    QCOMPARE(totals.submitted, std::int64_t{2});
    QCOMPARE(totals.rejected, std::int64_t{1});
    QCOMPARE(totals.promptTokens, std::int64_t{10});  // a resumed sequence does not count again
    QCOMPARE(totals.cachedTokens, std::int64_t{4});
    QCOMPARE(run.statistics.cacheHitRate(), 0.4);
    QCOMPARE(totals.steps, std::int64_t{2});
    QCOMPARE(totals.mostSequences, 2);
    QCOMPARE(totals.prefillTokens, std::int64_t{6});
    QCOMPARE(totals.decodeTokens, std::int64_t{1});
    QCOMPARE(totals.prefillNs, std::int64_t{500});
    QCOMPARE(totals.decodeNs, std::int64_t{300});
    QCOMPARE(totals.decodedTokens, std::int64_t{1});
    QCOMPARE(totals.preemptions, std::int64_t{1});
    QCOMPARE(run.statistics.request(1)->preemptions, 1);
    QCOMPARE(totals.recomputedTokens, std::int64_t{4});  // of the five one is new
    QCOMPARE(run.statistics.elapsedNs(), std::int64_t{4'000});
    QCOMPARE(run.statistics.tokensPerSecond(), 2e9 / 4'000);
    QCOMPARE(run.statistics.recentTokensPerSecond(), 2e9 / 800);
    run.at(0, EngineLoaded{});
    QVERIFY(run.statistics.totals().submitted == 0 && run.statistics.request(2) == nullptr);
  }

  // A sequence counts at the end of each step, for the last reason it was given, until it is admitted or
  // ends.
  void waitStepsAreCountedByReason() {
    Run run;
    run.submit(0, 1, 1);
    run.submit(0, 2, 2);
    const auto steps = [&](WaitReason reason) {
      return run.statistics.totals().waitSteps[static_cast<std::size_t>(reason)];
    };
    run.at(1, SequenceWaiting{1, WaitReason::kBlocks, 3, 1});
    run.at(1, SequenceWaiting{2, WaitReason::kBehind, 0, 0});
    run.finishStep(2, 1, 0);
    run.finishStep(3, 1, 0);  // a reason that holds is not published again
    run.at(4, SequenceAdmitted{1, 0, 4, false});
    run.at(4, SequenceWaiting{2, WaitReason::kBlocks, 2, 1});
    run.finishStep(5, 1, 1);
    QCOMPARE(steps(WaitReason::kBlocks), std::int64_t{3});
    QCOMPARE(steps(WaitReason::kBehind), std::int64_t{2});
    run.at(6, SequenceFinished{2, FinishReason::kCancelled, 0});
    run.finishStep(7, 1, 1);
    QCOMPARE(steps(WaitReason::kBlocks), std::int64_t{3});
  }

  void aLateJoinerCountsTheWaitsOfItsSnapshot() {
    MachineState state;
    state.requests[1].id = 1;
    state.requests[1].sequences = {1};
    state.sequences[1].wait = WaitState{WaitReason::kBatch, 2, 0, 7};
    Run run;
    const Snapshot snapshot{std::make_shared<const MachineState>(state)};
    run.at(0, snapshot);
    run.at(0, snapshot);  // the same wait, once
    run.finishStep(1, 1, 0);
    run.at(2, SequenceAdmitted{1, 0, 4, false});
    run.finishStep(3, 1, 1);
    const auto batch = static_cast<std::size_t>(WaitReason::kBatch);
    QCOMPARE(run.statistics.totals().waitSteps[batch], std::int64_t{1});
  }

  void swapsAreAddedUp() {
    Run run;
    run.submit(0, 1, 1);
    SequencePreempted recomputed{}, swapped{};
    recomputed.sequence = swapped.sequence = 1;
    swapped.how = Preemption::kSwap;
    run.at(1, recomputed);
    run.at(2, swapped);
    run.at(2, StepSwapped{2, 1, 0, 200, 100, 0, 5, 1, 1});
    run.at(3, SequenceAdmitted{1, 0, 4, true, 3});
    run.at(3, StepSwapped{0, 0, 2, 0, 0, 200, 4, 0, 0});
    run.at(4, Boxed<SwapFailed>(SwapFailed{}));
    const RunTotals& totals = run.statistics.totals();
    QVERIFY(totals.preemptions == 2 && totals.swapOuts == 1 && totals.swapIns == 1);
    QCOMPARE(totals.swappedOutBytes, std::int64_t{200});
    QCOMPARE(totals.swapDemotedBytes, std::int64_t{100});
    QCOMPARE(totals.swappedInBytes, std::int64_t{200});
    QVERIFY(totals.swapNs == 9 && totals.swapFailures == 1);
  }

  void theRateIsThatOfTheLastSteps() {
    StepRate rate;
    QCOMPARE(rate.tokensPerSecond(), 0.0);
    StepFinished slow{}, fast{};
    slow.phaseNs[0] = 1'000'000, slow.sampled = 1;
    fast.phaseNs[0] = 1'000, fast.sampled = 4;
    rate.add(slow);
    QCOMPARE(rate.tokensPerSecond(), 1e3);
    for (std::size_t i = 0; i < StepRate::kSteps; ++i) rate.add(fast);
    QCOMPARE(rate.tokensPerSecond(), 4e6);
  }

  // The statistics of a whole run agree with what the machine itself said at each request's end; a late
  // joiner with a snapshot agrees on requests in flight.
  void aWholeRunAgreesWithTheMachine() {
    EventLog log;
    SchedulerOptions options;
    options.blockSize = 4;
    options.numBlocks = 9;
    options.tokenBudget = 6;
    options.maxSequences = 4;
    ScriptedMachine machine(options, log);
    std::vector<std::pair<std::size_t, MachineState>> states;
    runRandomly(machine, 5, 40, [&] { states.emplace_back(log.events.size(), machine.state()); });
    Statistics whole;
    for (const Event& event : log.events) whole.add(event);
    int finished = 0;
    for (const RequestFinished& result : log.of<RequestFinished>()) {
      const RequestStatistics* const request = whole.request(result.request);
      if (request == nullptr) continue;  // forgotten
      QCOMPARE(request->times.ttftNs, result.ttftNs);
      QCOMPARE(request->times.completionTokens, result.completionTokens);
      QCOMPARE(request->preemptions, result.preemptions);
      ++finished;
    }
    QVERIFY(finished > 10);
    QCOMPARE(whole.totals().sampledTokens, static_cast<std::int64_t>(log.of<TokenSampled>().size()));
    QCOMPARE(whole.totals().preemptions, static_cast<std::int64_t>(log.of<SequencePreempted>().size()));

    // A trace repeats the state now and then, and the figures of what is in flight stay.
    Statistics repeated;
    std::size_t next = 0;
    for (std::size_t i = 0; i < log.events.size(); ++i) {
      for (; next < states.size() && states[next].first == i; ++next) {
        Event again;
        again.body = Snapshot{std::make_shared<const MachineState>(states[next].second)};
        repeated.add(again);
      }
      repeated.add(log.events[i]);
    }
    QVERIFY(next > 10 && whole.totals().recomputedTokens > 0);
    QCOMPARE(repeated.totals().recomputedTokens, whole.totals().recomputedTokens);
    QCOMPARE(repeated.itl().count(), whole.itl().count());
    QCOMPARE(repeated.itl().totalNs(), whole.itl().totalNs());
    QVERIFY(repeated.totals().waitSteps == whole.totals().waitSteps);

    const auto& [place, state] = states[states.size() / 2];
    Statistics late;
    Event snapshot;
    snapshot.body = Snapshot{std::make_shared<const MachineState>(state)};
    late.add(snapshot);
    int inFlight = 0;
    for (const auto& [id, request] : state.requests) {
      QCOMPARE(late.request(id) != nullptr, !request.finished);
      inFlight += request.finished ? 0 : 1;
      if (late.request(id) == nullptr) continue;
      QCOMPARE(late.request(id)->submittedNs, request.submittedNs);
      QCOMPARE(late.request(id)->times.ttftNs, request.ttftNs());
    }
    QVERIFY(inFlight > 0);
    for (std::size_t i = place; i < log.events.size(); ++i) late.add(log.events[i]);
    for (const auto& [id, request] : state.requests) {
      if (request.finished || whole.request(id) == nullptr) continue;
      QCOMPARE(late.request(id)->times.totalNs, whole.request(id)->times.totalNs);
    }
  }
};

QTEST_APPLESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
