// A long life: requests of every kind come at random and some are cancelled; each that has finished is taken
// and forgotten. After every step the machine is checked, at every gate its events, and what it keeps must be
// what is in flight and no more.
//
// VITRINE_SOAK_STEPS=100000 makes every row so long (with QTEST_FUNCTION_TIMEOUT in ms, since Qt Test gives a
// row five minutes); each then says what it lived through.
#include "support/letter_tokenizer.h"
#include "support/machine_check.h"
#include "support/swap_load.h"
// The engine's headers stand first: Qt takes `slots` for itself.
#include <unistd.h>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>
#include <random>

using namespace vitrine;

namespace {

// Of this process, in KiB; 0 where the system does not say, or AddressSanitizer keeps freed memory.
std::int64_t residentKiB() {
#ifdef __SANITIZE_ADDRESS__
  return 0;
#endif
  std::ifstream statm("/proc/self/statm");
  std::int64_t total = 0, resident = 0;
  return statm >> total >> resident ? resident * sysconf(_SC_PAGESIZE) / 1024 : 0;
}

class Soak {
 public:
  Soak(const EngineOptions& options, std::uint32_t seed)
      : m_options(options), m_random(seed), m_engine(makeEngine()) {
    m_engine->setGate([this](Phase) { disturb(); });
  }

  void live(int steps) {
    for (const int end = sink.state.step + steps; sink.state.step < end;) {
      while (m_open.size() < kMostOpen && below(2) == 0) arrive();
      if (below(12) == 0) withdraw();
      step();
      if (QTest::currentTestFailed()) return;
    }
  }

  // Until nothing is in flight; then nothing may be left.
  void drain() {
    while (m_engine->hasWork() && !QTest::currentTestFailed()) step();
    for (; !m_taken.empty(); m_taken.pop_back()) m_engine->forget(m_taken.back());
    if (QTest::currentTestFailed()) return;
    const MachineState state = m_engine->snapshot();
    QVERIFY(m_open.empty() && state.requests.empty() && state.sequences.empty());
    QCOMPARE(state.freeQueue.size(), state.blocks.size());
    QCOMPARE(complaintAbout(*m_engine, sink), std::string());
  }

  ReplayingSink sink;

 private:
  struct Open {
    RequestId id;
    Request request;
  };
  static constexpr std::size_t kMostOpen = 12;
  static constexpr int kMostPrompt = 24, kMostTokens = 16;  // four beams of those need 25 blocks of 4

  int below(int limit) { return static_cast<int>(m_random() % static_cast<unsigned>(limit)); }
  int pick(const std::vector<int>& values) { return values[m_random() % values.size()]; }

  std::unique_ptr<Engine> makeEngine() {
    static const TinyModel model, other(tinyConfig(40), 6);
    EngineParts parts = model.parts(tinyBackend(m_options));
    parts.tokenizer = std::make_unique<LetterTokenizer>();
    parts.clock = [this] { return m_now; };
    if (m_options.speculation.drafter == DraftMethod::kModel)
      parts.draftDecoder =
          std::make_unique<Decoder>(*parts.backend, other.config, other.weights, DType::kF32);
    return assembleEngine(std::move(parts), m_options, sink);
  }

  Request anyRequest() {
    Request request;
    const int length = 1 + below(kMostPrompt), common = below(3) * length / 2;
    for (int i = 0; i < length; ++i) request.tokenIds.push_back(i < common ? 10 + i : 8 + below(2));
    request.maxTokens = 1 + below(m_options.eviction == Eviction::kNone ? kMostTokens : 60);
    request.ignoreEos = below(2) == 0;
    request.logprobs = below(2);
    request.cacheSalt = below(6) == 0 ? 1 : 0;
    request.priority = below(4) - 1;
    request.deadlineMs = below(2) * (0.5 + below(40));
    if (below(3) == 0) request.stop = {std::string(1, static_cast<char>('A' + below(26)))};
    request.sequences = pick({1, 1, 1, 2, 3});
    if (m_options.eviction == Eviction::kNone && below(4) == 0) {
      request.beamWidth = 2 + below(3);
      request.sequences = 1 + below(request.beamWidth);
      return request;
    }
    if (below(5) == 0) request.bestOf = request.sequences + below(2);
    if (below(3) == 0) return request;
    request.sampling.temperature = 0.7 * (1 + below(2));
    request.sampling.seed = m_random();
    request.sampling.topK = pick({0, 0, 5});
    request.sampling.topP = pick({1, 2}) * 0.5;
    request.sampling.frequencyPenalty = below(2);
    return request;
  }

  void arrive() {
    Request request = anyRequest();
    m_open.push_back({m_engine->submit(request), std::move(request)});
  }
  void withdraw() {
    if (!m_open.empty()) m_engine->cancel(m_open[m_random() % m_open.size()].id);
  }
  // At a gate.
  void disturb() {
    QVERIFY(m_engine->snapshot() == sink.state);
    if (below(100) == 0) withdraw();
    if (below(200) == 0) arrive();
    for (; !m_taken.empty() && below(2) == 0; m_taken.pop_back()) m_engine->forget(m_taken.back());
  }

  void step() {
    m_now += 1'000'000;
    m_engine->step();
    std::erase_if(m_open, [&](const Open& open) {
      if (!m_engine->isFinished(open.id)) return false;
      take(open);
      return true;
    });
    QCOMPARE(complaintAbout(*m_engine, sink), std::string());
    keepsNoMoreThanIsWanted();
  }

  // Most are forgotten at once, some later and inside a step.
  void take(const Open& open) {
    const RequestResult result = m_engine->takeResult(open.id);
    QCOMPARE(static_cast<int>(result.sequences.size()), open.request.sequences);
    for (const SequenceResult& answer : result.sequences) {
      QVERIFY(answer.reason != FinishReason::kFailed);
      QVERIFY(static_cast<int>(answer.tokenIds.size()) <= open.request.maxTokens);
    }
    if (below(4) == 0)
      m_taken.push_back(open.id);
    else
      m_engine->forget(open.id);
  }

  void keepsNoMoreThanIsWanted() {
    std::size_t sequences = 0;
    for (const auto& [id, request] : sink.state.requests) {
      const auto asked = std::ranges::find(m_open, id, &Open::id);
      QVERIFY(asked != m_open.end() || std::ranges::find(m_taken, id) != m_taken.end());
      sequences += request.sequences.size();
    }
    QCOMPARE(sink.state.requests.size(), m_open.size() + m_taken.size());
    QCOMPARE(sink.state.sequences.size(), sequences);
  }

  const EngineOptions m_options;
  std::mt19937 m_random;
  std::int64_t m_now = 0;  // a step takes a millisecond
  std::unique_ptr<Engine> m_engine;
  std::vector<Open> m_open;
  std::vector<RequestId> m_taken;  // and not yet forgotten
};

EngineOptions fullPool() {
  EngineOptions options = tinyOptions(25, 4, 24);
  options.maxSequences = 8;
  return options;
}

}  // namespace

class TestSoak : public QObject {
  Q_OBJECT

 private slots:
  void memoryStaysFlat_data() {
    QTest::addColumn<EngineOptions>("options");
    QTest::addColumn<QStringList>("happens");  // often, besides cancellations and preemptions
    EngineOptions recompute = fullPool();
    QTest::newRow("recompute") << recompute
                               << QStringList{"block_hit", "block_evicted", "block_copied", "beam_chosen"};

    EngineOptions swap = fullPool();
    swap.policy = Policy::kPriority;
    swap.agingSteps = 8;
    swap.preemption = Preemption::kSwap;
    swap.hostSwapBytes = 6 * kTinyBlockBytes;
    swap.diskSwapBytes = 16 * kTinyBlockBytes;
    swap.swapFolder = m_folder.path().toStdString();
    QTest::newRow("swap by priority")
        << swap << QStringList{"block_swapped_in", "block_demoted", "answers_ranked"};

    EngineOptions ngram = fullPool();
    ngram.policy = Policy::kDeadline;
    ngram.agingSteps = 20;
    ngram.speculation.drafter = DraftMethod::kNgram;
    QTest::newRow("n-gram drafts by deadline") << ngram << QStringList{"draft_rolled_back", "sequence_aged"};

    EngineOptions model = fullPool();
    model.speculation.drafter = DraftMethod::kModel;
    model.speculation.draftModel = "the other one";
    model.speculation.adaptive = true;
    QTest::newRow("a model's drafts") << model << QStringList{"draft_rolled_back", "beam_chosen"};

    EngineOptions sinks = fullPool();
    sinks.numBlocks = 16;
    sinks.eviction = Eviction::kSinks;
    sinks.sinkTokens = 4;
    sinks.windowTokens = 12;
    QTest::newRow("sinks") << sinks << QStringList{"context_evicted", "block_hit"};

    EngineOptions int8 = fullPool();
    int8.kvType = KvType::kInt8;
    QTest::newRow("int8") << int8 << QStringList{"block_copied", "beam_chosen"};
  }
  void memoryStaysFlat() {
    QFETCH(EngineOptions, options);
    QFETCH(QStringList, happens);
    const int steps = std::max(qEnvironmentVariableIntValue("VITRINE_SOAK_STEPS"), 5000);
    Soak soak(options, 1);
    soak.live(steps / 10);
    soak.drain();
    const std::int64_t early = residentKiB();
    soak.live(steps - steps / 10);
    soak.drain();
    if (QTest::currentTestFailed()) return;
    const std::int64_t late = residentKiB();
    const ReplayingSink& sink = soak.sink;
    qInfo(
        "%d steps, %lld requests, %lld cancelled, %lld preemptions, %lld KiB resident after a tenth, %lld at "
        "the end",
        sink.state.step, static_cast<long long>(sink.count<RequestSubmitted>()),
        static_cast<long long>(sink.count<RequestCancelled>()),
        static_cast<long long>(sink.count<SequencePreempted>()), static_cast<long long>(early),
        static_cast<long long>(late));
    QVERIFY2(late - early < kMostGrowthKiB, qPrintable(QString("grown by %1 KiB").arg(late - early)));
    QCOMPARE(sink.count<RequestForgotten>(), sink.count<RequestSubmitted>());
    happens += {"request_cancelled", "sequence_preempted", "sequence_forked"};
    for (const QString& name : happens) {
      const auto infos = allEvents();
      const auto kind =
          std::ranges::find_if(infos, [&](const EventInfo& info) { return name == info.name; }) -
          infos.begin();
      const std::int64_t count = sink.counts.contains(static_cast<std::size_t>(kind))
                                     ? sink.counts.at(static_cast<std::size_t>(kind))
                                     : 0;
      QVERIFY2(count >= steps / 100, qPrintable(QString("%1 only %2 times").arg(name).arg(count)));
    }
  }

 private:
  // Twenty bytes a request in 100,000 steps, and more than an allocator's mood.
  static constexpr std::int64_t kMostGrowthKiB = 1024;
  QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestSoak)
#include "tst_soak.moc"
