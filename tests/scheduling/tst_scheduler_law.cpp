// Random workloads for the scheduler: with batching, chunks, sharing, preemption and cancellation, every
// sequence reads its own past and gets its own tokens, and no block is lost.
#include <QTest>
#include <random>
#include <set>

#include "scheduling/policy.h"
#include "support/fake_machine.h"

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

struct Life {
  int arrival, maxTokens, answers, cancelAt;  // cancelAt < 0: never
  int priority;
  double deadlineMs;
  Tokens prompt;
  bool search = false;  // the answers are beams of one search
  SequenceId first = 0;
};

std::uint64_t everythingCollides(std::uint64_t, std::span<const TokenId>) { return 1; }

class Workload {
 public:
  explicit Workload(std::uint32_t seed) : m_random(seed) {
    options.blockSize = pick({1, 2, 3, 4, 8});
    options.numBlocks = 6 + below(20);
    options.maxSequences = 1 + below(6);
    options.tokenBudget = pick({1, 2, 3, 5, 8, 16, 64});
    options.batching = static_cast<Batching>(pick({0, 0, 0, 1, 2, 3}));
    options.windowMs = below(6);
    options.policy = static_cast<Policy>(below(static_cast<int>(Names<Policy>::list.size())));
    options.agingSteps = pick({0, 1, 3, 8, 40});
    options.prefixCache = below(4) > 0;
    options.chunkedPrefill = below(4) > 0;
    collide = below(4) == 0;
    draftLength = pick({0, 0, 1, 3, 6});
    if (below(2) == 0) swap = {below(7), 1 + below(10), pick({0, 0, 3, 5})};
    const int most = options.blockSize * options.numBlocks;
    const int count = 2 + below(8);
    for (int i = 0; i < count; ++i) {
      Life life{below(12), 1 + below(12), std::min(pick({1, 1, 2, 3, 4}), options.maxSequences),
                -1,        below(4) - 1,  pick({0, 0, 1}) * (0.5 + below(30)),
                {}};
      if (below(5) == 0) life.cancelAt = life.arrival + below(10);
      const int length = 1 + below(std::max(1, std::min(most - life.maxTokens, 24)));
      if (length + life.maxTokens > most) continue;
      // Two letters and a common beginning make long equal prefixes likely.
      for (int p = 0; p < length; ++p) life.prompt.push_back(p < 10 && i % 2 == 0 ? p : below(2));
      life.search = life.answers > 1 && below(3) > 0 && fitsSearch(life);
      lives.push_back(life);
    }
  }

  SchedulerOptions options;
  std::vector<Life> lives;
  bool collide = false;
  int draftLength = 0;
  FakeSwap swap;

 private:
  // All beams at once: the prompt's full blocks are shared.
  bool fitsSearch(const Life& life) const {
    const int length = static_cast<int>(life.prompt.size()), shared = length / options.blockSize;
    const int all = (length + life.maxTokens + options.blockSize - 1) / options.blockSize;
    return shared + life.answers * (all - shared) <= options.numBlocks;
  }
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  int pick(std::vector<int> values) { return values[m_random() % values.size()]; }
  std::mt19937 m_random;
};

}  // namespace

class TestSchedulerLaw : public QObject {
  Q_OBJECT

 private slots:
  void everySequenceGetsItsOwnTokens() {
    int preemptions = 0, copies = 0, hits = 0, evictions = 0, rollbacks = 0, swapIns = 0, swapFailures = 0;
    int aged = 0, forImportance = 0, windows = 0, searchesPreempted = 0, joined = 0;
    for (std::uint32_t seed = 1; seed <= 6000; ++seed) {
      Workload workload(seed);
      FakeMachine machine(workload.options, workload.collide ? everythingCollides : PrefixIndex::chainHash,
                          workload.swap);
      machine.draftLength = workload.draftLength;
      live(machine, workload);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1").arg(seed)));
      preemptions += static_cast<int>(machine.log.of<SequencePreempted>().size());
      copies += static_cast<int>(machine.log.of<BlockCopied>().size());
      hits += static_cast<int>(machine.log.of<BlockHit>().size());
      evictions += static_cast<int>(machine.log.of<BlockEvicted>().size());
      rollbacks += static_cast<int>(machine.log.of<DraftRolledBack>().size());
      swapIns += static_cast<int>(machine.log.of<BlockSwappedIn>().size());
      swapFailures += static_cast<int>(machine.log.of<SwapFailed>().size());
      aged += static_cast<int>(machine.log.of<SequenceAged>().size());
      for (const SequencePreempted& published : machine.log.of<SequencePreempted>()) {
        if (published.reason != PreemptReason::kImportance) continue;
        ++forImportance;
        searchesPreempted += machine.sequence(published.sequence).beams > 1 ? 1 : 0;
      }
      for (const SequenceAdmitted& published : machine.log.of<SequenceAdmitted>())
        joined += joins(machine, published) ? 1 : 0;
      for (const SequenceWaiting& published : machine.log.of<SequenceWaiting>())
        windows += published.reason == WaitReason::kWindow ? 1 : 0;
    }
    // The workloads are hard enough.
    QVERIFY(preemptions > 500 && copies > 500 && hits > 500 && rollbacks > 500 && evictions > 500 &&
            swapIns > 500 && swapFailures > 100);
    QVERIFY(aged > 500 && forImportance > 300 && windows > 300 && searchesPreempted > 300 && joined > 300);
  }

 private:
  static void live(FakeMachine& machine, Workload& workload) {
    for (int step = 0; step < 20 || machine.scheduler.hasWork(); ++step) {
      QVERIFY2(step < 5000, "no end");
      for (Life& life : workload.lives) {
        if (life.arrival == step) submit(machine, life);
        if (life.cancelAt == step) cancel(machine, life);
      }
      const std::size_t before = machine.log.events.size();
      try {
        machine.step();
      } catch (const std::exception& error) {
        QFAIL(error.what());
      }
      QCOMPARE(machine.brokenInvariant(), std::string());
      checkOrder(machine, workload.options.policy);
      checkStep(machine, workload.options, before);
    }
    QCOMPARE(machine.scheduler.blocks().pool().freeCount(), workload.options.numBlocks);
    QCOMPARE(machine.swapSpace.freeCount(), workload.swap.hostSlots + workload.swap.diskSlots);
    checkImportance(machine, workload.options.policy);
    for (const Life& life : workload.lives) {
      const auto beams = FakeMachine::expectedBeams(life.prompt, life.maxTokens, life.answers);
      for (int index = 0; index < life.answers && life.cancelAt < 0; ++index) {
        QCOMPARE(machine.sequence(life.first + index).tokens,
                 life.search ? beams[static_cast<std::size_t>(index)]
                             : FakeMachine::expected(life.prompt, life.maxTokens, index));
      }
    }
  }

  static void submit(FakeMachine& machine, Life& life) {
    life.first =
        life.search
            ? machine.search(life.prompt, life.maxTokens, life.answers, life.priority, life.deadlineMs).id
            : machine.submit(life.prompt, life.maxTokens, life.answers, life.priority, life.deadlineMs).id;
  }

  // Whether the event is of a beam that joins its search.
  static bool joins(const FakeMachine& machine, const SequenceAdmitted& published) {
    const Sequence& sequence = *machine.sequences().at(published.sequence);
    return sequence.beams > 1 && sequence.index > 0;
  }

  // Why preemption by importance ends: no sequence is preempted twice for the same request. Under fcfs there
  // is none.
  static void checkImportance(FakeMachine& machine, Policy policy) {
    std::set<std::pair<SequenceId, RequestId>> seen;
    for (const SequencePreempted& published : machine.log.of<SequencePreempted>()) {
      if (published.reason != PreemptReason::kImportance) continue;
      QVERIFY(policy != Policy::kFcfs);
      QVERIFY(seen.emplace(published.sequence, machine.sequence(published.forSequence).request).second);
    }
  }

  static void cancel(FakeMachine& machine, const Life& life) {
    if (life.first == 0) return;
    for (int index = 0; index < life.answers; ++index) {
      const auto found = machine.sequences().find(life.first + index);
      if (found == machine.sequences().end() || found->second->status == SequenceStatus::kFinished) continue;
      machine.scheduler.finish(*found->second, FinishReason::kCancelled);
    }
  }

  // Both lists are in the policy's order. Under fcfs the waiting list continues the running one.
  static void checkOrder(const FakeMachine& machine, Policy policy) {
    std::vector<const Sequence*> running(machine.scheduler.running().begin(),
                                         machine.scheduler.running().end());
    std::vector<const Sequence*> waiting(machine.scheduler.waiting().begin(),
                                         machine.scheduler.waiting().end());
    if (policy == Policy::kFcfs) waiting.insert(waiting.begin(), running.begin(), running.end());
    for (const auto& list : {running, waiting}) {
      for (std::size_t i = 1; i < list.size(); ++i) {
        QVERIFY(!goesBefore(*list[i], *list[i - 1]));
        QVERIFY(policy != Policy::kFcfs || list[i]->id > list[i - 1]->id);
        QVERIFY(list[i]->request != list[i - 1]->request || list[i]->index > list[i - 1]->index);
      }
    }
    // The beams of a search that run are the first ones.
    for (std::size_t i = 0; i < running.size(); ++i) {
      const Sequence& one = *running[i];
      if (one.beams == 1 || one.index == 0) continue;
      QVERIFY(i > 0 && running[i - 1]->request == one.request && running[i - 1]->index + 1 == one.index);
    }
  }

  static void checkStep(const FakeMachine& machine, const SchedulerOptions& options, std::size_t before) {
    bool preempted = false, admitted = false;
    for (std::size_t i = before; i < machine.log.events.size(); ++i) {
      const EventBody& body = machine.log.events[i].body;
      preempted |= std::holds_alternative<SequencePreempted>(body);
      const auto* event = std::get_if<SequenceAdmitted>(&body);
      admitted |= event != nullptr && !joins(machine, *event);
      if (const auto* planned = std::get_if<StepPlanned>(&body)) {
        const bool alone = !options.chunkedPrefill && planned->sequences == 1;
        QVERIFY(alone || planned->decodeTokens + planned->prefillTokens <= options.tokenBudget);
        // No idle step, unless a window is open or all sequences were preempted.
        QVERIFY(planned->sequences > 0 || !machine.scheduler.hasWork() ||
                machine.scheduler.windowLeftNs() > 0 || preempted);
      }
    }
    QVERIFY(!(preempted && admitted));
    QVERIFY(static_cast<int>(machine.scheduler.running().size()) <= options.maxSequences);
  }
};

QTEST_APPLESS_MAIN(TestSchedulerLaw)
#include "tst_scheduler_law.moc"
