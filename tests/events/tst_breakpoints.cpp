// Breakpoints: each kind is met by its events and by no other, for the wanted request alone, and as a naive
// search of random runs finds it; as text; and without allocations.
#include "vitrine/breakpoint_sink.h"

#include <QTest>
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <set>

#include "support/allocations.h"
#include "support/event_log.h"
#include "support/refusal.h"
#include "support/scripted_machine.h"
#include "vitrine/machine_state.h"

using namespace vitrine;

namespace {

Event eventOf(EventBody body, int step = 5, Phase phase = Phase::kPlan) {
  Event event;
  event.step = step;
  event.phase = phase;
  event.body = std::move(body);
  return event;
}

RequestSubmitted submitted(RequestId request, const char* name, SequenceId sequence) {
  RequestSubmitted body;
  body.request = request;
  body.asked.name = name;
  body.firstSequence = sequence;
  return body;
}

SequenceScheduled scheduled(SequenceId sequence, WorkKind kind, int first, int tokens, int drafts = 0) {
  return {sequence, kind, first, tokens, 99, drafts};
}

// Ada is request 1 with sequence 1, Ben request 2 with sequences 2 and 3; blocks of 4 tokens.
Breakpoints watching(std::vector<Breakpoint> list) {
  Breakpoints breakpoints;
  breakpoints.set(std::move(list));
  EngineLoaded loaded;
  loaded.options.blockSize = 4;
  breakpoints.check(eventOf(loaded, 0));
  breakpoints.check(eventOf(submitted(1, "Ada", 1), 0));
  breakpoints.check(eventOf(submitted(2, "Ben", 2), 0));
  breakpoints.check(eventOf(SequenceForked{2, 3, 2, 1, 0}, 0));
  return breakpoints;
}

std::vector<Breakpoint> parsed(const std::vector<const char*>& texts) {
  std::vector<Breakpoint> list;
  for (const char* text : texts) list.push_back(breakpointFromText(text));
  return list;
}

DraftVerified verified(int accepted, DraftVerdict last) {
  DraftVerified body;
  body.sequence = 2;
  body.firstPosition = 10;
  body.accepted = accepted;
  body.judgements.assign(3, {7, DraftVerdict::kSame});
  body.judgements[2].verdict = last;
  return body;
}

// An event that each kind stops at, about Ben, and one that is close to it and does not count.
struct Case {
  const char* text;
  EventBody stops, passes;
};
std::vector<Case> cases() {
  EventBody otherToken = TokenSampled{3, 8, 4, 3.5f, -1, " therefore"};
  return {{"admission", SequenceAdmitted{2, 0, 9}, StepPlanned{}},
          {"block_full", scheduled(2, WorkKind::kPrefill, 2, 3), scheduled(2, WorkKind::kDecode, 2, 1)},
          {"prefix_hit", BlockHit{4, 2, 0, 1, 77}, BlockShared{4, 2, 0, 2}},
          {"prefix_miss", PrefixMissed{2}, BlockEvicted{}},
          {"copy_on_write", BlockCopied{1, 5, 3, 0}, BlockAllocated{5, 3, 0}},
          {"preemption", SequencePreempted{2, 1}, SequenceFinished{2}},
          {"swap", BlockSwappedOut{1, 2}, StepSwapped{}},
          {"swap", BlockSwappedIn{1, 2}, BlockDemoted{2}},
          {"draft_rejected", verified(2, DraftVerdict::kBeyond), verified(2, DraftVerdict::kUndecided)},
          {"draft_rejected", verified(2, DraftVerdict::kDiffers), verified(3, DraftVerdict::kSame)},
          {"finished", RequestFinished{2}, SequenceFinished{2}},
          {"token= the", TokenSampled{3, 7, 4, -1, -1, " the"}, otherToken},
          {"token=#7", TokenSampled{3, 7, 4, -1, -1, " the"}, otherToken},
          {"entropy=3.5", TokenSampled{3, 7, 4, 3.51f, -1, " the"}, otherToken},
          {"entropy=0", TokenSampled{3, 7, 4, 0.1f, -1, " the"}, TokenSampled{3, 7, 4, -1, -1, " the"}},
          {"request=Ben", SequenceWaiting{2}, SequenceWaiting{1}},
          {"event=block_freed", BlockFreed{4, 2, 1}, BlockAllocated{5, 2, 0}},
          {R"(event=block_freed{"ref_count":0})", BlockFreed{4, 2, 0}, BlockFreed{4, 2, 1}},
          {R"(event=sequence_admitted{"cached_tokens":"> 3","resumed":false})", SequenceAdmitted{2, 4, 9},
           SequenceAdmitted{2, 3, 9}},
          {"request=#2", RequestSubmitted(submitted(2, "Ben", 2)), RequestSubmitted(submitted(3, "C", 4))}};
}

struct Met {
  int step;
  SequenceId sequence;
  auto operator<=>(const Met&) const = default;
};

// What a run's events meet, by the definition of each kind and the state of a replay.
using Rule = std::function<bool(const Event&, const MachineState& before)>;
std::set<Met> naively(const std::vector<Event>& events, const Rule& rule,
                      const std::function<SequenceId(const Event&)>& sequenceOf) {
  std::set<Met> met;
  MachineState state;
  for (const Event& event : events) {
    if (rule(event, state)) met.insert({event.step, sequenceOf(event)});
    state.apply(event);
  }
  return met;
}
std::set<Met> byBreakpoints(const std::vector<Event>& events, const char* text) {
  Breakpoints breakpoints;
  breakpoints.set(parsed({text}));
  std::set<Met> met;
  for (const Event& event : events)
    if (const auto hit = breakpoints.check(event)) met.insert({hit->step, hit->sequence});
  return met;
}

EventLog randomRun(std::uint64_t seed) {
  EventLog log;
  SchedulerOptions options;
  options.blockSize = 2 + static_cast<int>(seed % 4);
  options.numBlocks = 24 / options.blockSize + 1 + static_cast<int>(seed % 5);  // the longest request fits
  options.tokenBudget = 5 + static_cast<int>(seed % 11);
  options.maxSequences = 4;
  ScriptedParts parts;
  parts.hostSwapSlots = seed % 2 == 0 ? 6 : 0;
  ScriptedMachine machine(options, log, parts);
  runRandomly(machine, seed, 12, [] {});
  return log;
}

// (step, sequence) of every sequence whose computed tokens reach the end of a block in that step.
std::set<Met> filledBlocks(const std::vector<Event>& events) {
  std::set<Met> met;
  MachineState state;
  std::map<SequenceId, int> before;
  for (const Event& event : events) {
    const auto* phase = bodyOf<PhaseStarted>(event);
    if (phase && phase->phase == Phase::kForward) {
      before.clear();
      for (const ScheduledWork& work : state.batch)
        before[work.sequence] = state.sequences.at(work.sequence).computedTokens;
    }
    state.apply(event);
    if (!phase || phase->phase != Phase::kSample) continue;
    for (const auto& [id, computed] : before)
      if (state.sequences.at(id).computedTokens / state.blockSize > computed / state.blockSize)
        met.insert({event.step, id});
    before.clear();
  }
  return met;
}

bool allocated = false;
bool remember(std::size_t, vitrine::test::NewForm) {
  allocated = true;
  return true;
}

}  // namespace

class TestBreakpoints : public QObject {
  Q_OBJECT

 private slots:
  void eachKindHasItsEvents() {
    std::set<BreakKind> seen;
    for (const Case& one : cases()) {
      Breakpoints breakpoints = watching(parsed({one.text}));
      QVERIFY2(!breakpoints.check(eventOf(one.passes)), one.text);
      const auto hit = breakpoints.check(eventOf(one.stops, 7, Phase::kAllocate));
      QVERIFY2(hit.has_value(), one.text);
      QCOMPARE(hit->step, 7);
      QCOMPARE(hit->phase, Phase::kAllocate);
      QCOMPARE(hit->request, 2);
      seen.insert(breakpoints.list().front().kind);
    }
    // Those with a test of their own.
    QCOMPARE(int(seen.size()), kBreakKindCount - 2);
  }

  void aStepIsItsNumber() {
    Breakpoints breakpoints = watching(parsed({"step=46"}));
    QVERIFY(!breakpoints.check(eventOf(StepStarted{}, 45)));
    QVERIFY(!breakpoints.check(eventOf(StepFinished{}, 46)));
    QCOMPARE(breakpoints.check(eventOf(StepStarted{}, 46)).value().step, 46);
  }

  // Cached blocks let a prompt begin anywhere; a resumed sequence computes its prompt again, and has had its
  // first chunk.
  void theFirstChunkFollowsTheFirstAdmission() {
    for (const bool admissionsToo : {false, true}) {
      std::vector<Breakpoint> list = parsed({"first_prefill"});
      if (admissionsToo) list.insert(list.begin(), breakpointFromText("admission"));
      Breakpoints breakpoints = watching(list);
      breakpoints.check(eventOf(SequenceAdmitted{1, 8, 20}));
      QVERIFY(breakpoints.check(eventOf(scheduled(1, WorkKind::kPrefill, 8, 4))));
      QVERIFY(!breakpoints.check(eventOf(scheduled(1, WorkKind::kPrefill, 12, 4))));
      QVERIFY(!breakpoints.check(eventOf(scheduled(1, WorkKind::kDecode, 20, 1))));
      breakpoints.check(eventOf(SequenceAdmitted{1, 0, 21, true}));
      QVERIFY(!breakpoints.check(eventOf(scheduled(1, WorkKind::kPrefill, 0, 4))));
    }
  }

  void anAdmissionMayBeAReturn() {
    for (const char* text : {"admission", "event=sequence_admitted"}) {
      Breakpoints breakpoints = watching(parsed({text}));
      QVERIFY(!breakpoints.check(eventOf(SequenceAdmitted{2, 0, 9})).value().resumed);
      QVERIFY(breakpoints.check(eventOf(SequenceAdmitted{2, 0, 9, true})).value().resumed);
    }
  }

  void aDraftDoesNotFillABlock() {
    Breakpoints breakpoints = watching(parsed({"block_full"}));
    QVERIFY(!breakpoints.check(eventOf(scheduled(1, WorkKind::kDecode, 2, 4, 3))));
    const auto hit = breakpoints.check(eventOf(scheduled(1, WorkKind::kDecode, 3, 4, 3)));
    QCOMPARE(hit.value().position, 3);
    EngineLoaded without;
    without.options.blockSize = 4;
    without.options.kvCache = false;
    breakpoints.check(eventOf(without));
    QVERIFY(!breakpoints.check(eventOf(scheduled(1, WorkKind::kPrefill, 0, 8))));
  }

  // By number and by name; the first of the list that is met counts, and a disabled one never.
  void aFilterAndAList() {
    std::vector<Breakpoint> list = parsed({"preemption@Ada", "preemption@#2", "preemption"});
    Breakpoints breakpoints = watching(list);
    QCOMPARE(breakpoints.check(eventOf(SequencePreempted{1, 1})).value().place, std::size_t{0});
    QCOMPARE(breakpoints.check(eventOf(SequencePreempted{3, 1})).value().place, std::size_t{1});
    QCOMPARE(breakpoints.check(eventOf(SequencePreempted{9, 1})).value().place, std::size_t{2});
    list[1].enabled = list[2].enabled = false;
    breakpoints.set(list);
    QVERIFY(!breakpoints.check(eventOf(SequencePreempted{3, 1})));
    QVERIFY(breakpoints.check(eventOf(SequencePreempted{1, 1})));
    breakpoints.set({});
    QVERIFY(!breakpoints.check(eventOf(SequencePreempted{1, 1})));
  }

  // An event that names no sequence concerns the first one of its request.
  void anEventHasASequence() {
    Breakpoints breakpoints = watching(parsed({"event=request_finished@Ben", "event=sequence_forked"}));
    QCOMPARE(breakpoints.check(eventOf(RequestFinished{2})).value().sequence, 2);
    QVERIFY(!breakpoints.check(eventOf(RequestFinished{1})));
    QCOMPARE(breakpoints.check(eventOf(SequenceForked{3, 4, 2, 2, 0})).value().sequence, 2);
    QVERIFY(!breakpoints.check(eventOf(StepPlanned{})));
  }

  void aLateListenerLearnsFromTheState() {
    MachineState state;
    state.blockSize = 4;
    state.requests[2].name = "Ben";
    state.sequences[3].request = 2;
    Breakpoints breakpoints;
    breakpoints.set(parsed({"preemption@Ben"}));
    breakpoints.begin(state);
    QCOMPARE(breakpoints.check(eventOf(SequencePreempted{3, 3})).value().request, 2);
    breakpoints.check(eventOf(RequestForgotten{2}));
    QVERIFY(!breakpoints.check(eventOf(SequencePreempted{3, 3})));
    Event snapshot = eventOf(Snapshot{std::make_shared<MachineState>(state)});
    breakpoints.check(snapshot);
    QVERIFY(breakpoints.check(eventOf(SequencePreempted{3, 3})));
  }

  void randomRunsHoldTheSameMoments() {
    const auto of = []<typename T>(std::type_identity<T>) {
      return [](const Event& event, const MachineState&) { return isA<T>(event); };
    };
    const auto sequence = [](const Event& event) {
      return std::visit(
          [](const auto& body) -> SequenceId {
            if constexpr (requires { unboxed(body).sequence; }) return unboxed(body).sequence;
            return 0;
          },
          event.body);
    };
    const Rule firstChunk = [](const Event& event, const MachineState& before) {
      const auto* work = bodyOf<SequenceScheduled>(event);
      if (!work || work->kind != WorkKind::kPrefill) return false;
      const SequenceState& state = before.sequences.at(work->sequence);
      return state.preemptions == 0 && state.computedTokens == state.cachedTokens;
    };
    std::map<std::string, int> counts;
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const EventLog log = randomRun(seed);
      const auto compare = [&](const char* text, const std::set<Met>& expected) {
        counts[text] += static_cast<int>(expected.size());
        return byBreakpoints(log.events, text) == expected;
      };
      const auto naive = [&](const Rule& rule) { return naively(log.events, rule, sequence); };
      QVERIFY(compare("admission", naive(of(std::type_identity<SequenceAdmitted>()))));
      QVERIFY(compare("preemption", naive(of(std::type_identity<SequencePreempted>()))));
      QVERIFY(compare("prefix_hit", naive(of(std::type_identity<BlockHit>()))));
      QVERIFY(compare("copy_on_write", naive(of(std::type_identity<BlockCopied>()))));
      QVERIFY(compare("first_prefill", naive(firstChunk)));
      QVERIFY2(compare("block_full", filledBlocks(log.events)), QByteArray::number(quint64(seed)));
    }
    for (const auto& [text, count] : counts) QVERIFY2(count > 20, text.c_str());
  }

  // A host that is slow to ask gets the first hit, with the breakpoint that was met, whatever the list is by
  // then.
  void aSinkKeepsTheFirstHit() {
    BreakpointSink sink;
    int hits = 0;
    sink.onHit = [&] { ++hits; };
    sink.publish(eventOf(submitted(2, "Ben", 2), 0));  // before there is a list
    QVERIFY(!sink.needsEntropy());
    sink.set(parsed({"preemption@Ben", "swap", "entropy=1"}));
    QVERIFY(sink.needsEntropy());
    sink.publish(eventOf(SequencePreempted{1, 1}, 6));
    QVERIFY(!sink.stopped() && !sink.takeStop());
    sink.publish(eventOf(SequencePreempted{2, 1}, 7));
    sink.publish(eventOf(BlockSwappedOut{1, 2}, 8));
    QCOMPARE(hits, 1);
    sink.set(parsed({"finished"}));
    sink.publish(eventOf(SequencePreempted{2, 1}, 9));
    QVERIFY(sink.stopped() && !sink.needsEntropy());
    const BreakStop stop = sink.takeStop().value();
    QCOMPARE(stop.hit.step, 7);
    QCOMPARE(toText(stop.breakpoint), std::string("preemption@Ben"));
    sink.publish(eventOf(SequencePreempted{2, 1}, 10));  // the new list holds
    QVERIFY(!sink.stopped());
    sink.publish(eventOf(RequestFinished{2}, 11));
    QCOMPARE(sink.takeStop().value().hit.step, 11);
    QCOMPARE(hits, 2);
  }

  void textAndBack() {
    for (const char* text : {"admission",
                             "first_prefill@Ada",
                             "block_full@#3",
                             "prefix_hit",
                             "prefix_miss",
                             "copy_on_write",
                             "preemption@a@b",
                             "swap",
                             "draft_rejected",
                             "finished@#1",
                             "token=\" the\"",
                             "token=\"a\"\"b@c\"@Ada",
                             "token=#0@Ada",
                             "entropy=3.25@Ada",
                             "request=Ada",
                             "request=#7",
                             "step=46",
                             "event=block_freed@Ada",
                             R"(event=block_freed{"ref_count":0})",
                             "event=token_sampled{\"text\":\" }@\\\"{\",\"token\":\"< 7\"}@#2"})
      QCOMPARE(toText(breakpointFromText(text)), std::string(text));
    QCOMPARE(breakpointFromText("token= the@Ada").text, std::string(" the"));
    QCOMPARE(breakpointFromText("token= the@Ada").requestName, std::string("Ada"));
  }

  void whatIsWrongIsNamed() {
    VERIFY_REFUSED(breakpointFromText("preemtion"), "invalid_argument", "preemtion");
    VERIFY_REFUSED(breakpointFromText(""), "invalid_argument", "kind");
    VERIFY_REFUSED(breakpointFromText("preemption=3"), "invalid_argument", "preemption");
    for (const char* text : {"token", "entropy", "request", "step", "event", "request@Ada"})
      VERIFY_REFUSED(breakpointFromText(text), "invalid_argument", "needs a value");
    VERIFY_REFUSED(breakpointFromText("token="), "invalid_argument", "token");
    VERIFY_REFUSED(breakpointFromText("token=#x"), "invalid_argument", "#x");
    VERIFY_REFUSED(breakpointFromText("token=\"abc"), "invalid_argument", "abc");
    VERIFY_REFUSED(breakpointFromText("token=\"a\"b"), "invalid_argument", "b");
    VERIFY_REFUSED(breakpointFromText("entropy=much"), "invalid_argument", "much");
    VERIFY_REFUSED(breakpointFromText("entropy=-1"), "invalid_argument", "-1");
    VERIFY_REFUSED(breakpointFromText("step=0"), "invalid_argument", "0");
    VERIFY_REFUSED(breakpointFromText("step=4x"), "invalid_argument", "4x");
    VERIFY_REFUSED(breakpointFromText("step=4@Ada"), "invalid_argument", "step");
    VERIFY_REFUSED(breakpointFromText("event=block_fred"), "invalid_argument", "block_fred");
    VERIFY_REFUSED(breakpointFromText("event=block_freed{\"a\""), "invalid_argument", "fields");
    VERIFY_REFUSED(breakpointFromText("event=block_freed{}b"), "invalid_argument", "b");
    VERIFY_REFUSED(breakpointFromText("swap@"), "invalid_argument", "request");
    VERIFY_REFUSED(breakpointFromText("swap@#0"), "invalid_argument", "#0");
  }

  void aCheckAllocatesNothing() {
    Breakpoints breakpoints =
        watching(parsed({"preemption@Ada with a name that is longer than a short string", "first_prefill",
                         "token= a text that is longer than a short string", "entropy=20", "step=900"}));
    std::vector<Event> events;
    for (const Case& one : cases())
      for (const EventBody& body : {one.stops, one.passes})
        if (!std::holds_alternative<Boxed<RequestSubmitted>>(body)) events.push_back(eventOf(body));
    breakpoints.check(eventOf(SequenceAdmitted{2, 0, 9}));
    allocated = false;
    vitrine::test::allocationRule = remember;
    for (const Event& event : events) breakpoints.check(event);
    vitrine::test::allocationRule = nullptr;
    QVERIFY(!allocated);
  }
};

QTEST_APPLESS_MAIN(TestBreakpoints)
#include "tst_breakpoints.moc"
