// What the engine rejects, what is withdrawn from it, and what it survives.
#include "execution/swap_store.h"
#include "support/event_log.h"
#include "support/failing_backend.h"
#include "support/letter_tokenizer.h"
#include "support/replaying_sink.h"
#include "support/tiny_engine.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <functional>
#include <limits>

using namespace vitrine;

namespace {

using Tokens = std::vector<TokenId>;

}  // namespace

class TestEngineRefusals : public QObject {
  Q_OBJECT

 private slots:
  void impossibleRequestsAreRejected_data() {
    QTest::addColumn<std::function<void(Request&)>>("spoil");
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* code, const char* says,
                        std::function<void(Request&)> spoil) {
      QTest::newRow(name) << spoil << QString(code) << QString(says);
    };
    row("empty prompt", "invalid_argument", "empty", [](Request& r) { r.tokenIds.clear(); });
    row("negative id", "invalid_argument", "-1", [](Request& r) { r.tokenIds[2] = -1; });
    row("id too large", "invalid_argument", "61", [](Request& r) { r.tokenIds[2] = 61; });
    row("prompt as long as the context", "context_too_long", "96",
        [](Request& r) { r.tokenIds = tinyPrompt(96); });
    row("prompt far longer", "context_too_long", "5000", [](Request& r) { r.tokenIds = tinyPrompt(5000); });
    row("more blocks than there are", "out_of_memory", "21 KV blocks", [](Request& r) { r.maxTokens = 79; });
    row("most tokens there are", "out_of_memory", "24 KV blocks",
        [](Request& r) { r.maxTokens = std::numeric_limits<int>::max(); });
    row("too many answers", "invalid_argument", "17 answers", [](Request& r) { r.sequences = 17; });
    row("no answers", "invalid_argument", "0", [](Request& r) { r.sequences = 0; });
    row("no tokens", "invalid_argument", "max-tokens", [](Request& r) { r.maxTokens = -1; });
    row("temperature", "invalid_argument", "temperature", [](Request& r) { r.sampling.temperature = -1; });
    row("empty stop string", "invalid_argument", "stop", [](Request& r) { r.stop = {""}; });
    row("text without tokenizer", "unavailable", "tokenizer", [](Request& r) {
      r.tokenIds.clear();
      r.prompt = "hello";
    });
  }
  void impossibleRequestsAreRejected() {
    QFETCH(std::function<void(Request&)>, spoil);
    QFETCH(QString, code);
    QFETCH(QString, says);
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(20, 4), log);
    Request request = tinyRequest(tinyPrompt(4));
    spoil(request);
    try {
      engine->submit(request);
      QFAIL("it was taken");
    } catch (const EngineError& error) {
      QCOMPARE(QString(errorCodeName(error.code())), code);
      QVERIFY2(QString(error.what()).contains(says), error.what());
    }
    QCOMPARE(log.of<RequestRejected>().size(), std::size_t{1});
    QCOMPARE(QString::fromStdString(log.of<RequestRejected>()[0].code), code);
    QVERIFY(!engine->hasWork());
    QCOMPARE(engine->submit(tinyRequest(tinyPrompt(4), 76)), 1);  // the engine is as it was; this just fits
    engine->run();
  }

  void aPromptTheTokenizerRefusesIsRejected() {
    EventLog log;
    EngineParts parts = tinyModel().parts();
    parts.tokenizer = std::make_unique<LetterTokenizer>();
    const auto engine = assembleEngine(std::move(parts), tinyOptions(), log);
    Request request;
    request.prompt = "?!";
    QVERIFY_EXCEPTION_THROWN(engine->submit(request), EngineError);
    QCOMPARE(log.of<RequestRejected>().size(), std::size_t{1});
  }

  void whatCannotBeExaminedIsRefused() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    QVERIFY_EXCEPTION_THROWN(engine->examine({}, false), EngineError);
    QVERIFY_EXCEPTION_THROWN(engine->examine(Tokens{61}, false), EngineError);
    QVERIFY_EXCEPTION_THROWN(engine->examine(tinyPrompt(97), false), EngineError);
    QCOMPARE(engine->examine(tinyPrompt(96), false).logits.size(), std::size_t{96});
    QVERIFY_EXCEPTION_THROWN(engine->distribution(tinyPrompt(3), 4, {}), EngineError);
    QVERIFY_EXCEPTION_THROWN(engine->distribution(tinyPrompt(3), -1, {}), EngineError);
  }

  // Waiting, running, preempted; and from inside the gate of every phase.
  void cancelsInEveryState_data() {
    QTest::addColumn<int>("phase");
    QTest::newRow("between steps") << -1;
    for (int phase = 0; phase < kPhaseCount; ++phase) QTest::addRow("before phase %d", phase) << phase;
  }
  void cancelsInEveryState() {
    QFETCH(int, phase);
    for (int step = 0; step < 12; ++step) {
      for (RequestId victim : {1, 2, 3}) cancelAt(phase, step, victim);
    }
  }

  void submitsFromInsideTheGate() {
    for (int phase = 0; phase < kPhaseCount; ++phase) {
      Watched watched;
      const auto engine = tinyModel().engine(tinyOptions(), watched.both);
      RequestId late = 0;
      engine->setGate([&](Phase next) {
        if (static_cast<int>(next) == phase && late == 0)
          late = engine->submit(tinyRequest(tinyPrompt(6, 30), 4));
      });
      engine->submit(tinyRequest(tinyPrompt(5), 4));
      engine->run();
      QCOMPARE(watched.replay.error, std::string());
      QVERIFY(engine->snapshot() == watched.replay.state);
      QCOMPARE(engine->takeResult(late).sequences[0].tokenIds, alone(tinyRequest(tinyPrompt(6, 30), 4)));
    }
  }

  void cancellingTwiceOrTooLateHasNoEffect() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    const RequestId id = engine->submit(tinyRequest(tinyPrompt(4), 2));
    engine->cancel(id);
    engine->cancel(id);
    QCOMPARE(log.of<RequestCancelled>().size(), std::size_t{1});
    QVERIFY(!engine->hasWork());
    QVERIFY(engine->takeResult(id).sequences.at(0).reason == FinishReason::kCancelled);
    const RequestId done = engine->submit(tinyRequest(tinyPrompt(4), 2));
    engine->run();
    engine->cancel(done);
    QCOMPARE(log.of<RequestCancelled>().size(), std::size_t{1});
    QVERIFY_EXCEPTION_THROWN(engine->cancel(99), EngineError);
  }

  void aRequestCancelledBeforeItForksHasAllItsAnswers() {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(), log);
    Request request = tinyRequest(tinyPrompt(4));
    request.sequences = 3;
    const RequestId id = engine->submit(request);
    engine->cancel(id);
    const RequestResult result = engine->takeResult(id);
    QCOMPARE(result.sequences.size(), std::size_t{3});
    for (const SequenceResult& answer : result.sequences) QVERIFY(answer.reason == FinishReason::kCancelled);
  }

  void aFailedForwardEndsWhatRanAndNothingElse() {
    for (int failing = 0; failing < 8; ++failing) {
      Watched watched;
      const auto stepsLeft = std::make_shared<int>(failing);
      EngineOptions options = tinyOptions(9, 4);
      options.maxSequences = 3;
      const auto engine =
          assembleEngine(tinyModel().parts(std::make_unique<FailingBackend>(makeCpuBackend(1), stepsLeft)),
                         options, watched.both);
      Request twice = tinyRequest(tinyPrompt(7), 8);
      twice.sequences = 2;
      std::vector<RequestId> ids = {engine->submit(twice)};
      for (int i = 1; i < 4; ++i) ids.push_back(engine->submit(tinyRequest(tinyPrompt(7, 10 + i), 8)));
      while (engine->hasWork()) {
        engine->step();
        QCOMPARE(watched.replay.error, std::string());
        QVERIFY(engine->snapshot() == watched.replay.state);
      }
      QCOMPARE(watched.log.of<EngineFailed>().size(), std::size_t{1});
      QCOMPARE(watched.log.of<EngineFailed>()[0].code, std::string("out_of_memory"));
      int failed = 0;
      for (std::size_t i = 0; i < ids.size(); ++i) {
        const RequestResult result = engine->takeResult(ids[i]);
        if (result.sequences.back().reason == FinishReason::kFailed)
          ++failed;
        else if (i > 0)
          QCOMPARE(result.sequences[0].tokenIds,
                   alone(tinyRequest(tinyPrompt(7, 10 + static_cast<int>(i)), 8)));
      }
      QVERIFY(failed >= 1 && failed < 4);
      QCOMPARE(engine->snapshot().freeQueue.size(), std::size_t{9});
    }
  }

  // Fault 10: memory sized from what is left of a device that others use too came out negative. On the host
  // ours is sized from the options alone: a default is never below one block. On a GPU it is what is free
  // less a part for a step, and where that is nothing, or a wish cannot be met, the words say so.
  void fault10_poolSizesAreNeverNegative() {
    EngineOptions options = tinyOptions(0, 16);
    QCOMPARE(poolBlocks(options, 2048, 1 << 20), 1024);            // 1 GiB
    QCOMPARE(poolBlocks(options, 100, 1 << 10), 7 * 16);           // 16 whole contexts
    QCOMPARE(poolBlocks(options, 100, std::int64_t{1} << 40), 1);  // a block larger than the default memory
    constexpr std::int64_t kMib = std::int64_t{1} << 20;
    const auto gpu = [](std::int64_t free) { return DeviceMemory{80'000 * kMib, free, 0, 0}; };
    QCOMPARE(poolBlocks(options, 1 << 20, kMib, gpu(10'000 * kMib)), 9'000);  // a tenth is kept
    QCOMPARE(poolBlocks(options, 1 << 20, kMib, gpu(1'256 * kMib)), 1'000);   // 256 MiB at least
    QCOMPARE(poolBlocks(options, 100, 1 << 10, gpu(10'000 * kMib)), 7 * 16);  // whole contexts at most
    QCOMPARE(poolBlocks(options, 100, kMib, gpu(257 * kMib)), 1);
    for (const std::int64_t free : {257 * kMib - 1, kMib, std::int64_t{0}}) {
      try {
        poolBlocks(options, 100, kMib, gpu(free));
        QFAIL("no refusal");
      } catch (const EngineError& error) {
        QVERIFY(error.code() == ErrorCode::kOutOfMemory);
        QVERIFY2(std::string(error.what()).find("free of 80000 MiB") != std::string::npos, error.what());
      }
    }
    options.kvMemoryBytes = 10000;
    QCOMPARE(poolBlocks(options, 100, 1000), 10);
    QCOMPARE(poolBlocks(options, 100, 1000, gpu(0)), 10);  // what was asked for is tried
    QVERIFY_EXCEPTION_THROWN(poolBlocks(options, 100, 10001), EngineError);
    options.kvMemoryBytes = std::int64_t{kMaxBlocks} * 10;
    QCOMPARE(poolBlocks(options, 100, 10), kMaxBlocks);
    QVERIFY_EXCEPTION_THROWN(poolBlocks(options, 100, 9), EngineError);
    options.kvMemoryBytes = std::numeric_limits<std::int64_t>::max();
    QVERIFY_EXCEPTION_THROWN(poolBlocks(options, 100, 4096), EngineError);
    options.numBlocks = kMaxBlocks;
    QCOMPARE(poolBlocks(options, 100, 1), kMaxBlocks);
    ++options.numBlocks;
    QVERIFY_EXCEPTION_THROWN(poolBlocks(options, 100, 1), EngineError);
    options.hostSwapBytes = 1000, options.diskSwapBytes = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(swapBlocks(options, 100), (std::array{10, kMaxBlocks}));
    QVERIFY_EXCEPTION_THROWN(swapBlocks(options, 1001), EngineError);
    options.hostSwapBytes = options.diskSwapBytes = 0;
    QVERIFY_EXCEPTION_THROWN(swapBlocks(options, 100), EngineError);
  }

  void optionsOutOfRangeAreRefused() {
    EventLog log;
    EngineOptions options = tinyOptions();
    options.blockSize = 0;
    QVERIFY_EXCEPTION_THROWN(tinyModel().engine(options, log), EngineError);
    options = tinyOptions();
    options.tokenBudget = -5;
    QVERIFY_EXCEPTION_THROWN(tinyModel().engine(options, log), EngineError);
    QVERIFY(log.events.empty());
  }

 private:
  static Tokens alone(const Request& request) {
    EventLog log;
    const auto engine = tinyModel().engine(tinyOptions(64), log);
    const RequestId id = engine->submit(request);
    engine->run();
    return engine->takeResult(id).sequences[0].tokenIds;
  }

  // Three requests in a pool too small for them, so that one waits or is preempted at any time.
  static void cancelAt(int phase, int step, RequestId victim) {
    Watched watched;
    const auto engine = tinyModel().engine(tinyOptions(8, 4), watched.both);
    for (int i = 0; i < 3; ++i) engine->submit(tinyRequest(tinyPrompt(7, 10 + i), 9));
    int now = 0;
    engine->setGate([&](Phase next) {
      if (static_cast<int>(next) == phase && now == step) engine->cancel(victim);
    });
    for (; engine->hasWork(); ++now) {
      if (phase < 0 && now == step) engine->cancel(victim);
      engine->step();
      QCOMPARE(watched.replay.error, std::string());
      QVERIFY(engine->snapshot() == watched.replay.state);
    }
    QCOMPARE(engine->snapshot().freeQueue.size(), std::size_t{8});
    for (int i = 0; i < 3; ++i) {
      const SequenceResult result = engine->takeResult(i + 1).sequences[0];
      const Tokens expected = alone(tinyRequest(tinyPrompt(7, 10 + i), 9));
      if (i + 1 != victim) QCOMPARE(result.tokenIds, expected);
      QVERIFY(std::equal(result.tokenIds.begin(), result.tokenIds.end(), expected.begin()));
    }
    QVERIFY(watched.log.of<RequestCancelled>().size() <= 1);
  }
};

QTEST_APPLESS_MAIN(TestEngineRefusals)
#include "tst_engine_refusals.moc"
