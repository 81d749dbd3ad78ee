// Which sequence goes first, which is preempted for which, and that no request starves.
#include "scheduling/policy.h"

#include <QTest>
#include <random>

#include "support/fake_machine.h"

using namespace vitrine;

namespace {

using Ids = std::vector<SequenceId>;

std::vector<TokenId> prompt(int length, TokenId first = 10) {
  std::vector<TokenId> tokens(static_cast<std::size_t>(length));
  for (int i = 0; i < length; ++i) tokens[static_cast<std::size_t>(i)] = first + i;
  return tokens;
}

SchedulerOptions options(Policy policy, int agingSteps, int maxSequences = 2, int numBlocks = 32) {
  SchedulerOptions chosen;
  chosen.blockSize = 4;
  chosen.numBlocks = numBlocks;
  chosen.tokenBudget = 32;
  chosen.maxSequences = maxSequences;
  chosen.policy = policy;
  chosen.agingSteps = agingSteps;
  return chosen;
}

SchedulerOptions window(double ms, int maxSequences = 3) {
  SchedulerOptions chosen = options(Policy::kFcfs, 0, maxSequences);
  chosen.batching = Batching::kWindow;
  chosen.windowMs = ms;
  return chosen;
}

Ids idsOf(const auto& sequences) {
  Ids ids;
  for (const Sequence* sequence : sequences) ids.push_back(sequence->id);
  return ids;
}

// The order in which the sequences were admitted for the first time.
Ids admitted(const FakeMachine& machine) {
  Ids ids;
  for (const SequenceAdmitted& published : machine.log.of<SequenceAdmitted>())
    if (!published.resumed) ids.push_back(published.sequence);
  return ids;
}

constexpr int kTokens = 3;  // that each request of a stream generates

// Steps until the first request has ended, while each step brings a new request that goes before it; at most
// `most`.
int stepsBesideAStream(const SchedulerOptions& chosen, int most) {
  FakeMachine machine(chosen);
  const Sequence& first = machine.submit(prompt(8), 6);
  for (int step = 0; step < most; ++step) {
    machine.submit(prompt(4, 100 + step), kTokens, 1, 2, 5);  // priority 2, due in five steps
    machine.step();
    if (first.status == SequenceStatus::kFinished) return step;
  }
  return most;
}

// Steps that a sequence takes at most, once no unfinished sequence goes before it: others are preempted for
// it, all its tokens are computed (again, if it was preempted), and each new token takes a step.
int mostSteps(const Sequence& sequence, const SchedulerOptions& chosen) {
  const int chunk = chosen.tokenBudget - chosen.maxSequences;
  return chosen.maxSequences + 2 + (sequence.totalTokens() + chunk - 1) / chunk + sequence.outputTokens();
}

}  // namespace

class TestPolicy : public QObject {
  Q_OBJECT

 private slots:
  void moreImportantRequestsGoFirst() {
    FakeMachine machine(options(Policy::kPriority, 0, 1));
    machine.submit(prompt(3), 1, 1, 0);
    machine.submit(prompt(3), 1, 1, 5);
    machine.submit(prompt(3), 1, 1, -2);
    machine.submit(prompt(3), 1, 1, 5);
    machine.run();
    QCOMPARE(admitted(machine), (Ids{2, 4, 1, 3}));
  }

  void theEarliestDeadlineGoesFirstAndNoDeadlineLast() {
    FakeMachine machine(options(Policy::kDeadline, 0, 1));
    machine.submit(prompt(3), 1);
    machine.submit(prompt(3), 1, 1, 0, 50);
    machine.submit(prompt(3), 1, 1, 0, 20);
    machine.nowNs += 40'000'000;
    machine.submit(prompt(3), 1, 1, 0, 9);  // due at 49 ms
    machine.run();
    QCOMPARE(admitted(machine), (Ids{3, 4, 2, 1}));
  }

  void theShortestGoFirst() {
    FakeMachine machine(options(Policy::kShortest, 0, 1));
    machine.submit(prompt(9), 4);
    machine.submit(prompt(3), 9);
    machine.submit(prompt(2), 3);
    machine.submit(prompt(6, 50), 6);  // as long as the second, and submitted after it
    machine.run();
    QCOMPARE(admitted(machine), (Ids{3, 2, 4, 1}));
  }

  void aShorterRequestTakesTheSlotOfALongerOne() {
    FakeMachine machine(options(Policy::kShortest, 64, 1));
    machine.submit(prompt(5), 20);
    for (int i = 0; i < 3; ++i) machine.step();
    machine.submit(prompt(4, 50), 22);  // one token longer
    machine.submit(prompt(4, 80), 2);
    machine.run();
    const auto preempted = machine.log.of<SequencePreempted>();
    QCOMPARE(preempted.size(), std::size_t{1});
    QVERIFY(preempted[0].reason == PreemptReason::kImportance);
    QVERIFY(preempted[0].sequence == 1 && preempted[0].forSequence == 3);
    QCOMPARE(machine.sequence(1).tokens, FakeMachine::expected(prompt(5), 20, 0));
    QCOMPARE(admitted(machine), (Ids{1, 3, 2}));
  }

  // The event's numbers, taken back from the rank, are those that the rank was made of.
  void aStandingHasTheNumbersOfTheRank() {
    for (const int aging : {0, 1, 64}) {
      const auto standing = [&](Policy policy, const Claim& claim) {
        Sequence sequence;
        sequence.submittedStep = claim.step;
        sequence.rank = rankOf(policy, aging, claim);
        return standingOf(policy, aging, sequence);
      };
      const Claim claim{17, -5, 2'000'000, 345};
      QVERIFY(standing(Policy::kFcfs, claim) == (Standing{Policy::kFcfs, 17, 0}));
      QVERIFY(standing(Policy::kPriority, claim) == (Standing{Policy::kPriority, 17, -5}));
      QVERIFY(standing(Policy::kDeadline, claim) == (Standing{Policy::kDeadline, 17, 2'000'000}));
      QVERIFY(standing(Policy::kShortest, claim) == (Standing{Policy::kShortest, 17, 345}));
      QCOMPARE(standing(Policy::kDeadline, {17, 0, kNever, 1}).claim, kNever);
    }
  }

  void aPreemptionForImportanceHasTheNumbersOfBoth() {
    FakeMachine machine(options(Policy::kShortest, 64, 1));
    machine.submit(prompt(5), 20);
    for (int i = 0; i < 3; ++i) machine.step();
    machine.submit(prompt(4, 80), 2);
    machine.run();
    const SequencePreempted event = machine.log.of<SequencePreempted>().at(0);
    QCOMPARE(event.running, 1);
    QVERIFY(event.standing == (Standing{Policy::kShortest, 0, 25}));
    QVERIFY(event.forStanding == (Standing{Policy::kShortest, 3, 6}));
    const auto admissions = machine.log.of<SequenceAdmitted>();
    QVERIFY(admissions.back().resumed && admissions.back().writtenTokens == 3);
    // It computes its prompt and what it had generated again.
    const auto scheduled = machine.log.of<SequenceScheduled>();
    QVERIFY(std::any_of(scheduled.begin(), scheduled.end(), [](const SequenceScheduled& e) {
      return e.kind == WorkKind::kPrefill && e.firstPosition + e.tokens == 8 && e.writtenTokens == 3;
    }));
  }

  void waitingCompensatesForLength() {
    // Ten steps a point of 64 tokens: after 20 steps the first has made up for 128 tokens.
    const auto rank = [](int aging, int step, std::int64_t tokens) {
      return rankOf(Policy::kShortest, aging, {step, 0, kNever, tokens});
    };
    QCOMPARE(rank(10, 0, 500), rank(10, 20, 500 - 2 * kTokensPerPoint));
    QVERIFY(rank(10, 0, 500) > rank(10, 19, 500 - 2 * kTokensPerPoint));
    QVERIFY(rank(0, 0, 500) > rank(0, 1 << 30, 499));
    const int most = std::numeric_limits<int>::max();
    QVERIFY(rank(kMaxAgingSteps, most, std::int64_t{2} * most) > rank(kMaxAgingSteps, 0, 2));
  }

  void waitingCompensatesForPriority() {
    // Ten steps a point: after 20 steps the first has made up for two points, and was submitted earlier.
    const auto rank = [](int aging, int step, int priority) {
      return rankOf(Policy::kPriority, aging, {step, priority, kNever, 0});
    };
    QCOMPARE(rank(10, 0, 0), rank(10, 20, 2));
    QVERIFY(rank(10, 0, 0) > rank(10, 19, 2));
    const int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    QVERIFY(rank(kMaxAgingSteps, most, least) > rank(kMaxAgingSteps, 0, most));
    QCOMPARE(deadlineAt(5, 1e300), kNever);
  }

  void aMoreImportantRequestPreemptsTheLeastImportant() {
    FakeMachine machine(options(Policy::kPriority, 0));
    machine.submit(prompt(5), 20, 1, 3);
    machine.submit(prompt(6, 50), 20, 1, 1);
    machine.step();
    machine.submit(prompt(4, 80), 2, 1, 2);
    machine.log.clear();
    machine.step();
    const auto published = machine.log.of<SequencePreempted>();
    QCOMPARE(published.size(), std::size_t{1});
    QVERIFY(published[0].reason == PreemptReason::kImportance);
    QCOMPARE(published[0].sequence, 2);
    QCOMPARE(published[0].forSequence, 3);
    QCOMPARE(published[0].neededSlots, 1);
    QCOMPARE(published[0].freeSlots, 0);
    QCOMPARE(published[0].neededBlocks, 1);
    QCOMPARE(published[0].lostTokens, 6);
    QVERIFY(machine.log.of<SequenceAdmitted>().empty());  // a step that preempts admits nothing
    QCOMPARE(idsOf(machine.scheduler.running()), Ids{1});
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{3, 2}));
    machine.step();
    QCOMPARE(idsOf(machine.scheduler.running()), (Ids{1, 3}));
    machine.run();
    QCOMPARE(machine.sequence(2).tokens, FakeMachine::expected(prompt(6, 50), 20, 0));
  }

  void onlyAsManyArePreemptedAsTheBlocksNeed() {
    FakeMachine machine(options(Policy::kPriority, 0, 8, 10));
    for (int i = 0; i < 3; ++i) machine.submit(prompt(10, 20 * (i + 1)), 9, 1, i == 0 ? 9 : 0);
    machine.step();  // three blocks each
    QCOMPARE(machine.scheduler.blocks().pool().freeCount(), 1);
    machine.submit(prompt(14, 100), 2, 1, 5);  // four blocks
    machine.log.clear();
    machine.step();
    const auto published = machine.log.of<SequencePreempted>();
    QCOMPARE(published.size(), std::size_t{1});
    QCOMPARE(published[0].sequence, 3);
    QCOMPARE(published[0].neededBlocks, 4);
    QCOMPARE(published[0].freeBlocks, 1);
    QCOMPARE(published[0].freedBlocks, 3);
    machine.run();
  }

  void noSequenceIsPreemptedInVain() {
    FakeMachine machine(options(Policy::kPriority, 0, 8, 8));
    machine.submit(prompt(22), 2, 1, 9);     // six blocks
    machine.submit(prompt(5, 50), 9, 1, 0);  // two
    machine.step();
    machine.submit(prompt(12, 80), 2, 1, 5);  // three: the second holds two, the first is not preempted
    machine.log.clear();
    machine.step();
    QVERIFY(machine.log.of<SequencePreempted>().empty());
    QVERIFY(machine.log.of<SequenceWaiting>().at(0).reason == WaitReason::kBlocks);
    machine.run();
  }

  void equalRanksDoNotPreempt() {
    for (std::size_t policy = 0; policy < Names<Policy>::list.size(); ++policy) {
      FakeMachine machine(options(static_cast<Policy>(policy), 4, 1));
      machine.submit(prompt(5), 9, 1, 1, 100);
      machine.step();
      machine.submit(prompt(5), 9, 1, 1, 100);
      machine.run();
      QVERIFY(machine.log.of<SequencePreempted>().empty());
    }
  }

  void aSearchIsPreemptedAsAWholeForOneSlot() {
    FakeMachine machine(options(Policy::kPriority, 0, 4));
    machine.submit(prompt(5), 20, 1, 5);
    machine.search(prompt(6, 50), 12, 3, 1);
    for (int i = 0; i < 2; ++i) machine.step();
    QCOMPARE(idsOf(machine.scheduler.running()), (Ids{1, 2, 3, 4}));
    machine.submit(prompt(4, 80), 2, 1, 9);
    machine.log.clear();
    machine.step();
    const auto published = machine.log.of<SequencePreempted>();
    QCOMPARE(published.size(), std::size_t{3});
    for (int i = 0; i < 3; ++i) {
      const SequencePreempted& one = published[static_cast<std::size_t>(i)];
      QVERIFY(one.reason == PreemptReason::kImportance && one.sequence == 4 - i && one.forSequence == 5);
      QVERIFY(one.neededSlots == 1 && one.freeSlots == i);
    }
    QCOMPARE(idsOf(machine.scheduler.running()), Ids{1});
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{5, 2, 3, 4}));
    machine.run();
    const auto beams = FakeMachine::expectedBeams(prompt(6, 50), 12, 3);
    for (int i = 0; i < 3; ++i) QCOMPARE(machine.sequence(2 + i).tokens, beams[static_cast<std::size_t>(i)]);
  }

  // Its first beam computes what the others wait for, and releases all slots of the search.
  void aSearchThatIsNotWholeIsPreemptedToo() {
    SchedulerOptions slow = options(Policy::kPriority, 0, 3);
    slow.tokenBudget = 4;
    slow.prefixCache = false;
    FakeMachine machine(slow);
    machine.search(prompt(12), 8, 3, 1);
    for (int i = 0; i < 5; ++i) machine.step();
    const Sequence& urgent = machine.submit(prompt(3, 80), 1, 1, 9);
    while (urgent.status != SequenceStatus::kFinished) machine.step();
    machine.step();
    QCOMPARE(idsOf(machine.scheduler.running()), Ids{1});
    QVERIFY(std::ranges::any_of(machine.log.of<SequenceWaiting>(), [](const SequenceWaiting& published) {
      return published.sequence == 2 && published.reason == WaitReason::kBeams;
    }));
    machine.submit(prompt(3, 90), 1, 1, 9);
    machine.log.clear();
    machine.step();
    const auto published = machine.log.of<SequencePreempted>();
    QCOMPARE(published.size(), std::size_t{1});
    QVERIFY(published[0].sequence == 1 && published[0].forSequence == 5 && published[0].neededSlots == 1 &&
            published[0].freeSlots == 0);
    QVERIFY(machine.scheduler.running().empty());
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{5, 1, 2, 3}));
    machine.run();
    const auto beams = FakeMachine::expectedBeams(prompt(12), 8, 3);
    for (int i = 0; i < 3; ++i) QCOMPARE(machine.sequence(1 + i).tokens, beams[static_cast<std::size_t>(i)]);
  }

  // A more important request runs beside a search that is not whole, when there is room for both.
  void moreImportantRequestsGoBeforeBeamsThatWait() {
    SchedulerOptions slow = options(Policy::kPriority, 0, 4);
    slow.tokenBudget = 4;
    slow.prefixCache = false;
    FakeMachine machine(slow);
    machine.search(prompt(12), 8, 3, 1);
    for (int i = 0; i < 5; ++i) machine.step();
    machine.submit(prompt(3, 70), 1, 2, 9);
    while (machine.scheduler.waiting().size() != 2)
      machine.step();  // all but the first beam, which has resumed
    QCOMPARE(idsOf(machine.scheduler.running()), Ids{1});
    machine.submit(prompt(3, 80), 1, 1, 9);
    machine.submit(prompt(3, 90), 1, 1, 0);
    machine.log.clear();
    machine.run();
    QVERIFY(machine.log.of<SequencePreempted>().empty());
    Ids order;
    for (const SequenceAdmitted& published : machine.log.of<SequenceAdmitted>())
      order.push_back(published.sequence);
    QCOMPARE(order, (Ids{6, 2, 3, 7}));
    const auto beams = FakeMachine::expectedBeams(prompt(12), 8, 3);
    for (int i = 0; i < 3; ++i) QCOMPARE(machine.sequence(1 + i).tokens, beams[static_cast<std::size_t>(i)]);
  }

  void aClosedBatchIsNotPreempted() {
    SchedulerOptions fixed = options(Policy::kPriority, 0, 1);
    fixed.batching = Batching::kStatic;
    FakeMachine machine(fixed);
    machine.submit(prompt(5), 4);
    machine.step();
    machine.submit(prompt(5), 1, 1, 9);
    machine.step();
    QVERIFY(machine.log.of<SequenceWaiting>().back().reason == WaitReason::kBatch);
    machine.run();
    QVERIFY(machine.log.of<SequencePreempted>().empty());
  }

  // Preempted sequences of the batch resume before a more important request, which may only join the next
  // batch.
  void aPreemptedSequenceResumesInItsClosedBatch() {
    SchedulerOptions fixed = options(Policy::kPriority, 0, 4, 6);
    fixed.batching = Batching::kStatic;
    FakeMachine machine(fixed);
    for (int i = 0; i < 3; ++i) machine.submit(prompt(8, 20 * (i + 1)), 4);
    machine.step();
    machine.submit(prompt(4, 90), 1, 1, 9);
    machine.run();
    QVERIFY(!machine.log.of<SequencePreempted>().empty());
    QCOMPARE(machine.log.of<SequenceAdmitted>().back().sequence, 4);
  }

  void agingAdvancesRequestsThatAreNotDue() {
    FakeMachine machine(options(Policy::kDeadline, 6, 1));
    machine.submit(prompt(3), 30, 1, 0, 1000);  // runs
    machine.step();
    machine.submit(prompt(3), 1);
    for (int i = 0; i < 5; ++i) machine.step();
    QCOMPARE(machine.log.of<SequenceAged>().size(),
             std::size_t{1});  // a running sequence ages too, so that it is not preempted
    machine.step();
    const auto aged = machine.log.of<SequenceAged>();
    QCOMPARE(aged.size(), std::size_t{2});
    QCOMPARE(aged[1].sequence, 2);
    QCOMPARE(aged[1].steps, 6);
    QCOMPARE(aged[1].rank, machine.nowNs);
    machine.submit(prompt(3), 1, 1, 0, 1e-3);  // due at once, and yet behind the aged ones
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{2, 3}));
    machine.run();
    QCOMPARE(admitted(machine), (Ids{1, 2, 3}));
  }

  void noRequestStarvesBesideAStream_data() {
    QTest::addColumn<int>("policy");
    QTest::addColumn<int>("agingSteps");
    QTest::newRow("priority") << static_cast<int>(Policy::kPriority) << 8;
    QTest::newRow("deadline") << static_cast<int>(Policy::kDeadline) << 16;
    QTest::newRow("shortest") << static_cast<int>(Policy::kShortest) << 128;
  }
  // One request a step goes before the first one: under priority, those of the next 2 x 8 steps; under
  // deadline, those of the 16 steps until it ages; under shortest, with 7 tokens less, those of the next
  // 7 x 128 / 64 steps. The stream is more than the machine can compute, so without aging the first one never
  // runs.
  void noRequestStarvesBesideAStream() {
    QFETCH(int, policy);
    QFETCH(int, agingSteps);
    SchedulerOptions chosen = options(static_cast<Policy>(policy), agingSteps);
    constexpr int kBefore = 17, kEach = 2 + 2 + 1 + kTokens, kItself = 2 + 2 + 1 + 6;
    const int bound = kBefore + kBefore * kEach + kItself;
    QVERIFY(stepsBesideAStream(chosen, 10 * bound) <= bound);
    chosen.agingSteps = 0;
    QCOMPARE(stepsBesideAStream(chosen, 10 * bound), 10 * bound);
  }

  // In general: when the last request that may go before a given one has been submitted, these and the given
  // one take no longer than one after another. Under priority, those are submitted at most agingSteps later
  // for each point; under shortest, for each 64 tokens less; under deadline, before the given one aged.
  void everyRequestKeepsItsBound() {
    std::mt19937 random(7);
    const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
    for (int round = 0; round < 200; ++round) {
      const auto policy = static_cast<Policy>(below(static_cast<int>(Names<Policy>::list.size())));
      SchedulerOptions chosen = options(policy, 1 + below(12), 1 + below(4), 8 + below(20));
      FakeMachine machine(chosen);
      std::map<SequenceId, int> finished, priorities, lengths;
      for (int step = 0; step < 60 || machine.scheduler.hasWork(); ++step) {
        QVERIFY2(step < 5000, "no end");
        for (int n = step < 60 ? below(3) : 0; n > 0; --n) {
          const int priority = below(4);
          const double deadlineMs = below(2) * (1 + below(30));
          const int maxTokens = 1 + below(8);
          const Sequence& one =
              machine.submit(prompt(1 + below(20), below(99)), maxTokens, 1, priority, deadlineMs);
          priorities[one.id] = priority;
          lengths[one.id] = one.promptTokens + maxTokens;
        }
        machine.step();
        for (const auto& [id, sequence] : machine.sequences())
          if (sequence->status == SequenceStatus::kFinished) finished.emplace(id, step);
      }
      for (const auto& [id, sequence] : machine.sequences()) {
        int last = 0, steps = 0;
        for (const auto& [otherId, other] : machine.sequences()) {
          int later = policy == Policy::kFcfs ? 0 : chosen.agingSteps;  // steps
          if (policy == Policy::kPriority) later *= priorities[otherId] - priorities[id];
          if (policy == Policy::kShortest) later = later * (lengths[id] - lengths[otherId]) / kTokensPerPoint;
          if (other->submittedStep > sequence->submittedStep + later ||
              (policy != Policy::kDeadline && goesBefore(*sequence, *other)))
            continue;
          last = std::max(last, other->submittedStep);
          steps += mostSteps(*other, chosen);
        }
        QVERIFY2(finished[id] <= last + steps,
                 qPrintable(QString("round %1, sequence %2").arg(round).arg(id)));
      }
    }
  }

  void anOpenWindowCollectsRequests() {
    FakeMachine machine(window(5));
    machine.submit(prompt(3), 3);
    machine.step();
    const SequenceWaiting published = machine.log.of<SequenceWaiting>().at(0);
    QVERIFY(published.reason == WaitReason::kWindow);
    QCOMPARE(published.needed, 5);
    QCOMPARE(published.available, 1);
    QCOMPARE(machine.scheduler.windowLeftNs(), 4'000'000);
    machine.step();
    machine.submit(prompt(3, 50), 1);  // the window opened with the first request
    for (int i = 0; i < 2; ++i) machine.step();
    QVERIFY(machine.log.of<SequenceAdmitted>().empty());
    machine.step();
    QCOMPARE(admitted(machine), (Ids{1, 2}));
    machine.submit(prompt(3, 80), 1);
    machine.step();
    QVERIFY(machine.log.of<SequenceWaiting>().back().reason == WaitReason::kBatch);
    machine.run();
    QCOMPARE(admitted(machine), (Ids{1, 2, 3}));
  }

  void aFullBatchDoesNotWait() {
    FakeMachine machine(window(1000));
    machine.submit(prompt(3), 2);
    machine.step();
    QVERIFY(machine.scheduler.running().empty());
    machine.submit(prompt(3, 50), 2, 2);  // two answers, two slots
    QCOMPARE(machine.scheduler.windowLeftNs(), 0);
    machine.step();
    QCOMPARE(admitted(machine), (Ids{1, 2}));
    machine.run();
  }

  void theFirstRequestOfAWindowMayBeCancelled() {
    FakeMachine machine(window(5));
    Sequence& first = machine.submit(prompt(3), 2);
    for (int i = 0; i < 3; ++i) machine.step();
    machine.submit(prompt(3, 50), 2);
    machine.scheduler.finish(first, FinishReason::kCancelled);
    QCOMPARE(machine.scheduler.windowLeftNs(), 5'000'000);  // the second request is the first one now
    machine.run();
    QCOMPARE(admitted(machine), Ids{2});
  }
};

QTEST_APPLESS_MAIN(TestPolicy)
#include "tst_policy.moc"
