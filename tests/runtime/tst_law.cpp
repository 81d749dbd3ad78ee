// The law: batching, chunking, preemption, prefix hits, forks and greedy speculation never change a request's tokens, and on the
// CPU the log-probabilities are the same to the bit. Random workloads, each request compared with itself run
// alone; after every step the pool's books must balance and the events' replay must equal the machine.
#include "runtime/state_json.h"
#include "support/replaying_sink.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>
#include <random>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

struct Life {
  Request request;
  int arrival = 0;
  int cancelAt = -1;    // the step before which it is cancelled
  bool atGate = false;  // or in the middle of that step
  RequestId id = 0;
};

// One of a few hundred ways to be unlucky.
class Workload {
 public:
  explicit Workload(std::uint32_t seed) : m_random(seed) {
    options.threads = 1;
    options.blockSize = pick({1, 2, 4, 4, 8, 16});
    options.numBlocks = 6 + below(18);
    options.maxSequences = 1 + below(6);
    options.tokenBudget = pick({1, 2, 3, 7, 16, 64});
    options.batching = static_cast<Batching>(pick({0, 0, 0, 0, 1, 2, 3}));
    options.windowMs = below(6);
    options.policy = static_cast<Policy>(below(3));
    options.agingSteps = pick({0, 1, 4, 20});
    options.prefixCache = below(4) > 0;
    options.chunkedPrefill = below(4) > 0;
    options.seed = below(2) == 0 ? 0 : 99;
    options.speculation.drafter = static_cast<DraftMethod>(pick({0, 0, 1, 2, 3}));
    options.speculation.draftLength = 1 + below(6);
    options.speculation.adaptive = below(2) == 0;
    options.speculation.exitLayer = 1;
    options.speculation.draftModel = "the other one";
    options.speculation.ngramLength = 1 + below(3);
    draftsLikeTheModel = below(2) == 0;
    const int count = 2 + below(6);
    for (int i = 0; i < count; ++i) addLife();
  }

  EngineOptions options;
  std::vector<Life> lives;
  bool draftsLikeTheModel = false;  // the second model is the first one

 private:
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  int pick(const std::vector<int>& values) { return values[m_random() % values.size()]; }

  void addLife() {
    Life life;
    Request& request = life.request;
    request.maxTokens = 1 + below(12);
    const int room = std::min(options.numBlocks * options.blockSize - request.maxTokens, 28);
    if (room < 1) return;
    const int length = 1 + below(room);
    // A common beginning, then one of two letters: prefixes overlap in every way.
    const int common = below(3) * length / 2;
    for (int i = 0; i < length; ++i) request.tokenIds.push_back(i < common ? 10 + i : 8 + below(2));
    request.sequences = std::min(pick({1, 1, 1, 2, 3}), options.maxSequences);
    request.ignoreEos = below(2) == 0;
    request.logprobs = 2;
    if (below(6) == 0) request.cacheSalt = 1;
    if (below(3) > 0) {
      request.sampling.temperature = pick({1, 3}) * 0.7;
      request.sampling.seed = m_random();
      request.sampling.topK = pick({0, 0, 5});
      request.sampling.topP = pick({1, 2}) * 0.5;
      request.sampling.repetitionPenalty = pick({1, 1, 2});
      request.sampling.frequencyPenalty = pick({0, 0, 1});
    }
    request.priority = below(4) - 1;
    request.deadlineMs = pick({0, 0, 1}) * (0.5 + below(30));
    life.arrival = below(10);
    if (below(5) == 0) life.cancelAt = life.arrival + below(12);
    life.atGate = below(2) == 0;
    lives.push_back(std::move(life));
  }

  std::mt19937 m_random;
};

// A request alone in an engine with room for everything, in one piece, with nothing to hit.
RequestResult alone(const TinyModel& model, const Request& request, std::uint64_t engineSeed) {
  EngineOptions options = tinyOptions(64, 16, 512);
  options.prefixCache = false;
  options.seed = engineSeed;
  ReplayingSink sink;
  const auto engine = model.engine(options, sink);
  const RequestId id = engine->submit(request);
  engine->run();
  return engine->takeResult(id);
}

bool sameLogprobs(const SequenceResult& a, const SequenceResult& b) {
  return std::ranges::equal(a.logprobs, b.logprobs, [](const TokenLogprob& x, const TokenLogprob& y) {
    return x.token == y.token && x.logprob == y.logprob && x.top == y.top;
  });
}

}  // namespace

class TestLaw : public QObject {
  Q_OBJECT

 private slots:
  void companyNeverChangesTokens_data() {
    QTest::addColumn<int>("slidingWindow");
    QTest::addColumn<int>("firstSeed");
    QTest::addColumn<int>("workloads");
    QTest::newRow("full attention") << 0 << 1 << 800;
    QTest::newRow("sliding window") << 6 << 10001 << 250;
  }
  void companyNeverChangesTokens() {
    QFETCH(int, slidingWindow);
    QFETCH(int, firstSeed);
    QFETCH(int, workloads);
    const TinyModel model(tinyConfig(96, slidingWindow));
    m_events.clear();
    for (int i = 0; i < workloads; ++i) {
      Workload workload(static_cast<std::uint32_t>(firstSeed + i));
      live(model, workload);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1").arg(firstSeed + i)));
    }
    // The workloads are hard enough to mean something.
    for (const char* kind : {"preempted", "copied", "hit", "evicted", "forked", "cancelled", "drafted",
                             "rolled back", "gave way", "aged", "windows"}) {
      QVERIFY2(m_events[kind] >= workloads / 10, kind);
    }
  }

 private:
  void live(const TinyModel& model, Workload& workload) {
    ReplayingSink sink;
    static const TinyModel other(tinyConfig(40), 6);
    std::int64_t now = 0;  // a step takes a millisecond
    const auto engine = model.engine(workload.options, sink, workload.draftsLikeTheModel ? &model : &other,
                                     [&] { return now; });
    int step = 0;
    engine->setGate([&](Phase next) {
      QVERIFY(engine->snapshot() == sink.state);
      if (next != Phase::kForward) return;
      for (const Life& life : workload.lives) {
        if (life.atGate && life.cancelAt == step && life.id != 0) engine->cancel(life.id);
      }
    });
    for (; step < 12 || engine->hasWork(); ++step) {
      QVERIFY2(step < 3000, "no end");
      for (Life& life : workload.lives) {
        if (life.arrival == step) life.id = engine->submit(life.request);
        if (!life.atGate && life.cancelAt == step) engine->cancel(life.id);
      }
      now += 1'000'000;
      engine->step();
      check(*engine, sink);
      if (QTest::currentTestFailed()) return;
    }
    compareWithAlone(model, *engine, workload);
    const MachineState end = engine->snapshot();
    QCOMPARE(end.freeQueue.size(), end.blocks.size());  // nothing leaked
    m_events["preempted"] += sink.count<SequencePreempted>();
    m_events["copied"] += sink.count<BlockCopied>();
    m_events["hit"] += sink.count<BlockHit>();
    m_events["evicted"] += sink.count<BlockEvicted>();
    m_events["gave way"] += sink.gaveWay;
    m_events["windows"] += sink.windows;
    m_events["aged"] += sink.count<SequenceAged>();
    m_events["forked"] += sink.count<SequenceForked>();
    m_events["drafted"] += sink.count<DraftProposed>();
    m_events["rolled back"] += sink.count<DraftRolledBack>();
    m_events["cancelled"] += sink.count<RequestCancelled>();
  }

  static void check(const Engine& engine, const ReplayingSink& sink) {
    QCOMPARE(sink.error, std::string());
    const MachineState state = engine.snapshot();
    QVERIFY(state == sink.state);
    std::vector<int> owners(state.blocks.size());
    for (const auto& [id, sequence] : state.sequences) {
      for (BlockId block : sequence.blockTable) ++owners[static_cast<std::size_t>(block)];
    }
    std::size_t used = 0;
    for (std::size_t i = 0; i < owners.size(); ++i) {
      QCOMPARE(state.blocks[i].refCount, owners[i]);
      used += owners[i] > 0 ? 1 : 0;
    }
    QCOMPARE(state.freeQueue.size() + used, state.blocks.size());
    try {
      requireConsistent(state);
    } catch (const EngineError& error) {
      QFAIL(error.what());
    }
  }

  static void compareWithAlone(const TinyModel& model, Engine& engine, const Workload& workload) {
    for (const Life& life : workload.lives) {
      const RequestResult together = engine.takeResult(life.id);
      const RequestResult expected = alone(model, life.request, workload.options.seed);
      QCOMPARE(together.sequences.size(), expected.sequences.size());
      // A drafted token that was drawn follows the same distribution, and is another: tst_speculation asks that.
      const bool drafted = workload.options.speculation.drafter != DraftMethod::kNone;
      if (drafted && life.request.sampling.temperature > 0) continue;
      for (std::size_t i = 0; i < expected.sequences.size(); ++i) {
        SequenceResult whole = expected.sequences[i];
        const SequenceResult& got = together.sequences[i];
        if (got.reason == FinishReason::kCancelled) {  // what there is of it is its beginning
          QVERIFY(got.tokenIds.size() <= whole.tokenIds.size());
          whole.tokenIds.resize(got.tokenIds.size());
          whole.logprobs.resize(got.tokenIds.size());
        } else {
          QVERIFY(got.reason == whole.reason);
          QVERIFY(got.cumulativeLogprob == whole.cumulativeLogprob);
        }
        QCOMPARE(got.tokenIds, whole.tokenIds);
        QVERIFY(sameLogprobs(got, whole));
      }
    }
  }

  std::map<std::string, std::int64_t> m_events;
};

QTEST_APPLESS_MAIN(TestLaw)
#include "tst_law.moc"
