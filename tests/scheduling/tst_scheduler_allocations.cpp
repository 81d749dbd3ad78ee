// A step of the steady state allocates no memory: sequences decode, blocks are allocated, registered and
// evicted, and a prompt that is partly cached waits.
#include "support/allocations.h"

#include "scheduling/scheduler.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <memory>

using namespace vitrine;

namespace {

int allocations = 0;

bool count(std::size_t, test::NewForm) {
  ++allocations;
  return true;
}

struct CountingSink : EventSink {
  void publish(const Event& event) override {
    allocated += bodyOf<BlockAllocated>(event) != nullptr ? 1 : 0;
    cached += bodyOf<BlockCached>(event) != nullptr ? 1 : 0;
    evicted += bodyOf<BlockEvicted>(event) != nullptr ? 1 : 0;
  }
  int allocated = 0, cached = 0, evicted = 0;
};

}  // namespace

class TestSchedulerAllocations : public QObject {
  Q_OBJECT

 private slots:
  void aSteadyStepAllocatesNothing() {
    CountingSink sink;
    EventStream stream(sink, 1);
    SchedulerOptions options;
    options.blockSize = 4;
    options.maxSequences = 8;
    options.numBlocks = 70;
    options.tokenBudget = 256;
    Scheduler scheduler(options, stream);
    std::vector<std::unique_ptr<Sequence>> sequences;
    const auto submit = [&](int tokens, TokenId seed) {
      Sequence& sequence = *sequences.emplace_back(std::make_unique<Sequence>());
      sequence.id = static_cast<SequenceId>(sequences.size());
      sequence.request = static_cast<RequestId>(sequences.size());
      sequence.tokens.reserve(256);
      for (int i = 0; i < tokens; ++i) sequence.tokens.push_back(seed + i);
      sequence.promptTokens = tokens;
      scheduler.stamp(sequence, {});
      scheduler.submit(sequence);
    };
    const auto step = [&] {
      stream.beginStep();
      scheduler.admit();
      for (const Work& work : scheduler.plan().work) work.sequence->wantedDraft = 0;
      scheduler.allocate();
      scheduler.advance();
      for (const Work& work : scheduler.currentPlan().work)
        if (work.samples) work.sequence->tokens.push_back(static_cast<TokenId>(work.sequence->id));
      scheduler.registerBlocks();
      scheduler.evictContext();
    };
    submit(60, 1000);  // its 15 blocks stay in the cache when it has ended
    step();
    scheduler.finish(*sequences[0], FinishReason::kLength);
    for (int i = 0; i < 8; ++i) submit(5 + i % 4, 2000 + 100 * i);
    step();
    submit(61, 1000);  // it waits for a slot
    for (int i = 0; i < 3; ++i) step();
    const int allocated = sink.allocated, cached = sink.cached;
    allocations = 0;
    test::allocationRule = count;
    for (int i = 0; i < 20; ++i) step();  // no table outgrows the 8 blocks that it reserves
    test::allocationRule = nullptr;
    QCOMPARE(allocations, 0);
    QVERIFY(sink.allocated - allocated >= 38 && sink.cached - cached >= 38 && sink.evicted > 0);
    QCOMPARE(scheduler.waiting().size(), std::size_t{1});
  }
};

QTEST_APPLESS_MAIN(TestSchedulerAllocations)
#include "tst_scheduler_allocations.moc"
