// The law: batching, chunking, preemption, prefix hits, forks, speculation and keeping no KV never change a
// request's tokens, greedy or drawn, and on the CPU the log-probabilities are the same to the bit. Random
// workloads, each request compared with itself run alone; after every step the pool's books must balance and
// the events' replay must equal the machine.
#include "support/machine_check.h"
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

// A random engine configuration and its requests.
class Workload {
 public:
  Workload(std::uint32_t seed, int slidingWindow) : m_random(seed) {
    options.threads = 1;
    options.blockSize = pick({1, 2, 4, 4, 8, 16});
    options.numBlocks = 6 + below(18);
    options.maxSequences = 1 + below(8);
    options.tokenBudget = pick({1, 2, 3, 7, 16, 64});
    options.batching = static_cast<Batching>(pick({0, 0, 0, 0, 1, 2, 3, 3}));
    options.windowMs = below(8);
    const int policies = static_cast<int>(Names<Policy>::list.size());
    options.policy = static_cast<Policy>(below(policies + 1) % policies);  // fcfs twice as often
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
    if (seed % 6 == 0) options.speculation.acceptance = DraftAcceptance::kRejection;
    draftsLikeTheModel = below(2) == 0;
    options.attention = below(2) == 0 ? "reference" : "flash";
    options.quantization = static_cast<Quantization>(pick({0, 0, 0, 1, 2}));
    options.kvType = below(3) == 0 ? KvType::kInt8 : KvType::kSame;
    options.kvCache = below(8) > 0;
    drawSwap();
    if (!options
             .kvCache) {  // there is nothing to draft behind, and steps for every token of a prompt are many
      options.speculation.drafter = DraftMethod::kNone;
      options.preemption = Preemption::kRecompute;
      options.tokenBudget = std::max(options.tokenBudget, 7);
    }
    if (slidingWindow == 0 && below(4) == 0) {
      options.eviction = below(2) == 0 ? Eviction::kSinks : Eviction::kHeavyHitters;
      options.heavyTokens = below(options.blockSize + 1);
      if (options.eviction == Eviction::kHeavyHitters) options.attention = "reference";
      options.sinkTokens = below(2 * options.blockSize + 1);
      options.windowTokens = 1 + below(2 * options.blockSize + 1);
      options.chunkedPrefill = true;
      options.speculation.drafter = DraftMethod::kNone;
      options.preemption = Preemption::kRecompute;
    }
    const int count = 3 + below(6);
    for (int i = 0; i < count; ++i) addLife();
    if (below(6) > 0) tighten();
  }

  EngineOptions options;
  std::vector<Life> lives;
  bool draftsLikeTheModel = false;  // the second model is the first one

 private:
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  int pick(const std::vector<int>& values) { return values[m_random() % values.size()]; }

  // Room for a few blocks, and a folder that can be written to or not.
  void drawSwap() {
    if (below(3) == 0) return;
    constexpr int kBytesPerToken = 2 * 2 * 2 * 8 * 4;  // keys and values, layers, heads, their size, float32
    options.preemption = Preemption::kSwap;
    options.hostSwapBytes = pick({0, 0, 1, 1, 2, 20}) * kBytesPerToken * options.blockSize;
    options.diskSwapBytes = pick({0, 1, 8, 40, 40}) * kBytesPerToken * options.blockSize;
    if (options.hostSwapBytes + options.diskSwapBytes == 0) options.hostSwapBytes = 1 << 20;
    if (below(2) == 0) options.swapFolder = "/dev/null/no folder";
  }

  void addLife() {
    Life life;
    Request& request = life.request;
    request.maxTokens = 1 + below(options.eviction == Eviction::kNone ? 12 : 40);
    const int room = std::min(options.numBlocks * options.blockSize - request.maxTokens, 28);
    if (room < 1) return;
    const int length = 1 + below(room);
    // A common beginning, then one of two letters: prefixes overlap in every way.
    const int common = below(3) * length / 2;
    for (int i = 0; i < length; ++i) request.tokenIds.push_back(i < common ? 10 + i : 8 + below(2));
    request.sequences = std::min(pick({1, 1, 1, 2, 3}), options.maxSequences);
    if (below(5) == 0) request.bestOf = std::min(request.sequences + below(2), options.maxSequences);
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
    const bool mayShare = options.kvCache && options.eviction == Eviction::kNone;
    if (mayShare && below(3) > 0) searchBeams(request);
    life.arrival = below(8);
    if (below(5) == 0) life.cancelAt = life.arrival + below(12);
    life.atGate = below(2) == 0;
    lives.push_back(std::move(life));
  }

  // What a request needs by itself; beams surely share their prompt's full blocks and no others.
  int blocksOf(const Request& request, int width) const {
    const int prompt = static_cast<int>(request.tokenIds.size());
    const int shared = prompt / options.blockSize;
    const int all = (prompt + request.maxTokens + options.blockSize - 1) / options.blockSize;
    return shared + width * (all - shared);
  }
  // The least pool in which each can be done by itself, or a little more.
  void tighten() {
    int least = 1;
    for (const Life& life : lives) least = std::max(least, blocksOf(life.request, life.request.beamWidth));
    options.numBlocks = std::min(options.numBlocks, least + below(2));
  }

  void searchBeams(Request& request) {
    constexpr int kMore = 4;  // long enough to be short of blocks
    request.maxTokens += kMore;
    int width = std::min(pick({2, 3, 4, 5}), options.maxSequences);
    while (width > 1 && blocksOf(request, width) > options.numBlocks) --width;
    if (width < 2) {
      request.maxTokens -= kMore;
      return;
    }
    request.beamWidth = width;
    request.sequences = 1 + below(width);
    request.bestOf = 0;
    request.sampling.temperature = 0;
    request.lengthPenalty = pick({-1, 0, 1, 2});
    request.earlyStopping = static_cast<EarlyStopping>(below(3));
  }

  std::mt19937 m_random;
};

// A request alone in an engine with room for everything, in one chunk, without prefix hits. The formats of
// weights, keys and values stay: they are a part of the model.
RequestResult alone(const TinyModel& model, const Request& request, const EngineOptions& company) {
  EngineOptions options = tinyOptions(128, 16, 512);
  if (company.eviction != Eviction::kNone) {  // by blocks, so their size is a part of the model too
    options.blockSize = company.blockSize;
    options.eviction = company.eviction;
    options.sinkTokens = company.sinkTokens;
    options.windowTokens = company.windowTokens;
    options.heavyTokens = company.heavyTokens;
  }
  options.prefixCache = false;
  options.seed = company.seed;
  options.kvType = company.kvType;
  options.quantization = company.quantization;
  options.attention = company.attention;
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
    QTest::newRow("full attention") << 0 << 1 << 1600;
    QTest::newRow("sliding window") << 6 << 10001 << 450;
  }
  void companyNeverChangesTokens() {
    QFETCH(int, slidingWindow);
    QFETCH(int, firstSeed);
    QFETCH(int, workloads);
    const TinyModel model(tinyConfig(96, slidingWindow));
    m_events.clear();
    for (int i = 0; i < workloads; ++i) {
      Workload workload(static_cast<std::uint32_t>(firstSeed + i), slidingWindow);
      live(model, workload);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1").arg(firstSeed + i)));
    }
    // The workloads are hard enough. A model with a sliding window allows no eviction.
    QVERIFY(slidingWindow > 0 || m_events["gave up context"] >= workloads / 10);
    for (const char* kind :
         {"preempted", "copied", "hit", "evicted", "forked", "cancelled", "drafted", "rolled back",
          "drawn drafts accepted", "drawn drafts rejected", "forgot", "swapped out", "swapped in", "beams",
          "replaced", "ranked", "for importance", "aged", "windows"}) {
      QVERIFY2(m_events[kind] >= workloads / 16, kind);
    }
    for (const char* kind : {"demoted", "swap failed", "beams preempted", "beams for importance"})
      QVERIFY2(m_events[kind] >= workloads / 50, kind);
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
      QCOMPARE(complaintAbout(*engine, sink), std::string());
    }
    compareWithAlone(model, *engine, workload);
    const MachineState end = engine->snapshot();
    QCOMPARE(end.freeQueue.size(), end.blocks.size());  // nothing leaked
    m_events["preempted"] += sink.count<SequencePreempted>();
    m_events["swapped out"] += sink.count<BlockSwappedOut>();
    m_events["demoted"] += sink.count<BlockDemoted>();
    m_events["swapped in"] += sink.count<BlockSwappedIn>();
    m_events["swap failed"] += sink.count<SwapFailed>();
    m_events["copied"] += sink.count<BlockCopied>();
    m_events["hit"] += sink.count<BlockHit>();
    m_events["evicted"] += sink.count<BlockEvicted>();
    m_events["for importance"] += sink.forImportance;
    m_events["beams for importance"] += sink.beamsPreempted;
    m_events["windows"] += sink.windows;
    m_events["aged"] += sink.count<SequenceAged>();
    m_events["forked"] += sink.count<SequenceForked>();
    m_events["drafted"] += sink.count<DraftProposed>();
    m_events["drawn drafts accepted"] += sink.drawnDrafts.accepted;
    m_events["drawn drafts rejected"] += sink.drawnDrafts.rejected;
    m_events["rolled back"] += sink.count<DraftRolledBack>();
    m_events["gave up context"] += sink.count<ContextEvicted>();
    m_events["forgot"] += sink.count<KvForgotten>();
    m_events["cancelled"] += sink.count<RequestCancelled>();
    m_events["beams"] += sink.count<BeamChosen>();
    m_events["replaced"] += sink.count<SequenceReplaced>();
    m_events["ranked"] += sink.count<AnswersRanked>();
    for (const auto& [id, sequence] : end.sequences) {
      if (end.requests.at(sequence.request).beamWidth > 1)
        m_events["beams preempted"] += sequence.preemptions;
    }
  }

  static void compareWithAlone(const TinyModel& model, Engine& engine, const Workload& workload) {
    const MachineState state = engine.snapshot();
    for (const Life& life : workload.lives) {
      const RequestResult together = engine.takeResult(life.id);
      const RequestResult expected = alone(model, life.request, workload.options);
      QCOMPARE(together.sequences.size(), expected.sequences.size());
      // Rejection sampling draws other tokens of the same distribution: tst_speculation_distribution.
      const SpeculationOptions& speculation = workload.options.speculation;
      if (speculation.drafter != DraftMethod::kNone &&
          speculation.acceptance == DraftAcceptance::kRejection && life.request.sampling.temperature > 0)
        continue;
      // Of several answers cut short others may be the best than at the end.
      const bool chosen = life.request.sequenceSlots() > life.request.sequences || life.request.beamWidth > 1;
      if (chosen && state.requests.at(life.id).cancelled) continue;
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
          QVERIFY(got.score == whole.score);
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
