// A context whose middle is evicted, against the same model in plain loops: each token sees the sinks' blocks
// and the last ones, at their positions among the remaining ones. And options that exclude each other are
// refused.
#include <map>
#include <set>

#include "support/event_log.h"
#include "support/naive_model.h"
#include "support/replaying_sink.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <cmath>

using namespace vitrine;
using namespace vitrine::test;

namespace {

using Tokens = std::vector<TokenId>;

// Logarithms of probabilities; the model computes in float32, the loops in double.
constexpr double kTolerance = 2e-4;
constexpr double kRoundedTolerance = 0.08;  // of attention in bf16

EngineOptions sinks(int sinkTokens, int windowTokens, int blockSize = 4, int tokenBudget = 64) {
  EngineOptions options = tinyOptions(32, blockSize, tokenBudget);
  options.eviction = Eviction::kSinks;
  options.sinkTokens = sinkTokens;
  options.windowTokens = windowTokens;
  return options;
}

// What each of `count` tokens sees, described without the engine's types: a list of blocks of positions;
// before a token is added to a list that holds so many full blocks, the first one behind the sinks goes.
Seen whatIsSeen(int count, int sinkTokens, int windowTokens, int blockSize) {
  const auto blocks = [&](int tokens) { return (tokens + blockSize - 1) / blockSize; };
  const std::size_t most = static_cast<std::size_t>(blocks(sinkTokens) + blocks(windowTokens - 1) + 1);
  Seen kept, seen;
  for (int position = 0; position < count; ++position) {
    if (position % blockSize == 0) {
      if (kept.size() == most) kept.erase(kept.begin() + blocks(sinkTokens));
      kept.emplace_back();
    }
    kept.back().push_back(position);
    std::vector<int>& all = seen.emplace_back();
    for (const std::vector<int>& block : kept) all.insert(all.end(), block.begin(), block.end());
  }
  return seen;
}

// The same for heavy hitters, which takes the model: when so many blocks are full, that one between sinks and
// window goes which the tokens so far gave the least attention.
Seen whatHeavySees(const TinyModel& model, const Tokens& tokens, const EngineOptions& options) {
  const int size = options.blockSize;
  const auto blocks = [&](int count) { return static_cast<std::size_t>((count + size - 1) / size); };
  const std::size_t first = blocks(options.sinkTokens), last = first + blocks(options.heavyTokens),
                    most = last + blocks(options.windowTokens - 1) + 1;
  Seen kept, seen;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    const auto position = static_cast<int>(at);
    if (position % size == 0) {
      if (kept.size() == most) {
        const Tokens before(tokens.begin(), tokens.begin() + position);
        const Matrix given = runNaive(model.config, model.weights, before, seen).given;
        std::map<int, double> score;  // by position
        for (std::size_t t = 0; t < given.size(); ++t)
          for (std::size_t place = 0; place < given[t].size(); ++place)
            score[seen[t][place]] += given[t][place];
        const auto total = [&](const std::vector<int>& block) {
          double sum = 0;
          for (int p : block) sum += score[p];
          return sum;
        };
        const auto begin = kept.begin() + static_cast<std::ptrdiff_t>(first);
        kept.erase(std::min_element(begin, kept.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                                    [&](const auto& a, const auto& b) { return total(a) < total(b); }));
      }
      kept.emplace_back();
    }
    kept.back().push_back(position);
    std::vector<int>& all = seen.emplace_back();
    for (const std::vector<int>& block : kept) all.insert(all.end(), block.begin(), block.end());
  }
  return seen;
}

EngineOptions heavy(int sinkTokens, int heavyTokens, int windowTokens, int blockSize = 4,
                    int tokenBudget = 64) {
  EngineOptions options = sinks(sinkTokens, windowTokens, blockSize, tokenBudget);
  options.eviction = Eviction::kHeavyHitters;
  options.heavyTokens = heavyTokens;
  options.attention = "reference";
  return options;
}

Tokens prompt(int length) {
  Tokens tokens;
  for (int i = 0; i < length; ++i) tokens.push_back(8 + (i * i + 5 * i) % 50);
  return tokens;
}

SequenceResult answer(const TinyModel& model, const EngineOptions& options, const Tokens& tokens, int count) {
  ReplayingSink sink;
  const auto engine = model.engine(options, sink);
  Request request = tinyRequest(tokens, count);
  request.logprobs = model.config.vocabularySize;
  const RequestId id = engine->submit(request);
  while (engine->hasWork()) {
    engine->step();
    if (!(engine->snapshot() == sink.state) || !sink.error.empty())
      throw std::runtime_error("replay: " + sink.error);
  }
  return engine->takeResult(id).sequences[0];
}

std::vector<double> logSoftmax(std::vector<double> logits) {
  const double largest = *std::ranges::max_element(logits);
  double sum = 0;
  for (double logit : logits) sum += std::exp(logit - largest);
  for (double& logit : logits) logit -= largest + std::log(sum);
  return logits;
}

}  // namespace

class TestEviction : public QObject {
  Q_OBJECT

 private slots:
  void logitsAreThoseOfPlainLoops_data() {
    QTest::addColumn<int>("sinkTokens");
    QTest::addColumn<int>("windowTokens");
    QTest::addColumn<int>("blockSize");
    QTest::addColumn<int>("promptTokens");
    QTest::addColumn<QString>("attention");
    for (const char* kernel : {"bf16", "flash", "reference"}) {
      QTest::addRow("4 + 8 by 4, %s", kernel) << 4 << 8 << 4 << 10 << kernel;
      QTest::addRow("prompt beyond the capacity, %s", kernel) << 4 << 8 << 4 << 45 << kernel;
      QTest::addRow("no sinks, %s", kernel) << 0 << 7 << 4 << 5 << kernel;
      QTest::addRow("two blocks of sinks, %s", kernel) << 5 << 6 << 3 << 20 << kernel;
      QTest::addRow("blocks of one, %s", kernel) << 2 << 5 << 1 << 12 << kernel;
      QTest::addRow("a window of one, %s", kernel) << 3 << 1 << 2 << 4 << kernel;
      QTest::addRow("beyond the model's context, %s", kernel) << 4 << 20 << 8 << 90 << kernel;
    }
  }
  void logitsAreThoseOfPlainLoops() {
    QFETCH(int, sinkTokens);
    QFETCH(int, windowTokens);
    QFETCH(int, blockSize);
    QFETCH(int, promptTokens);
    QFETCH(QString, attention);
    constexpr int kCount = 40;
    const TinyModel model;
    EngineOptions options = sinks(sinkTokens, windowTokens, blockSize);
    options.attention = attention.toStdString();
    const SequenceResult got = answer(model, options, prompt(promptTokens), kCount);
    QCOMPARE(got.tokenIds.size(), std::size_t{kCount});

    const Tokens all = joined(prompt(promptTokens), got.tokenIds);
    const auto seen = whatIsSeen(static_cast<int>(all.size()), sinkTokens, windowTokens, blockSize);
    QVERIFY(seen.back().size() < all.size() / 2);  // something was given up
    compare(got, runNaive(model.config, model.weights, all, seen).logits, promptTokens,
            attention == "bf16" ? kRoundedTolerance : kTolerance);
  }

  void heavyHittersAreThoseOfPlainLoops_data() {
    QTest::addColumn<int>("sinkTokens");
    QTest::addColumn<int>("heavyTokens");
    QTest::addColumn<int>("windowTokens");
    QTest::addColumn<int>("blockSize");
    QTest::addColumn<int>("promptTokens");
    QTest::newRow("4 + 8 + 8 by 4") << 4 << 8 << 8 << 4 << 10;
    QTest::newRow("prompt beyond the capacity") << 4 << 8 << 8 << 4 << 60;
    QTest::newRow("no sinks") << 0 << 6 << 5 << 3 << 8;
    QTest::newRow("blocks of one") << 1 << 5 << 4 << 1 << 30;
  }
  void heavyHittersAreThoseOfPlainLoops() {
    QFETCH(int, sinkTokens);
    QFETCH(int, heavyTokens);
    QFETCH(int, windowTokens);
    QFETCH(int, blockSize);
    QFETCH(int, promptTokens);
    const TinyModel model;
    const EngineOptions options = heavy(sinkTokens, heavyTokens, windowTokens, blockSize);
    const SequenceResult got = answer(model, options, prompt(promptTokens), 30);
    const Tokens all = joined(prompt(promptTokens), got.tokenIds);
    const Seen seen = whatHeavySees(model, all, options);
    // The oldest block is not the evicted one, or this would be the test of sinks.
    QVERIFY(
        seen.back() !=
        whatIsSeen(static_cast<int>(all.size()), sinkTokens, windowTokens + heavyTokens, blockSize).back());
    compare(got, runNaive(model.config, model.weights, all, seen).logits, promptTokens);
  }

  // Chunks, other sequences in the batch and a recomputation after a preemption change no bit.
  void heavyHittersDoNotDependOnTheCompany() {
    const TinyModel model;
    const EngineOptions roomy = heavy(4, 8, 8);
    for (int budget : {1, 3, 7, 64}) {
      EngineOptions tight = heavy(4, 8, 8, 4, budget);
      tight.numBlocks = 9;
      ReplayingSink sink;
      const auto engine = model.engine(tight, sink);
      std::vector<RequestId> ids;
      for (int i = 0; i < 3; ++i) {
        Request request = tinyRequest(prompt(9 + 17 * i), 30);
        request.sequences = 1 + i % 2;
        request.sampling.temperature = i;
        ids.push_back(engine->submit(request));
      }
      engine->run();
      QCOMPARE(sink.error, std::string());
      QVERIFY(budget < 7 || sink.count<SequencePreempted>() > 0);
      QVERIFY(sink.count<ContextEvicted>() > 0);
      for (int i = 0; i < 3; ++i) {
        ReplayingSink alone;
        const auto other = model.engine(roomy, alone);
        Request request = tinyRequest(prompt(9 + 17 * i), 30);
        request.sequences = 1 + i % 2;
        request.sampling.temperature = i;
        const RequestId id = other->submit(request);
        other->run();
        const RequestResult expected = other->takeResult(id),
                            got = engine->takeResult(ids[static_cast<std::size_t>(i)]);
        for (std::size_t one = 0; one < expected.sequences.size(); ++one) {
          QCOMPARE(got.sequences[one].tokenIds, expected.sequences[one].tokenIds);
          QVERIFY(got.sequences[one].cumulativeLogprob == expected.sequences[one].cumulativeLogprob);
        }
      }
    }
  }

  void scoresAreAttentionAndTheLeastGoes() {
    const TinyModel model;
    EventLog log;
    const auto engine = model.engine(heavy(4, 8, 8), log);
    const EngineLoaded loaded = log.of<EngineLoaded>().at(0);
    QVERIFY(loaded.options.eviction == Eviction::kHeavyHitters && loaded.options.heavyTokens == 8 &&
            !loaded.options.prefixCache);
    QCOMPARE(loaded.keptTokens, 4 * (1 + 2 + 2 + 1));
    engine->submit(tinyRequest(prompt(60), 60));
    engine->run();
    const auto evicted = log.of<ContextEvicted>();
    QVERIFY(evicted.size() > 20);
    std::set<int> indices;
    for (const ContextEvicted& e : evicted) {
      // A token gives one for each of two layers and four heads.
      QVERIFY(e.score > 0 && e.score < 2 * 4 * (e.firstPosition + 120));
      QVERIFY(e.index >= 1 && e.index <= 3);  // behind the sinks, before the window
      indices.insert(e.index);
    }
    QVERIFY(indices != std::set<int>{1});  // not simply the oldest
  }

  // The rule matters: with the whole context, or with positions of the text for RoPE, the answer is another.
  void whatIsGivenUpChangesTheAnswer() {
    const TinyModel model;
    const Tokens tokens = prompt(45);
    const SequenceResult whole = answer(model, tinyOptions(), tokens, 20),
                         part = answer(model, sinks(4, 8), tokens, 20);
    QVERIFY(whole.cumulativeLogprob != part.cumulativeLogprob);
    Seen seen = whatIsSeen(45, 4, 8, 4);
    const auto sinksAndWindow = runNaive(model.config, model.weights, tokens, seen).logits.back();
    for (auto& one : seen)
      if (one.size() > 8) one.erase(one.begin(), one.begin() + 4);  // the sinks
    QVERIFY(runNaive(model.config, model.weights, tokens, seen).logits.back() != sinksAndWindow);
  }

  void asLongAsAllFitsNothingChanges() {
    const TinyModel model;
    const SequenceResult whole = answer(model, tinyOptions(), prompt(20), 20),
                         kept = answer(model, sinks(4, 40), prompt(20), 20);
    QCOMPARE(kept.tokenIds, whole.tokenIds);
    QVERIFY(kept.cumulativeLogprob == whole.cumulativeLogprob);
  }

  void eventsSayWhatWasGivenUpAndBlocksComeBack() {
    const TinyModel model;
    EventLog log;
    const auto engine = model.engine(sinks(4, 8), log);
    const EngineLoaded loaded = log.of<EngineLoaded>().at(0);
    QVERIFY(loaded.options.eviction == Eviction::kSinks && loaded.options.sinkTokens == 4 &&
            loaded.options.windowTokens == 8);
    QCOMPARE(loaded.keptTokens, 16);  // a block of sinks, two of the window, one being filled
    engine->submit(tinyRequest(prompt(10), 200));
    std::size_t most = 0;
    while (engine->hasWork()) {
      engine->step();
      const MachineState state = engine->snapshot();
      most = std::max(most, state.blocks.size() - state.freeQueue.size());
      for (const auto& [id, s] : state.sequences)
        for (std::size_t i = 0; i < s.blockStarts.size(); ++i)
          QCOMPARE(s.blockStarts[i], static_cast<int>(i) * 4 + (i == 0 ? 0 : s.evictedTokens));
    }
    QCOMPARE(most, std::size_t{4});
    const auto evicted = log.of<ContextEvicted>();
    QCOMPARE(evicted.size(), std::size_t{(10 + 200 - 1) / 4 - 3});
    for (std::size_t i = 0; i < evicted.size(); ++i) {
      QCOMPARE(evicted[i].index, 1);
      QCOMPARE(evicted[i].tokens, 4);
      QCOMPARE(evicted[i].firstPosition, 4 + 4 * static_cast<int>(i));
      QCOMPARE(evicted[i].refCount, 0);
    }
    QCOMPARE(log.of<SequenceFinished>().at(0).completionTokens, 200);  // more than the model's 96
  }

  // The same pool and prompts, alone and with other sequences that cause preemptions.
  void preemptionMeetsTheSameEvictions() {
    const TinyModel model;
    EngineOptions tight = sinks(4, 8, 4, 7);
    tight.numBlocks = 7;
    ReplayingSink sink;
    const auto engine = model.engine(tight, sink);
    std::vector<RequestId> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(engine->submit(tinyRequest(prompt(9 + 13 * i), 30)));
    engine->run();
    QCOMPARE(sink.error, std::string());
    QVERIFY(sink.count<SequencePreempted>() > 0);
    for (int i = 0; i < 3; ++i)
      QCOMPARE(engine->takeResult(ids[static_cast<std::size_t>(i)]).sequences[0].tokenIds,
               answer(model, sinks(4, 8), prompt(9 + 13 * i), 30).tokenIds);
  }

  // The part before the first eviction is like any other prefix; what comes later is not shared.
  void onlyWhatWasComputedFromEverythingIsCached() {
    const TinyModel model;
    EventLog log;
    const auto engine = model.engine(sinks(4, 8), log);
    const Tokens tokens = prompt(40);
    engine->submit(tinyRequest(tokens, 2));
    engine->run();
    QCOMPARE(log.of<BlockCached>().size(), std::size_t{4});  // the capacity, in blocks
    const RequestId again = engine->submit(tinyRequest(tokens, 2));
    engine->run();
    const RequestResult result = engine->takeResult(again);
    QCOMPARE(result.cachedTokens, 16);
    QCOMPARE(result.sequences[0].tokenIds, answer(model, sinks(4, 8), tokens, 2).tokenIds);
  }

  void withoutItALongContextIsRefused() {
    const TinyModel model;
    EventLog log;
    const auto plain = model.engine(tinyOptions(64), log);
    QVERIFY_THROWS_EXCEPTION(EngineError, plain->submit(tinyRequest(prompt(96), 1)));
    const auto evicting = model.engine(sinks(4, 8), log);
    QVERIFY(evicting->submit(tinyRequest(prompt(300), 1)) > 0);
  }

  void whatCannotGoTogetherIsRefused_data() {
    QTest::addColumn<int>("which");
    for (int which = 0; which < 6; ++which) QTest::addRow("%d", which) << which;
  }
  void whatCannotGoTogetherIsRefused() {
    QFETCH(int, which);
    EngineOptions options = sinks(4, 8);
    if (which == 0) options.chunkedPrefill = false;
    if (which == 1) options.speculation.drafter = DraftMethod::kNgram;
    if (which == 2) options.windowTokens = 96;
    if (which == 3) options.kernels = Kernels::kReference;
    if (which == 5) options = heavy(4, 8, 8), options.attention = "flash";
    const TinyModel model(tinyConfig(96, which == 4 ? 6 : 0));
    EventLog log;
    try {
      model.engine(options, log);
      QFAIL("accepted");
    } catch (const EngineError& error) {
      QVERIFY(!error.hint().empty());
    }
  }

 private:
  static Tokens joined(Tokens first, const Tokens& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
  static void compare(const SequenceResult& got, const Matrix& logits, int promptTokens,
                      double tolerance = kTolerance) {
    for (std::size_t i = 0; i < got.tokenIds.size(); ++i) {
      const auto expected = logSoftmax(logits[static_cast<std::size_t>(promptTokens) + i - 1]);
      for (const auto& [token, logprob] : got.logprobs[i].top) {
        const double far = std::abs(logprob - expected[static_cast<std::size_t>(token)]);
        QVERIFY2(far < tolerance, qPrintable(QString("token %1 of the answer is off by %2").arg(i).arg(far)));
      }
    }
  }
};

QTEST_APPLESS_MAIN(TestEviction)
#include "tst_eviction.moc"
