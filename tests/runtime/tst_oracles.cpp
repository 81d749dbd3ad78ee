// Layered oracles: everything computed again for every token = a contiguous cache = blocks in any order = the
// scheduler and the engine around it. Each layer adds machinery; none may change a bit of the logits.
#include "execution/batch_builder.h"
#include "sampling/sampler.h"
#include "support/event_log.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <numeric>
#include <random>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;
using Logits = std::vector<float>;

constexpr int kBlockSize = 4, kBlocks = 16, kNewTokens = 20;

TokenId largest(const Logits& logits) {
  return static_cast<TokenId>(std::ranges::max_element(logits) - logits.begin());
}

// What a layer gives: the logits each new token was chosen from, and the tokens.
struct Run {
  std::vector<Logits> logits;
  Tokens tokens;
  bool operator==(const Run&) const = default;
};

// A decoder with nothing around it.
class Bare {
 public:
  explicit Bare(const TinyModel& model)
      : m_backend(makeCpuBackend(1)),
        m_decoder(*m_backend, model.config, model.weights, DType::kF32),
        m_cache(m_backend->allocateKv(m_decoder.kvShape(kBlocks, kBlockSize))) {}

  Logits last(std::span<const TokenId> tokens, int first, const std::vector<BlockId>& table) {
    BatchBuilder batch(kBlockSize);
    batch.clear();
    batch.add(tokens, first, table);
    batch.wantLogits();
    const TensorView logits = m_decoder.forward(batch.tokens(), batch.finish(), *m_cache, batch.logitRows());
    Logits host(static_cast<std::size_t>(logits.elements()));
    m_backend->download(logits, host.data());
    return host;
  }

 private:
  std::unique_ptr<Backend> m_backend;
  Decoder m_decoder;
  std::unique_ptr<KvCache> m_cache;
};

std::vector<BlockId> ascending() {
  std::vector<BlockId> table(kBlocks);
  std::iota(table.begin(), table.end(), 0);
  return table;
}

Run recompute(const TinyModel& model, Tokens tokens) {
  Run run;
  for (int i = 0; i < kNewTokens; ++i) {
    run.logits.push_back(Bare(model).last(tokens, 0, ascending()));
    tokens.push_back(largest(run.logits.back()));
    run.tokens.push_back(tokens.back());
  }
  return run;
}

Run cached(const TinyModel& model, Tokens tokens, const std::vector<BlockId>& table) {
  Run run;
  Bare bare(model);
  int computed = 0;
  for (int i = 0; i < kNewTokens; ++i) {
    const std::span<const TokenId> fresh = std::span(tokens).subspan(static_cast<std::size_t>(computed));
    run.logits.push_back(bare.last(fresh, computed, table));
    computed = static_cast<int>(tokens.size());
    tokens.push_back(largest(run.logits.back()));
    run.tokens.push_back(tokens.back());
  }
  return run;
}

}  // namespace

class TestOracles : public QObject {
  Q_OBJECT

 private slots:
  void eachLayerGivesTheSameBits_data() {
    QTest::addColumn<int>("length");
    QTest::addColumn<int>("slidingWindow");
    QTest::addColumn<bool>("qkNorm");
    for (int length : {1, 4, 7, 19}) {
      QTest::addRow("%d tokens", length) << length << 0 << false;
      QTest::addRow("%d tokens, window 5", length) << length << 5 << false;
      QTest::addRow("%d tokens, q and k norms", length) << length << 0 << true;
    }
  }
  void eachLayerGivesTheSameBits() {
    QFETCH(int, length);
    QFETCH(int, slidingWindow);
    QFETCH(bool, qkNorm);
    ModelConfig config = tinyConfig(96, slidingWindow);
    config.qkNorm = qkNorm;
    const TinyModel model(config);
    Tokens tokens;
    for (int i = 0; i < length; ++i) tokens.push_back((11 * i + 3) % 61);

    const Run oracle = recompute(model, tokens);
    QVERIFY(cached(model, tokens, ascending()) == oracle);

    std::vector<BlockId> scattered = ascending();
    std::ranges::shuffle(scattered, std::mt19937(9));
    QVERIFY(cached(model, tokens, scattered) == oracle);

    const Tokens everything = joined(tokens, oracle.tokens);
    engineAgrees(model, tokens, oracle, tinyOptions(kBlocks, kBlockSize), 0);
    engineAgrees(model, tokens, oracle, tinyOptions(kBlocks, kBlockSize, 3), 4);
    examineAgrees(model, everything, length, oracle);
  }

 private:
  static Tokens joined(Tokens first, const Tokens& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }

  // The engine, alone or among others; all log-probabilities follow from all logits.
  static void engineAgrees(const TinyModel& model, const Tokens& tokens, const Run& oracle,
                           EngineOptions options, int others) {
    EventLog log;
    const auto engine = model.engine(options, log);
    for (int i = 0; i < others; ++i)
      engine->submit(tinyRequest(Tokens(static_cast<std::size_t>(3 + i), 8 + i), 6));
    Request request = tinyRequest(tokens, kNewTokens);
    request.logprobs = model.config.vocabularySize;
    const RequestId id = engine->submit(request);
    engine->run();
    const SequenceResult result = engine->takeResult(id).sequences[0];
    QCOMPARE(result.tokenIds, oracle.tokens);
    for (std::size_t i = 0; i < oracle.logits.size(); ++i) {
      QVERIFY(result.logprobs[i].top == Sampler::topLogprobs(oracle.logits[i], request.logprobs));
    }
  }

  static void examineAgrees(const TinyModel& model, const Tokens& tokens, int promptTokens,
                            const Run& oracle) {
    for (int budget : {1, 5, 64}) {
      EventLog log;
      const auto engine = model.engine(tinyOptions(kBlocks, kBlockSize, budget), log);
      const ForwardReport report = engine->examine(tokens, true);
      QCOMPARE(report.logits.size(), tokens.size());
      QCOMPARE(report.hidden.size(), static_cast<std::size_t>(model.config.layers) + 1);
      QCOMPARE(report.hidden[0].size(), tokens.size() * static_cast<std::size_t>(model.config.hiddenSize));
      for (std::size_t i = 0; i < oracle.logits.size(); ++i) {
        QVERIFY(report.logits[static_cast<std::size_t>(promptTokens) - 1 + i] == oracle.logits[i]);
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestOracles)
#include "tst_oracles.moc"
