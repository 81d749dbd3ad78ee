// A tally of random runs, with every figure found again from the trace's lines and the machine's states.
#include "compare/run_tally.h"

#include "compare/contrast.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include "support/random_workload.h"

#include "events/trace_bytes.h"

#include <QTest>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

using namespace vitrine;
using namespace vitrine::compare;
using namespace vitrine::test;
using Json = nlohmann::json;

namespace {

std::vector<Event> eventsOfRun(std::uint64_t seed, std::int64_t tickNs = 1) {
  EventLog log;
  ScriptedMachine machine(traceOptions(), log, {.tickNs = tickNs, .hostSwapSlots = seed % 2 == 0 ? 6 : 0});
  runRandomly(machine, seed, 60, [] {});
  return log.events;
}

RunTally tallyOf(const std::vector<Event>& events) {
  RunTally tally;
  for (const Event& event : events) tally.publish(event);
  return tally;
}

// What lines and states say, without any code of the tally.
struct Found {
  int steps = 0, blocks = 0;
  std::int64_t preemptions = 0, recomputed = 0, waitSteps = 0, swapped = 0, judged = 0, accepted = 0;
  std::map<std::string, std::vector<TokenId>> answers;  // by request and index
};

std::string keyText(const std::string& request, int answer) { return request + "/" + std::to_string(answer); }

// Answers that a state has, beams that were pruned left out.
void keepAnswers(const MachineState& state, RequestId id, Found& found) {
  const RequestState& request = state.requests.at(id);
  for (const SequenceId sequence : request.sequences) {
    const SequenceState& one = state.sequences.at(sequence);
    const auto from =
        std::min(one.tokens.size(), static_cast<std::size_t>(one.promptTokens + request.givenTokens));
    if (request.searches() && (!request.finished || one.finishReason == FinishReason::kPruned ||
                               one.finishReason == FinishReason::kCancelled))
      continue;
    found.answers[keyText(request.name, one.index)].assign(
        one.tokens.begin() + static_cast<std::ptrdiff_t>(from), one.tokens.end());
  }
}

Found foundIn(const std::vector<Event>& events) {
  Found found;
  MachineState state;
  std::map<SequenceId, std::set<int>> computed;  // positions
  for (const Event& event : events) {
    const Json line = Json::parse(eventToJson(event));
    const std::string& kind = line.at("event").get_ref<const std::string&>();
    const Json& data = line.at("data");
    if (kind == "request_forgotten") keepAnswers(state, data.at("request"), found);
    state.apply(event);
    if (kind == "sequence_preempted") ++found.preemptions;
    if (kind == "sequence_forked") computed[data.at("child")] = computed[data.at("parent")];
    if (kind == "sequence_scheduled") {
      std::set<int>& known = computed[data.at("sequence")];
      const int first = data.at("first_position");
      const int end = first + data.at("tokens").get<int>() - data.at("draft_tokens").get<int>();
      for (int at = first; at < end; ++at) found.recomputed += known.contains(at) ? 1 : 0;
      for (int at = 0; at < end; ++at) known.insert(at);
    }
    if (kind == "step_swapped")
      for (const char* bytes : {"out_bytes", "demoted_bytes", "in_bytes"})
        found.swapped += data.at(bytes).get<std::int64_t>();
    if (kind == "draft_verified")
      for (const Json& judgement : data.at("judgements")) {
        const std::string verdict = judgement.at("verdict");
        found.judged += verdict == "undecided" ? 0 : 1;
        found.accepted += verdict == "same" || verdict == "within" ? 1 : 0;
      }
    if (kind != "step_finished") continue;
    ++found.steps;
    for (const auto& [id, sequence] : state.sequences) found.waitSteps += sequence.wait ? 1 : 0;
    const auto used = std::ranges::count_if(state.blocks, [](const BlockState& b) { return b.refCount > 0; });
    found.blocks = std::max(found.blocks, static_cast<int>(used));
  }
  for (const auto& [id, request] : state.requests) keepAnswers(state, id, found);
  return found;
}

void compareWithLines(const RunTally& tally, const std::vector<Event>& events) {
  const Found found = foundIn(events);
  QCOMPARE(tally.totals().steps, std::int64_t(found.steps));
  QCOMPARE(static_cast<int>(tally.steps().size()), found.steps);
  QCOMPARE(tally.totals().preemptions, found.preemptions);
  QCOMPARE(tally.totals().recomputedTokens, found.recomputed);
  QCOMPARE(tally.blocksAtMost(), found.blocks);
  QCOMPARE(tally.waitSteps(), found.waitSteps);
  QCOMPARE(tally.swappedBytes(), found.swapped);
  QCOMPARE(tally.drafts().judged, found.judged);
  QCOMPARE(tally.drafts().accepted, found.accepted);
  std::map<std::string, std::vector<TokenId>> answers;
  for (const auto& [key, answer] : tally.answers()) {
    QCOMPARE(key.time, 0);
    answers[keyText(key.request, key.answer)] = answer.tokens;
  }
  QVERIFY(answers == found.answers);
}

template <typename Body>
bool changes(Event& event) {
  if constexpr (std::is_same_v<Body, SequenceScheduled>) {
    auto* body = std::get_if<Body>(&event.body);
    if (body != nullptr) ++body->tokens;
    return body != nullptr;
  } else if constexpr (std::is_same_v<Body, StepFinished>) {
    auto* body = std::get_if<Body>(&event.body);
    if (body != nullptr) --body->freeBlocks;
    return body != nullptr;
  } else {
    const bool is = std::holds_alternative<Body>(event.body);
    if (is) event.body = PhaseStarted();  // as if it had not happened
    return is;
  }
}

}  // namespace

class TestRunTally : public QObject {
  Q_OBJECT

 private slots:
  void everyFigureIsTheTraces() {
    std::int64_t preemptions = 0, recomputed = 0, waits = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const std::vector<Event> events = eventsOfRun(seed);
      const RunTally tally = tallyOf(events);
      compareWithLines(tally, events);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("seed %1").arg(seed)));
      QVERIFY(tally.isFinished());
      QVERIFY(!tally.isCut());
      preemptions += tally.totals().preemptions;
      recomputed += tally.totals().recomputedTokens;
      waits += tally.waitSteps();
    }
    QVERIFY(preemptions > 50 && recomputed > 50 && waits > 50);
  }

  // Whole engines: beams, best-of, forced beginnings, drafts, swapping, cancellations.
  void everyFigureOfAnEngine() {
    static const TinyModel other(tinyConfig(40), 6);
    std::int64_t judged = 0, swapped = 0;
    for (std::uint32_t seed = 1; seed <= 60; ++seed) {
      Workload workload(seed, 0);
      EventLog log;
      RunTally tally;
      EventFanOut both;
      both.add(&log);
      both.add(&tally);
      std::int64_t now = 0;
      const auto engine = tinyModel().engine(
          workload.options, both, workload.draftsLikeTheModel ? &tinyModel() : &other, [&] { return now; });
      for (int step = 0; step < 12 || engine->hasWork(); ++step) {
        workload.begin(*engine, step);
        now += 1'000'000;
        engine->step();
      }
      compareWithLines(tally, log.events);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1").arg(seed)));
      SpeculationReport report;
      for (const Event& event : log.events) report.add(event);
      if (tally.drafts().judged > 0)
        QCOMPARE(figureOf(tally, ContrastFigure::kAcceptance).value(), report.acceptance());
      judged += tally.drafts().judged;
      swapped += tally.swappedBytes();
    }
    QVERIFY(judged > 100 && swapped > 0);
  }

  // Another clock, other ids of runs: a student sees the same.
  void theSameRunDiffersInNoStep() {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const RunTally one = tallyOf(eventsOfRun(seed)), other = tallyOf(eventsOfRun(seed, 7));
      QVERIFY(one.statistics().elapsedNs() != other.statistics().elapsedNs());
      QVERIFY(!firstDifference(one, other));
      QVERIFY(haveSameRequests(one, other));
      const SameAnswers same = sameAnswers(one, other);
      QVERIFY(same.areSame() && same.complete);
      std::int64_t tokens = 0;
      for (const auto& [key, answer] : one.answers())
        tokens += static_cast<std::int64_t>(answer.tokens.size());
      QCOMPARE(same.tokens, tokens);
      QVERIFY(tokens > 100);
    }
  }

  void aChangedEventIsFoundInItsStep() {
    const std::vector<Event> events = eventsOfRun(4);
    const RunTally whole = tallyOf(events);
    std::map<std::size_t, int> tried;
    for (std::size_t i = 0; i < events.size(); i += 3) {
      std::vector<Event> changed = events;
      Event& event = changed[i];
      const std::size_t kind = event.body.index();
      if (tried[kind] > 8) continue;
      const bool did = changes<SequenceScheduled>(event) || changes<SequenceAdmitted>(event) ||
                       changes<StepFinished>(event);
      if (!did) continue;
      // A sequence that is preempted again in the same step was not computed.
      const bool lost =
          std::any_of(events.begin() + static_cast<std::ptrdiff_t>(i), events.end(), [&](const Event& e) {
            const auto* preempted = bodyOf<SequencePreempted>(e);
            const auto* scheduled = bodyOf<SequenceScheduled>(events[i]);
            return e.step == event.step && preempted && scheduled &&
                   preempted->sequence == scheduled->sequence;
          });
      ++tried[kind];
      const RunTally tally = tallyOf(changed);
      const std::optional<int> step = firstDifference(whole, tally);
      QCOMPARE(step.has_value(), !lost);
      if (step) QCOMPARE(*step, static_cast<int>(event.step));
      QCOMPARE(firstDifference(tally, whole), step);
    }
    QCOMPARE(tried.size() - static_cast<std::size_t>(
                                std::ranges::count(tried, 0, [](const auto& t) { return t.second; })),
             std::size_t(3));
  }

  // Live: the tally of a beginning says less, and nothing wrong.
  void aRunUnderWay() {
    const std::vector<Event> events = eventsOfRun(3);
    const RunTally whole = tallyOf(events);
    RunTally tally;
    std::int64_t compared = 0;
    for (const Event& event : events) {
      tally.publish(event);
      if (!isA<StepFinished>(event)) continue;
      QVERIFY(!firstDifference(tally, whole));
      const SameAnswers so = sameAnswers(tally, whole);
      QVERIFY(so.areSame());
      QVERIFY(so.tokens >= compared);
      compared = so.tokens;
    }
    QVERIFY(sameAnswers(tally, whole).complete);
  }

  // A late joiner begins with the state, and a trace has it every 64 steps.
  void snapshots() {
    const std::vector<Event> events = eventsOfRun(5);
    MachineState state;
    std::vector<Event> with;
    RunTally late;
    bool joined = false;
    for (const Event& event : events) {
      state.apply(event);
      with.push_back(event);
      if (joined) late.publish(event);
      if (!isA<StepFinished>(event) || event.step % 7 != 0) continue;
      Event snapshot = event;
      snapshot.body = Snapshot{std::make_shared<MachineState>(state)};
      with.push_back(snapshot);
      if (!joined && event.step >= 21) late.publish(snapshot);
      joined = joined || event.step >= 21;
    }
    const RunTally whole = tallyOf(events), again = tallyOf(with);
    QVERIFY(!firstDifference(whole, again));
    QVERIFY(sameAnswers(whole, again).areSame());
    QCOMPARE(whole.answers().size(), again.answers().size());
    QCOMPARE(again.totals().recomputedTokens, whole.totals().recomputedTokens);
    QCOMPARE(again.waitSteps(), whole.waitSteps());
    QCOMPARE(again.statistics().itl().count(), whole.statistics().itl().count());
    for (const auto& [key, answer] : late.answers())
      QVERIFY2(answer.tokens == whole.answers().at(key).tokens, key.request.c_str());
    QVERIFY(late.answers().size() > 10);
    QCOMPARE(late.poolBlocks(), whole.poolBlocks());
  }

  void anEngineLoadedBeginsAnew() {
    const std::vector<Event> events = eventsOfRun(2);
    RunTally tally = tallyOf(eventsOfRun(1));
    for (const Event& event : events) tally.publish(event);
    const RunTally alone = tallyOf(events);
    QVERIFY(!firstDifference(tally, alone));
    QCOMPARE(tally.totals().steps, alone.totals().steps);
    QCOMPARE(tally.answers().size(), alone.answers().size());
  }

  // The same name a second time is another request.
  void aNameThatComesAgain() {
    EventLog log;
    ScriptedMachine machine(traceOptions(), log);
    for (int time = 0; time < 2; ++time) {
      machine.submit({1, 2, 3 + time}, 4, 1, 0, 0, "A");
      while (machine.hasWork()) machine.step();
    }
    const RunTally tally = tallyOf(log.events);
    QCOMPARE(tally.answers().size(), std::size_t(2));
    QCOMPARE((tally.answers().at({"A", 1, 0}).tokens.size()), std::size_t(4));
    QCOMPARE(tally.requests().size(), std::size_t(2));
    QVERIFY((tally.requests().at({"A", 0}) != tally.requests().at({"A", 1})));
  }
};

QTEST_APPLESS_MAIN(TestRunTally)
#include "tst_run_tally.moc"
