// Who goes first, who gives way to whom, and that nobody starves.
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

// The order in which they were admitted, the first time.
Ids admitted(const FakeMachine& machine) {
  Ids ids;
  for (const SequenceAdmitted& told : machine.log.of<SequenceAdmitted>())
    if (!told.resumed) ids.push_back(told.sequence);
  return ids;
}

constexpr int kTokens = 3;  // that each of a stream generates

// Steps until the first request has ended, beside one new request a step that goes before it; or `most`.
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

// Steps a sequence takes at most once nobody unfinished goes before it: waiting for way to be made, computing
// all it has (again, if it gave way), and a step for each token.
int mostSteps(const Sequence& sequence, const SchedulerOptions& chosen) {
  const int chunk = chosen.tokenBudget - chosen.maxSequences;
  return chosen.maxSequences + 2 + (sequence.totalTokens() + chunk - 1) / chunk + sequence.outputTokens();
}

}  // namespace

class TestPolicy : public QObject {
  Q_OBJECT

 private slots:
  void theMoreImportantGoFirst() {
    FakeMachine machine(options(Policy::kPriority, 0, 1));
    machine.submit(prompt(3), 1, 1, 0);
    machine.submit(prompt(3), 1, 1, 5);
    machine.submit(prompt(3), 1, 1, -2);
    machine.submit(prompt(3), 1, 1, 5);
    machine.run();
    QCOMPARE(admitted(machine), (Ids{2, 4, 1, 3}));
  }

  void theEarliestDeadlineGoesFirstAndWhoHasNoneGoesLast() {
    FakeMachine machine(options(Policy::kDeadline, 0, 1));
    machine.submit(prompt(3), 1);
    machine.submit(prompt(3), 1, 1, 0, 50);
    machine.submit(prompt(3), 1, 1, 0, 20);
    machine.nowNs += 40'000'000;
    machine.submit(prompt(3), 1, 1, 0, 9);  // due at 49 ms
    machine.run();
    QCOMPARE(admitted(machine), (Ids{3, 4, 2, 1}));
  }

  void waitingMakesUpForPriority() {
    // Ten steps a point: after 20 steps the first has caught up with two points, and came before.
    QCOMPARE(rankOf(Policy::kPriority, 10, 0, kNever, 0), rankOf(Policy::kPriority, 10, 2, kNever, 20));
    QVERIFY(rankOf(Policy::kPriority, 10, 0, kNever, 0) > rankOf(Policy::kPriority, 10, 2, kNever, 19));
    const int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    QVERIFY(rankOf(Policy::kPriority, kMaxAgingSteps, least, kNever, most) >
            rankOf(Policy::kPriority, kMaxAgingSteps, most, kNever, 0));
    QCOMPARE(deadlineAt(5, 1e300), kNever);
  }

  void aNewcomerTakesThePlaceOfTheLeastImportant() {
    FakeMachine machine(options(Policy::kPriority, 0));
    machine.submit(prompt(5), 20, 1, 3);
    machine.submit(prompt(6, 50), 20, 1, 1);
    machine.step();
    machine.submit(prompt(4, 80), 2, 1, 2);
    machine.log.clear();
    machine.step();
    const auto told = machine.log.of<SequencePreempted>();
    QCOMPARE(told.size(), std::size_t{1});
    QVERIFY(told[0].reason == PreemptReason::kImportance);
    QCOMPARE(told[0].sequence, 2);
    QCOMPARE(told[0].forSequence, 3);
    QCOMPARE(told[0].neededPlaces, 1);
    QCOMPARE(told[0].freePlaces, 0);
    QCOMPARE(told[0].neededBlocks, 1);
    QCOMPARE(told[0].lostTokens, 6);
    QVERIFY(machine.log.of<SequenceAdmitted>().empty());  // nobody comes in where somebody gave way
    QCOMPARE(idsOf(machine.scheduler.running()), Ids{1});
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{3, 2}));
    machine.step();
    QCOMPARE(idsOf(machine.scheduler.running()), (Ids{1, 3}));
    machine.run();
    QCOMPARE(machine.sequence(2).tokens, FakeMachine::expected(prompt(6, 50), 20, 0));
  }

  void asManyGiveWayAsTheBlocksTakeAndNoMore() {
    FakeMachine machine(options(Policy::kPriority, 0, 8, 10));
    for (int i = 0; i < 3; ++i) machine.submit(prompt(10, 20 * (i + 1)), 9, 1, i == 0 ? 9 : 0);
    machine.step();  // three blocks each
    QCOMPARE(machine.scheduler.blocks().pool().freeCount(), 1);
    machine.submit(prompt(14, 100), 2, 1, 5);  // four blocks
    machine.log.clear();
    machine.step();
    const auto told = machine.log.of<SequencePreempted>();
    QCOMPARE(told.size(), std::size_t{1});
    QCOMPARE(told[0].sequence, 3);
    QCOMPARE(told[0].neededBlocks, 4);
    QCOMPARE(told[0].freeBlocks, 1);
    QCOMPARE(told[0].freedBlocks, 3);
    machine.run();
  }

  void nobodyGivesWayInVain() {
    FakeMachine machine(options(Policy::kPriority, 0, 8, 8));
    machine.submit(prompt(22), 2, 1, 9);     // six blocks
    machine.submit(prompt(5, 50), 9, 1, 0);  // two
    machine.step();
    machine.submit(prompt(12, 80), 2, 1, 5);  // three: the second has two, the first keeps its own
    machine.log.clear();
    machine.step();
    QVERIFY(machine.log.of<SequencePreempted>().empty());
    QVERIFY(machine.log.of<SequenceWaiting>().at(0).reason == WaitReason::kBlocks);
    machine.run();
  }

  void equalsDoNotGiveWay() {
    for (const Policy policy : {Policy::kFcfs, Policy::kPriority, Policy::kDeadline}) {
      FakeMachine machine(options(policy, 4, 1));
      machine.submit(prompt(5), 9, 1, 1, 100);
      machine.step();
      machine.submit(prompt(5), 1, 1, 1, 100);
      machine.run();
      QVERIFY(machine.log.of<SequencePreempted>().empty());
    }
  }

  void aSearchGivesWayWholeForOnePlace() {
    FakeMachine machine(options(Policy::kPriority, 0, 4));
    machine.submit(prompt(5), 20, 1, 5);
    machine.search(prompt(6, 50), 12, 3, 1);
    for (int i = 0; i < 2; ++i) machine.step();
    QCOMPARE(idsOf(machine.scheduler.running()), (Ids{1, 2, 3, 4}));
    machine.submit(prompt(4, 80), 2, 1, 9);
    machine.log.clear();
    machine.step();
    const auto told = machine.log.of<SequencePreempted>();
    QCOMPARE(told.size(), std::size_t{3});
    for (int i = 0; i < 3; ++i) {
      const SequencePreempted& one = told[static_cast<std::size_t>(i)];
      QVERIFY(one.reason == PreemptReason::kImportance && one.sequence == 4 - i && one.forSequence == 5);
      QVERIFY(one.neededPlaces == 1 && one.freePlaces == i);
    }
    QCOMPARE(idsOf(machine.scheduler.running()), Ids{1});
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{5, 2, 3, 4}));
    machine.run();
    const auto beams = FakeMachine::expectedBeams(prompt(6, 50), 12, 3);
    for (int i = 0; i < 3; ++i) QCOMPARE(machine.sequence(2 + i).tokens, beams[static_cast<std::size_t>(i)]);
  }

  // Its first beam computes what the others wait for, and gives way with all places of the search.
  void aSearchThatIsNotWholeGivesWayToo() {
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
    QVERIFY(std::ranges::any_of(machine.log.of<SequenceWaiting>(), [](const SequenceWaiting& told) {
      return told.sequence == 2 && told.reason == WaitReason::kBeams;
    }));
    machine.submit(prompt(3, 90), 1, 1, 9);
    machine.log.clear();
    machine.step();
    const auto told = machine.log.of<SequencePreempted>();
    QCOMPARE(told.size(), std::size_t{1});
    QVERIFY(told[0].sequence == 1 && told[0].forSequence == 5 && told[0].neededPlaces == 1 &&
            told[0].freePlaces == 0);
    QVERIFY(machine.scheduler.running().empty());
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{5, 1, 2, 3}));
    machine.run();
    const auto beams = FakeMachine::expectedBeams(prompt(12), 8, 3);
    for (int i = 0; i < 3; ++i) QCOMPARE(machine.sequence(1 + i).tokens, beams[static_cast<std::size_t>(i)]);
  }

  // Who is more important joins a search that is not whole, when there is room for both.
  void theMoreImportantComeBeforeBeamsThatWait() {
    SchedulerOptions slow = options(Policy::kPriority, 0, 4);
    slow.tokenBudget = 4;
    slow.prefixCache = false;
    FakeMachine machine(slow);
    machine.search(prompt(12), 8, 3, 1);
    for (int i = 0; i < 5; ++i) machine.step();
    machine.submit(prompt(3, 70), 1, 2, 9);
    while (machine.scheduler.waiting().size() != 2) machine.step();  // all but the first beam, which is back
    QCOMPARE(idsOf(machine.scheduler.running()), Ids{1});
    machine.submit(prompt(3, 80), 1, 1, 9);
    machine.submit(prompt(3, 90), 1, 1, 0);
    machine.log.clear();
    machine.run();
    QVERIFY(machine.log.of<SequencePreempted>().empty());
    Ids order;
    for (const SequenceAdmitted& told : machine.log.of<SequenceAdmitted>()) order.push_back(told.sequence);
    QCOMPARE(order, (Ids{6, 2, 3, 7}));
    const auto beams = FakeMachine::expectedBeams(prompt(12), 8, 3);
    for (int i = 0; i < 3; ++i) QCOMPARE(machine.sequence(1 + i).tokens, beams[static_cast<std::size_t>(i)]);
  }

  void aClosedBatchIsNotPushedAside() {
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

  // The batch's own come back before a more important newcomer, which may only join the next one.
  void whoGaveWayComesBackIntoItsClosedBatch() {
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

  void agingBringsForwardWhoIsNotDue() {
    FakeMachine machine(options(Policy::kDeadline, 6, 1));
    machine.submit(prompt(3), 30, 1, 0, 1000);  // runs
    machine.step();
    machine.submit(prompt(3), 1);
    for (int i = 0; i < 5; ++i) machine.step();
    QCOMPARE(machine.log.of<SequenceAged>().size(),
             std::size_t{1});  // who runs ages too, so that it stays there
    machine.step();
    const auto aged = machine.log.of<SequenceAged>();
    QCOMPARE(aged.size(), std::size_t{2});
    QCOMPARE(aged[1].sequence, 2);
    QCOMPARE(aged[1].steps, 6);
    QCOMPARE(aged[1].rank, machine.nowNs);
    machine.submit(prompt(3), 1, 1, 0, 1e-3);  // due at once, and yet after them
    QCOMPARE(idsOf(machine.scheduler.waiting()), (Ids{2, 3}));
    machine.run();
    QCOMPARE(admitted(machine), (Ids{1, 2, 3}));
  }

  void nobodyStarvesBesideAStream_data() {
    QTest::addColumn<int>("policy");
    QTest::addColumn<int>("agingSteps");
    QTest::newRow("priority") << static_cast<int>(Policy::kPriority) << 8;
    QTest::newRow("deadline") << static_cast<int>(Policy::kDeadline) << 16;
  }
  // Before the first go one a step: by priority those of the next 2 x 8 steps, by deadline those of the 16
  // steps until it ages. The stream is more than the machine can do, so without aging it never comes to the
  // first one.
  void nobodyStarvesBesideAStream() {
    QFETCH(int, policy);
    QFETCH(int, agingSteps);
    SchedulerOptions chosen = options(static_cast<Policy>(policy), agingSteps);
    constexpr int kBefore = 17, kEach = 2 + 2 + 1 + kTokens, kItself = 2 + 2 + 1 + 6;
    const int bound = kBefore + kBefore * kEach + kItself;
    QVERIFY(stepsBesideAStream(chosen, 10 * bound) <= bound);
    chosen.agingSteps = 0;
    QCOMPARE(stepsBesideAStream(chosen, 10 * bound), 10 * bound);
  }

  // In general: when the last of those that may go before a request has come, they and it take no longer than
  // one after another. Those are, by priority, who came at most agingSteps for each point later; by deadline,
  // who came before it aged.
  void everyRequestKeepsItsBound() {
    std::mt19937 random(7);
    const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
    for (int round = 0; round < 200; ++round) {
      const Policy policy = below(2) == 0 ? Policy::kPriority : Policy::kDeadline;
      SchedulerOptions chosen = options(policy, 1 + below(12), 1 + below(4), 8 + below(20));
      FakeMachine machine(chosen);
      std::map<SequenceId, int> finished, priorities;
      for (int step = 0; step < 60 || machine.scheduler.hasWork(); ++step) {
        QVERIFY2(step < 5000, "no end");
        for (int n = step < 60 ? below(3) : 0; n > 0; --n) {
          const int priority = below(4);
          const double deadlineMs = below(2) * (1 + below(30));
          const Sequence& one =
              machine.submit(prompt(1 + below(20), below(99)), 1 + below(8), 1, priority, deadlineMs);
          priorities[one.id] = priority;
        }
        machine.step();
        for (const auto& [id, sequence] : machine.sequences())
          if (sequence->status == SequenceStatus::kFinished) finished.emplace(id, step);
      }
      for (const auto& [id, sequence] : machine.sequences()) {
        int last = 0, steps = 0;
        for (const auto& [otherId, other] : machine.sequences()) {
          const int points = policy == Policy::kPriority ? priorities[otherId] - priorities[id] : 1;
          const int latest = sequence->submittedStep + points * chosen.agingSteps;
          if (other->submittedStep > latest || (policy == Policy::kPriority && goesBefore(*sequence, *other)))
            continue;
          last = std::max(last, other->submittedStep);
          steps += mostSteps(*other, chosen);
        }
        QVERIFY2(finished[id] <= last + steps,
                 qPrintable(QString("round %1, sequence %2").arg(round).arg(id)));
      }
    }
  }

  void aWindowWaitsForCompany() {
    FakeMachine machine(window(5));
    machine.submit(prompt(3), 3);
    machine.step();
    const SequenceWaiting told = machine.log.of<SequenceWaiting>().at(0);
    QVERIFY(told.reason == WaitReason::kWindow);
    QCOMPARE(told.needed, 5);
    QCOMPARE(told.available, 1);
    QCOMPARE(machine.scheduler.windowLeftNs(), 4'000'000);
    machine.step();
    machine.submit(prompt(3, 50), 1);  // the window opened with the first
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
    machine.submit(prompt(3, 50), 2, 2);  // two answers, two places
    QCOMPARE(machine.scheduler.windowLeftNs(), 0);
    machine.step();
    QCOMPARE(admitted(machine), (Ids{1, 2}));
    machine.run();
  }

  void theWindowsFirstMayBeCancelled() {
    FakeMachine machine(window(5));
    Sequence& first = machine.submit(prompt(3), 2);
    for (int i = 0; i < 3; ++i) machine.step();
    machine.submit(prompt(3, 50), 2);
    machine.scheduler.finish(first, FinishReason::kCancelled);
    QCOMPARE(machine.scheduler.windowLeftNs(), 5'000'000);  // the second is the first now
    machine.run();
    QCOMPARE(admitted(machine), Ids{2});
  }
};

QTEST_APPLESS_MAIN(TestPolicy)
#include "tst_policy.moc"
