// Admission alone: what a waiting sequence needs, when its batch is open, and what is kept of a look-up.
#include "scheduling/admission.h"

#include "support/scheduling_fixture.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

int hashes = 0;

std::uint64_t countingHash(std::uint64_t parent, std::span<const TokenId> tokens) {
  ++hashes;
  return PrefixIndex::chainHash(parent, tokens);
}

void compareReason(const std::optional<SequenceWaiting>& reason, WaitReason expected, int needed,
                   int available) {
  QVERIFY(reason.has_value());
  QCOMPARE(static_cast<int>(reason->reason), static_cast<int>(expected));
  QCOMPARE(reason->needed, needed);
  QCOMPARE(reason->available, available);
}

}  // namespace

class TestAdmission : public QObject {
  Q_OBJECT

 private slots:
  void anEmptyMachineAdmitsWhatFits() {
    SchedulingFixture f(SchedulingFixture::options(8, 64, 2));
    for (int i = 0; i < 3; ++i) f.wait(f.make(6));
    Admission admission(f.state);
    const Admission::Result result = admission.admit({});
    QCOMPARE(result.admitted, 2);
    QCOMPARE(result.joined, 0);
    QCOMPARE(result.refused, &f.sequences[2]);
    compareReason(result.reason, WaitReason::kSequences, 1, 0);
    QVERIFY(result.lacksSlotsOrBlocks());
    QCOMPARE(f.state.running.size(), std::size_t{2});
    QCOMPARE(f.state.waiting.size(), std::size_t{1});
    QCOMPARE(result.room.promisedBlocks, 4);
    QCOMPARE(result.room.tokens, 52);
  }

  void anAdmissionSaysWhatItNeedsAndWhatThereIs() {
    SchedulingFixture f(SchedulingFixture::options(8, 64, 3));
    Sequence& one = f.run(f.make(10), 5);  // two blocks there, one promised
    StepPlan plan;
    plan.prefillTokens = 5, plan.blocks = 1;
    plan.work.push_back({&one, WorkKind::kPrefill, 5, 5, 1, false, true});
    f.wait(f.make(6)).submittedStep = 2;
    f.wait(f.make(3));
    Admission(f.state).admit(plan);
    const auto events = f.log.of<SequenceAdmitted>();
    QCOMPARE(events.size(), std::size_t{2});
    QCOMPARE(events[0].neededSlots, 1);
    QCOMPARE(events[0].freeSlots, 2);
    QCOMPARE(events[0].neededBlocks, 2);
    QCOMPARE(events[0].freeBlocks, 5);
    QCOMPARE(events[0].neededTokens, 1);
    QCOMPARE(events[0].freeTokens, 59);
    QCOMPARE(events[0].waiting, 2);
    QVERIFY(events[0].standing == (Standing{Policy::kFcfs, 2, 2}));
    // What the first took is no longer free.
    QCOMPARE(events[1].freeSlots, 1);
    QCOMPARE(events[1].freeBlocks, 3);
    QCOMPARE(events[1].freeTokens, 53);
    QCOMPARE(events[1].waiting, 1);
  }

  void aRefusalNamesTheSequenceInFront() {
    SchedulingFixture f(SchedulingFixture::options(8, 64, 1));
    for (int i = 0; i < 3; ++i) f.wait(f.make(6));
    Admission(f.state).admit({});
    const auto events = f.log.of<SequenceWaiting>();
    QCOMPARE(events.size(), std::size_t{2});
    QVERIFY(events[0].reason == WaitReason::kSequences && events[0].behind == 0);
    QVERIFY(events[1].reason == WaitReason::kBehind && events[1].behind == events[0].sequence);
  }

  void theRoomIsWhatTheRunningSequencesLeave() {
    SchedulingFixture f(SchedulingFixture::options(8));
    Sequence& one = f.run(f.make(10), 5);  // three blocks, two of them there
    one.sequenceSlots = 3;
    StepPlan plan;
    plan.prefillTokens = 5, plan.blocks = 1;
    plan.work.push_back({&one, WorkKind::kPrefill, 5, 5, 1, false, true});
    const StepRoom room = Admission(f.state).roomFor(plan);
    QVERIFY(!room.willPreempt);
    QCOMPARE(room.freeSlots, 5);
    QCOMPARE(room.tokens, 59);
    QCOMPARE(room.promisedBlocks, 1);
    plan.blocks = 7;
    QVERIFY(Admission(f.state).roomFor(plan).willPreempt);
    plan.work.clear();  // it has work and no share of this step: no token is left for others
    QCOMPARE(Admission(f.state).roomFor(plan).tokens, 0);
  }

  void refusalsGiveTheirNumbers() {
    SchedulingFixture f(SchedulingFixture::options(8));
    const Sequence& waiting = f.wait(f.make(18));  // five blocks
    const Admission admission(f.state);
    StepRoom room;
    room.freeSlots = 4, room.tokens = 64;
    QVERIFY(!admission.refusal(waiting, {}, room));
    room.promisedBlocks = 4;
    compareReason(admission.refusal(waiting, {}, room), WaitReason::kBlocks, 5, 4);
    PrefixHits hits;
    hits.links.resize(2);
    hits.freeBlocks = 1;  // one hit lies free, so it is not among the free blocks for the rest
    QVERIFY(!admission.refusal(waiting, hits, room));
    room.promisedBlocks = 5;
    compareReason(admission.refusal(waiting, hits, room), WaitReason::kBlocks, 3, 2);
    room.tokens = 0;
    compareReason(admission.refusal(waiting, {}, room), WaitReason::kTokenBudget, 1, 0);
    room.freeSlots = 0;
    compareReason(admission.refusal(waiting, {}, room), WaitReason::kSequences, 1, 0);
    room.willPreempt = true, room.plannedBlocks = 9;
    compareReason(admission.refusal(waiting, {}, room), WaitReason::kPreemption, 9, 8);
  }

  void aClosedBatchIsOpenToItsPreemptedSequences() {
    SchedulerOptions chosen = SchedulingFixture::options(8);
    chosen.batching = Batching::kStatic;
    SchedulingFixture f(chosen);
    f.run(f.make(4), 3);
    const BatchGate gate(f.state);
    StepRoom room;
    room.batchInFlight = gate.batchInFlight();
    Sequence& fresh = f.wait(f.make(4));
    compareReason(gate.closedTo(fresh, room), WaitReason::kBatch, 1, 0);
    QCOMPARE(gate.nextToAdmit(room), &fresh);  // refused, with the reason
    Sequence& preempted = f.make(4);
    preempted.status = SequenceStatus::kPreempted;
    f.wait(preempted);
    QVERIFY(!gate.closedTo(preempted, room));
    QCOMPARE(gate.nextToAdmit(room), &preempted);
  }

  void aWindowIsOpenFromTheFirstArrivalOn() {
    SchedulerOptions chosen = SchedulingFixture::options(8, 64, 3);
    chosen.batching = Batching::kWindow;
    chosen.windowMs = 5;
    SchedulingFixture f(chosen);
    const BatchGate gate(f.state);
    QCOMPARE(gate.windowLeftNs(), 0);
    f.wait(f.make(4)).submittedNs = 1'000'000;
    f.nowNs = 3'000'000;
    QCOMPARE(gate.windowLeftNs(), 3'000'000);
    Sequence& second = f.wait(f.make(4));
    second.submittedNs = 2'000'000;
    second.sequenceSlots = 2;  // the batch is full
    QCOMPARE(gate.windowLeftNs(), 0);
    QCOMPARE(gate.windowEndsInNs(f.nowNs), 3'000'000);
    f.stream.beginStep();  // a step decides by the time of its beginning
    Admission(f.state).admit({});
    QCOMPARE(f.log.of<SequenceAdmitted>().at(1).windowLeftMs, 3);
    QCOMPARE(gate.windowEndsInNs(f.nowNs), 0);  // the batch runs
  }

  // What was found stays found; only what lies behind it is looked up again.
  void aWaitingPromptIsNotHashedAgain() {
    hashes = 0;
    SchedulerOptions chosen = SchedulingFixture::options(40, 64, 2);
    EventLog log;
    EventStream stream(log, 1);
    SchedulingState state(chosen, stream, countingHash);
    std::vector<TokenId> tokens(61);
    for (int i = 0; i < 61; ++i) tokens[static_cast<std::size_t>(i)] = i;
    BlockTable table;
    PrefixLink link;
    for (std::size_t i = 0; i < 15; ++i) {
      state.blocks.allocate(1, table);
      link = state.blocks.registerBlock(link, 0, std::span(tokens).subspan(4 * i, 4), table.back());
    }
    Sequence waiting;
    waiting.id = 2;
    waiting.tokens = tokens;
    waiting.tokens[50] = 1000;  // it differs in block 12
    Admission admission(state);
    hashes = 0;
    QCOMPARE(admission.hitsOf(waiting).blocks(), 12);
    QCOMPARE(hashes, 13);
    for (int step = 0; step < 10; ++step) QCOMPARE(admission.hitsOf(waiting).blocks(), 12);
    QCOMPARE(hashes, 23);  // block 12 alone, each time
    state.blocks.release(1, table);
    QCOMPARE(admission.hitsOf(waiting).freeBlocks, 12);
    QCOMPARE(hashes, 24);
    const auto missed = state.blocks.explainMiss(2, waiting.tokens, 0, admission.hitsOf(waiting));
    QVERIFY(missed && missed->matchedTokens == 48 && missed->position == 50);
    QCOMPARE(hashes, 26);      // the explanation hashes nothing before block 12 either
    waiting.tokens[2] = 1000;  // as after a time of running
    ++waiting.preemptions;
    QCOMPARE(admission.hitsOf(waiting).blocks(), 0);
    Sequence salted = waiting;
    salted.id = 3;
    salted.tokens = tokens;
    salted.cacheSalt = 9;
    QCOMPARE(admission.hitsOf(salted).blocks(), 0);
    salted.id = 4;
    salted.cacheSalt = 0;
    QCOMPARE(admission.hitsOf(salted).blocks(), 15);
  }
};

QTEST_APPLESS_MAIN(TestAdmission)
#include "tst_admission.moc"
