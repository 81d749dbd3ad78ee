// The law: batching, chunking, preemption, prefix hits, forks, speculation, keeping no KV and watching never
// change a request's tokens, with a grammar or without, greedy or drawn, and on the CPU the log-probabilities
// are the same to the bit. Random workloads, each request compared with itself run alone; after every step
// the pool's books must balance and the events' replay must equal the machine.
#include "support/letter_tokenizer.h"
#include "support/machine_check.h"
#include "support/random_workload.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <QTest>
#include <map>

using namespace vitrine;

namespace {

// Watches at random: details switched on and off, and forwards opened, at any gate.
class Watching {
 public:
  explicit Watching(const Workload& workload)
      : m_random(static_cast<std::uint32_t>(workload.lives.size() + workload.options.seed +
                                            static_cast<std::uint64_t>(workload.options.numBlocks) * 977)) {}

  void turn(Engine& engine) {
    if (below(7) > 0) return;
    Detail detail;
    detail.candidates = below(2) * below(6);
    for (int layer = 0; layer <= 2; ++layer)
      if (below(3) == 0) detail.layers.push_back(layer);
    detail.entropy = below(2) == 0;
    detail.operations = below(2) == 0;
    engine.setDetail(detail);
  }
  // A sequence that runs, as far as the model's context goes.
  void lookInside(Engine& engine, const MachineState& state) {
    if (state.running.empty() || below(8) > 0) return;
    const auto& tokens = state.sequences.at(state.running[m_random() % state.running.size()]).tokens;
    const auto most = static_cast<std::size_t>(engine.description().model.contextLength);
    const auto count = static_cast<int>(std::min(tokens.size(), most));
    InsideOptions options{.exitTop = below(3), .exitsFrom = below(count), .layer = below(3) - 1};
    options.head = below(3) - 1;
    options.attentionFrom = below(count);
    engine.lookInside(std::span(tokens).first(static_cast<std::size_t>(count)), options);
    ++looks;
  }

  int looks = 0;

 private:
  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  std::mt19937 m_random;
};

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
    TinyModel model(tinyConfig(96, slidingWindow));
    model.tokenizer = std::make_shared<LetterTokenizer>();
    m_events.clear();
    for (int i = 0; i < workloads; ++i) {
      Workload workload(static_cast<std::uint32_t>(firstSeed + i), slidingWindow, true);
      live(model, workload);
      if (QTest::currentTestFailed()) QFAIL(qPrintable(QString("workload %1").arg(firstSeed + i)));
    }
    // The workloads are hard enough. A model with a sliding window allows no eviction.
    QVERIFY(slidingWindow > 0 || m_events["gave up context"] >= workloads / 10);
    for (const char* kind : {"preempted",
                             "copied",
                             "hit",
                             "evicted",
                             "forked",
                             "cancelled",
                             "drafted",
                             "rolled back",
                             "drawn drafts accepted",
                             "drawn drafts rejected",
                             "forgot",
                             "swapped out",
                             "swapped in",
                             "beams",
                             "replaced",
                             "ranked",
                             "for importance",
                             "aged",
                             "windows",
                             "masked"}) {
      QVERIFY2(m_events[kind] >= workloads / 16, kind);
    }
    for (const char* kind : {"candidates", "tapped", "measured", "looked inside"})
      QVERIFY2(m_events[kind] >= workloads / 16, kind);
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
    Watching watching(workload);
    engine->setGate([&](Phase next) {
      QVERIFY(engine->snapshot() == sink.state);
      watching.turn(*engine);
      watching.lookInside(*engine, sink.state);
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
    m_events["looked inside"] += watching.looks;
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
    m_events["candidates"] += sink.count<TokenCandidates>();
    m_events["masked"] += sink.count<GrammarMasked>();
    m_events["tapped"] += sink.count<LayerTap>();
    m_events["measured"] += sink.count<ForwardMeasured>();
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
      // Of several answers cut short others may be the best than at the end, and a grammar may leave a
      // search fewer.
      const bool chosen = life.request.sequenceSlots() > life.request.sequences || life.request.beamWidth > 1;
      if (chosen && state.requests.at(life.id).cancelled) continue;
      QCOMPARE(together.sequences.size(), expected.sequences.size());
      // Rejection sampling draws other tokens of the same distribution: tst_speculation_distribution.
      const SpeculationOptions& speculation = workload.options.speculation;
      if (speculation.drafter != DraftMethod::kNone &&
          speculation.acceptance == DraftAcceptance::kRejection && life.request.sampling.temperature > 0)
        continue;
      for (std::size_t i = 0; i < expected.sequences.size(); ++i) {
        SequenceResult whole = expected.sequences[i];
        const SequenceResult& got = together.sequences[i];
        if (got.reason == FinishReason::kCancelled) {  // what there is of it is its beginning
          QVERIFY(got.tokenIds.size() <= whole.tokenIds.size());
          whole.tokenIds.resize(got.tokenIds.size());
          const std::size_t given = life.request.outputIds.size();
          whole.logprobs.resize(std::max(got.tokenIds.size(), given) - given);
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
