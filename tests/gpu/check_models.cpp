// Whole models: transformers' numbers, and the law "same seed, same tokens" over random workloads.
#include <fstream>
#include <random>

#include "gpu/gpu_checks.h"
#include "support/event_log.h"
#include "support/golden_engine.h"
#include "support/random_workload.h"
#include "vitrine/event_sink.h"

namespace vitrine::gpu {
namespace {

const std::filesystem::path kGoldens = VITRINE_SOURCE_DIR "/tests/golden";

void checkGolden(Report& report, const std::filesystem::path& directory) {
  const std::string name = directory.filename().string();
  const test::Golden golden = test::Golden::load(directory / "expected.safetensors");
  EventQueue unheard;
  EngineOptions options = test::goldenOptions();
  options.device = Device::kCuda;
  options.weightType = WeightType::kF32;  // the goldens' own arithmetic
  const auto engine = Engine::load(directory, options, unheard);
  const std::vector<TokenId> prompt = test::tokensOf(golden, "input_ids");
  const ForwardReport forward = engine->examine(prompt, true);
  const auto& logits = golden.floats("logits");
  const auto vocabulary = static_cast<std::size_t>(logits.shape.at(1));
  double worst = 0;
  for (std::size_t row = 0; row < prompt.size(); ++row)
    worst = std::max(worst,
                     test::worstDifference(forward.logits.at(row),
                                           std::span(logits.values).subspan(row * vocabulary, vocabulary)));
  std::printf("  %-24s logits within %.1e of transformers\n", name.c_str(), worst);
  report.check(worst <= 1e-3, name + ": logits differ by " + std::to_string(worst));
  const std::vector<TokenId> expected = test::tokensOf(golden, "greedy");
  report.check(test::greedyTokens(*engine, prompt, static_cast<int>(expected.size())) == expected,
               name + ": other greedy tokens");
}

class CudaModel {
 public:
  CudaModel(int slidingWindow, WeightStorage storage, DType activations)
      : m_model(tinyConfig(96, slidingWindow)),
        m_other(tinyConfig(40), 6),
        m_storage(storage),
        m_type(activations) {}

  std::unique_ptr<Engine> engine(const EngineOptions& options, EventSink& sink,
                                 bool draftsLikeTheModel = false, ClockSource clock = steadyNowNs) const {
    EngineParts parts = m_model.parts(makeCudaBackend(m_type, {}, options.decoding), m_storage);
    parts.clock = std::move(clock);
    const TinyModel& drafts = draftsLikeTheModel ? m_model : m_other;
    parts.draftDecoder = std::make_unique<Decoder>(*parts.backend, drafts.config, drafts.weights, m_storage);
    return assembleEngine(std::move(parts), options, sink);
  }

 private:
  const TinyModel m_model, m_other;
  const WeightStorage m_storage;
  const DType m_type;
};

// What the GPU does not do, and the CPU does, is left out of a workload. Keys and values as int8 are not: a
// third of the workloads have them. As bf16 it has them only where it computes in bf16, which is kSame there.
EngineOptions forGpu(EngineOptions options) {
  options.attention.clear();
  options.eviction = Eviction::kNone;
  options.quantization = Quantization::kNone;
  if (options.kvType == KvType::kBf16) options.kvType = KvType::kSame;
  return options;
}

struct Seen {
  std::int64_t preempted = 0, swapped = 0, coded = 0, hit = 0, drafted = 0, compared = 0, padded = 0;
};

void live(Report& report, const CudaModel& model, std::uint32_t seed, int slidingWindow, Seen& seen) {
  Workload workload(seed, slidingWindow);
  workload.options = forGpu(workload.options);
  EngineOptions launched = workload.options;
  launched.decoding = static_cast<Decoding>(seed % Names<Decoding>::list.size());
  ReplayingSink sink;
  std::int64_t now = 0;  // a step takes a millisecond
  const auto engine = model.engine(launched, sink, workload.draftsLikeTheModel, [&] { return now; });
  for (int step = 0; step < 12 || engine->hasWork(); ++step) {
    if (!report.check(step < 3000, "workload " + std::to_string(seed) + " does not end")) return;
    for (Life& life : workload.lives)
      if (life.arrival == step) life.id = engine->submit(life.request);
    now += 1'000'000;
    const bool measures = seed % 3 == 0 && step % 2 == 0;
    engine->setDetail({.layers = measures && step % 4 == 0 ? std::vector<int>{1} : std::vector<int>{},
                       .operations = measures});
    engine->step();
  }
  seen.coded += launched.kvType == KvType::kInt8 ? 1 : 0;
  seen.preempted += sink.count<SequencePreempted>();
  seen.swapped += sink.count<BlockSwappedIn>();
  seen.hit += sink.count<BlockHit>();
  seen.drafted += sink.count<DraftProposed>();
  seen.compared += sink.count<LaunchesMeasured>();
  seen.padded += sink.count<BatchPadded>();
  const SpeculationOptions& speculation = workload.options.speculation;
  for (const Life& life : workload.lives) {
    const RequestResult together = engine->takeResult(life.id);
    const bool drawsOthers = speculation.drafter != DraftMethod::kNone &&
                             speculation.acceptance == DraftAcceptance::kRejection &&
                             life.request.sampling.temperature > 0;
    if (!drawsOthers)
      report.check(isSameResult(together, alone(model, life.request, workload.options)),
                   "workload " + std::to_string(seed) + ": a request has another answer than alone");
  }
}

// Greedy requests that arrive, end by their length or by an end token, are cancelled, wait for blocks and are
// preempted.
struct Greedy {
  std::vector<std::vector<TokenId>> tokens;
  std::vector<double> logprobs;
  std::int64_t rows = 0, wasted = 0, preempted = 0;
  bool operator==(const Greedy& other) const { return tokens == other.tokens && logprobs == other.logprobs; }
};

Greedy liveGreedy(const CudaModel& model, EngineOptions options, std::uint32_t seed, int sequences) {
  std::mt19937 random(seed);
  const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  const bool isCalm = seed % 2 == 0;  // all arrive in the beginning, and end by their length
  options.maxSequences = sequences;
  options.numBlocks = 12 + sequences * (2 + below(6));
  options.blockSize = 4;
  options.prefixCache = below(2) == 0;
  options.tokenBudget = 16 + below(200);
  EventLog log;
  const auto engine = model.engine(options, log);
  std::vector<RequestId> ids;
  for (int step = 0; step < 30 || engine->hasWork(); ++step) {
    const bool isBusy = step < 30 && !isCalm;
    int arrivals = step == 0 ? sequences : 0;
    if (isBusy && below(8) == 0) ++arrivals;
    for (; arrivals > 0; --arrivals) {
      Request request = tinyRequest(tinyPrompt(1 + below(20), below(61)), 1 + below(24));
      request.ignoreEos = below(3) > 0 || isCalm;
      ids.push_back(engine->submit(std::move(request)));
    }
    if (isBusy && below(12) == 0)
      engine->cancel(ids[static_cast<std::size_t>(below(static_cast<int>(ids.size())))]);
    engine->step();
  }
  Greedy lived;
  for (const RequestId id : ids) {
    const SequenceResult result = engine->takeResult(id).sequences.at(0);
    lived.tokens.push_back(result.tokenIds);
    lived.logprobs.push_back(result.cumulativeLogprob);
  }
  for (const ForwardAhead& ahead : log.of<ForwardAhead>()) {
    lived.rows += ahead.rows;
    lived.wasted += ahead.wasted;
  }
  lived.preempted = static_cast<std::int64_t>(log.of<SequencePreempted>().size());
  return lived;
}

}  // namespace

void checkOverlap(Report& report, int workloads) {
  for (const DType type : kActivations) {
    if (!report.begin(std::string("steps that overlap, ") + typeName(type))) continue;
    const CudaModel model(0, type, type);
    Greedy all;
    for (int i = 0; i < workloads; ++i) {
      const auto seed = static_cast<std::uint32_t>(1 + i);
      EngineOptions options = tinyOptions();
      options.decoding = static_cast<Decoding>(seed % Names<Decoding>::list.size());
      options.kvType = seed % 3 == 0 ? KvType::kInt8 : KvType::kSame;
      if (seed % 2 == 0) options.preemption = Preemption::kSwap;
      constexpr int kSequences[] = {1, 3, 4, 9, 40};
      const int sequences = kSequences[seed % std::size(kSequences)];
      options.overlap = Overlap::kOn;
      const Greedy on = liveGreedy(model, options, seed, sequences);
      options.overlap = Overlap::kOff;
      const Greedy off = liveGreedy(model, options, seed, sequences);
      report.check(on == off, "workload " + std::to_string(seed) + ": other answers when steps overlap");
      report.check(off.rows == 0, "workload " + std::to_string(seed) + ": a forward began early");
      all.rows += on.rows;
      all.wasted += on.wasted;
      all.preempted += on.preempted;
    }
    std::printf("  %d workloads: %lld rows begun early, %lld of them in vain, %lld preempted\n", workloads,
                static_cast<long long>(all.rows), static_cast<long long>(all.wasted),
                static_cast<long long>(all.preempted));
    report.check(all.rows > 10 * workloads && all.wasted > 0, "the workloads are too easy");
  }
}

void checkModels(Report& report) {
  if (!report.begin("golden models, float32")) return;
  for (const auto& entry : std::filesystem::directory_iterator(kGoldens / "models"))
    checkGolden(report, entry.path());
}

void checkEngines(Report& report, int workloads) {
  struct Kept {
    std::string name;
    WeightStorage storage;
    DType activations;
  };
  std::vector<Kept> all;
  for (const DType type : kActivations) all.push_back({typeName(type), type, type});
  all.push_back({"int4", {DType::kBf16, Quantization::kInt4}, DType::kBf16});  // with a head of int8
  for (const auto& [name, storage, activations] : all) {
    for (const int slidingWindow : {0, 6}) {
      if (!report.begin("same seed, same tokens, " + name + ", window " + std::to_string(slidingWindow)))
        continue;
      const CudaModel model(slidingWindow, storage, activations);
      Seen seen;
      for (int i = 0; i < workloads; ++i)
        live(report, model, static_cast<std::uint32_t>(1 + i), slidingWindow, seen);
      std::printf(
          "  %d workloads, %lld with int8 KV: %lld preempted, %lld blocks swapped in, %lld hits, %lld "
          "drafts, "
          "%lld steps padded, %lld launched in all ways\n",
          workloads, static_cast<long long>(seen.coded), static_cast<long long>(seen.preempted),
          static_cast<long long>(seen.swapped), static_cast<long long>(seen.hit),
          static_cast<long long>(seen.drafted), static_cast<long long>(seen.padded),
          static_cast<long long>(seen.compared));
      const int most = workloads / 16;
      report.check(seen.coded >= most && seen.preempted >= most && seen.swapped >= most && seen.hit >= most &&
                       seen.drafted >= most && seen.padded >= most && seen.compared >= most,
                   "the workloads are too easy");
    }
  }
}

}  // namespace vitrine::gpu
