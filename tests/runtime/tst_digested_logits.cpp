// An engine whose backend digests logits where they lie, as a GPU does: the same answers to the bit, and rows
// that cross the bus only when a draw needs them.
#include "support/digesting_backend.h"
#include "support/event_log.h"
#include "support/random_workload.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>

using namespace vitrine;

namespace {

class DigestingModel {
 public:
  explicit DigestingModel(int mostCandidates, int slidingWindow = 0)
      : model(tinyConfig(96, slidingWindow)), m_mostCandidates(mostCandidates) {}

  std::unique_ptr<Engine> engine(const EngineOptions& options, EventSink& sink,
                                 const TinyModel* drafts = nullptr,
                                 const ClockSource& clock = steadyNowNs) const {
    auto backend = std::make_unique<test::DigestingBackend>(tinyBackend(options), model.config.vocabularySize,
                                                            m_mostCandidates, counts);
    EngineParts parts = model.parts(std::move(backend), storageFor(options, DType::kF32));
    parts.clock = clock;
    if (drafts != nullptr)
      parts.draftDecoder =
          std::make_unique<Decoder>(*parts.backend, drafts->config, drafts->weights, DType::kF32);
    return assembleEngine(std::move(parts), options, sink);
  }

  const TinyModel model;
  const std::shared_ptr<test::DigestCounts> counts = std::make_shared<test::DigestCounts>();

 private:
  const int m_mostCandidates;
};

Request drawn(double temperature, std::uint64_t seed, int maxTokens = 12) {
  Request request = tinyRequest(tinyPrompt(9), maxTokens);
  request.sampling.temperature = temperature;
  request.sampling.seed = seed;
  request.logprobs = 2;
  return request;
}

RequestResult run(Engine& engine, const Request& request) {
  const RequestId id = engine.submit(request);
  engine.run();
  return engine.takeResult(id);
}

}  // namespace

class TestDigestedLogits : public QObject {
  Q_OBJECT

 private slots:
  // Random workloads together, each request against itself alone on a backend that does not digest.
  void answersAreThoseOfWholeRows_data() {
    QTest::addColumn<int>("mostCandidates");
    for (const int most : {0, 1, 2, 8, 512}) QTest::addRow("%d candidates", most) << most;
  }
  void answersAreThoseOfWholeRows() {
    QFETCH(int, mostCandidates);
    constexpr int kWorkloads = 40;
    const DigestingModel digesting(mostCandidates);
    const TinyModel other(tinyConfig(40), 6);
    int compared = 0;
    for (std::uint32_t seed = 1; seed <= kWorkloads; ++seed) {
      Workload workload(seed, 0);
      EventQueue unheard;
      std::int64_t now = 0;  // a step takes a millisecond
      const auto engine =
          digesting.engine(workload.options, unheard, workload.draftsLikeTheModel ? &digesting.model : &other,
                           [&] { return now; });
      for (int step = 0; step < 12 || engine->hasWork(); ++step) {
        QVERIFY2(step < 3000, "no end");
        for (Life& life : workload.lives)
          if (life.arrival == step) life.id = engine->submit(life.request);
        now += 1'000'000;
        engine->step();
      }
      for (const Life& life : workload.lives) {
        const RequestResult together = engine->takeResult(life.id);
        const SpeculationOptions& speculation = workload.options.speculation;
        if (speculation.drafter != DraftMethod::kNone &&
            speculation.acceptance == DraftAcceptance::kRejection && life.request.sampling.temperature > 0)
          continue;  // draws other tokens in company
        QVERIFY2(isSameResult(together, alone(digesting.model, life.request, workload.options)),
                 qPrintable(QString("workload %1").arg(seed)));
        ++compared;
      }
    }
    QVERIFY(compared > kWorkloads);
    QVERIFY(digesting.counts->digested > 100);
  }

  void aGreedyAnswerDownloadsNoRow() {
    const DigestingModel digesting(512);
    EventQueue unheard;
    const auto engine = digesting.engine(tinyOptions(), unheard);
    run(*engine, drawn(0, 1));
    run(*engine, drawn(1, 1));
    QCOMPARE(digesting.counts->digested, 24);
    QCOMPARE(digesting.counts->downloaded, 0);
  }

  void whatNeedsRowsDownloadsThem_data() {
    QTest::addColumn<int>("what");
    QTest::addColumn<bool>("downloads");
    QTest::newRow("nothing") << 0 << false;
    QTest::newRow("candidates") << 1 << true;
    QTest::newRow("entropy") << 2 << true;
    QTest::newRow("penalties") << 3 << true;
    QTest::newRow("beams") << 4 << true;
    QTest::newRow("typical") << 5 << true;
  }
  void whatNeedsRowsDownloadsThem() {
    QFETCH(int, what);
    QFETCH(bool, downloads);
    const DigestingModel digesting(512);
    EventQueue unheard;
    const auto engine = digesting.engine(tinyOptions(), unheard);
    Detail detail;
    if (what == 1) detail.candidates = 3;
    if (what == 2) detail.entropy = true;
    engine->setDetail(detail);
    Request request = drawn(what == 4 ? 0 : 1, 1);
    if (what == 3) request.sampling.presencePenalty = 0.5;
    if (what == 4) request.beamWidth = 2;
    if (what == 5) request.sampling.typicalP = 0.8;
    const RequestResult result = run(*engine, request);
    QVERIFY(isSameResult(result, alone(digesting.model, request, tinyOptions())));
    QCOMPARE(digesting.counts->downloaded > 0, downloads);
    QCOMPARE(digesting.counts->digested > 0, !downloads);
  }

  // Other forwards with the same decoder come between a step's forward and its draws: rows that are still in
  // the decoder's memory are fetched before.
  void otherForwardsMayComeBeforeTheDraw() {
    const DigestingModel digesting(1);
    EventQueue unheard;
    const auto engine = digesting.engine(tinyOptions(), unheard);
    const std::vector<TokenId> others = {3, 50, 20};
    int gates = 0;
    engine->setGate([&](Phase next) {
      if (next != Phase::kSample) return;
      ++gates;
      if (gates % 3 == 0) engine->examine(others, true);
      if (gates % 3 == 1) engine->nextLogits(others, 0);
      if (gates % 3 == 2) engine->lookInside(others, {.exitTop = 2, .exitsFrom = 0, .layer = 1});
    });
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Request request = drawn(2, seed);
      QVERIFY(isSameResult(run(*engine, request), alone(digesting.model, request, tinyOptions())));
    }
    QVERIFY(digesting.counts->digested == gates && gates > 90);
  }

  // So may the steps of a branch, which shares the decoder.
  void aBranchMayStepBeforeTheDraw() {
    const DigestingModel digesting(1);
    EventLog log;
    const auto engine = digesting.engine(tinyOptions(), log);
    const Request request = drawn(2, 3, 20);
    const RequestResult whole = run(*engine, request);
    const auto script = std::make_shared<RunScript>();
    for (const Event& event : log.events) script->add(event);
    EventQueue unheard;
    const auto branch = engine->resume(script, 4, unheard);
    int steps = 0;
    engine->setGate([&](Phase next) {
      if (next != Phase::kSample || !branch->hasWork()) return;
      branch->step();
      ++steps;
    });
    const Request another = drawn(2, 8, 20);
    QVERIFY(isSameResult(run(*engine, another), alone(digesting.model, another, tinyOptions())));
    QVERIFY(steps > 10);
    const SequenceResult resumed = branch->takeResult(1).sequences.front(), &first = whole.sequences.front();
    QCOMPARE(resumed.tokenIds, first.tokenIds);
    QCOMPARE(resumed.cumulativeLogprob, first.cumulativeLogprob);  // a recording has no alternatives
  }

  // What a watcher switches on at the gate needs rows that were not asked for.
  void detailsMayComeBeforeTheDraw() {
    const DigestingModel digesting(2);
    EventQueue unheard;
    const auto engine = digesting.engine(tinyOptions(), unheard);
    engine->setGate([&](Phase next) {
      Detail detail;
      detail.candidates = next == Phase::kSample ? 4 : 0;
      detail.entropy = next == Phase::kSample;
      engine->setDetail(detail);
    });
    const Request request = drawn(1.5, 4);
    QVERIFY(isSameResult(run(*engine, request), alone(digesting.model, request, tinyOptions())));
    QVERIFY(digesting.counts->digested > 0 && digesting.counts->downloaded > 0);
  }
};

QTEST_APPLESS_MAIN(TestDigestedLogits)
#include "tst_digested_logits.moc"
