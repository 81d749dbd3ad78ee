// Models in blocks of a GGUF file, kept as codes: the answers of the same models kept as numbers, in every
// way of launching a step.
#include "gpu/gpu_checks.h"
#include "models/gguf_of.h"
#include "support/random_workload.h"
#include "vitrine/events/forward.h"

namespace vitrine::gpu {
namespace {

// Wide enough for the one kernel of a step.
ModelConfig configOf(const std::string& family) {
  ModelConfig config = test::ggufTestConfig(family);
  config.hiddenSize = config.intermediateSize = 512;
  config.headDim = 128;
  return config;
}

struct Answers {
  std::vector<RequestResult> results;
  std::int64_t weightBytes = 0;
  bool hadOneKernel = false;
};

class WaysSeen final : public EventSink {
 public:
  void publish(const Event& event) override {
    if (const auto* measured = bodyOf<LaunchesMeasured>(event))
      for (const LaunchTimes& times : measured->ways)
        hadOneKernel = hadOneKernel || times.way == LaunchWay::kPersistent;
  }
  bool hadOneKernel = false;
};

Answers answersOf(const WeightSource& weights, const ModelConfig& config, WeightStorage storage,
                  Decoding decoding, bool isSmall) {
  EngineParts parts;
  parts.config = config;
  parts.storage = storage;
  parts.backend = std::make_unique<TimedBackend>(makeCudaBackend(DType::kBf16, {}, decoding));
  parts.decoder = std::make_unique<Decoder>(*parts.backend, config, weights, storage);
  parts.name = "blocks";
  Answers answers;
  answers.weightBytes = parts.decoder->weightBytes();
  WaysSeen sink;
  EngineOptions options = tinyOptions(64, 16, 256);
  options.decoding = decoding;
  const auto engine = assembleEngine(std::move(parts), options, sink);
  const auto answer = [&](int requests) {
    std::vector<RequestId> ids;
    for (int i = 0; i < requests; ++i) {
      Request request = tinyRequest(tinyPrompt(10 + 23 * i, 10 + i), isSmall ? 3 : 12);
      request.logprobs = 3;
      ids.push_back(engine->submit(request));
    }
    engine->run();
    for (const RequestId id : ids) answers.results.push_back(engine->takeResult(id));
  };
  for (const int requests : {1, 2, 5})
    if (!isSmall || requests == 2) answer(requests);
  engine->setDetail({.layers = {}, .operations = true});
  answer(1);
  answers.hadOneKernel = sink.hadOneKernel;
  return answers;
}

void checkModel(Report& report, const std::string& family, const test::TypeOf& typeOf,
                const std::string& types) {
  if (!report.begin("models in blocks, " + family + ", " + types)) return;
  const std::string bytes = test::ggufOf(configOf(family), typeOf);
  const std::shared_ptr<const GgufModel> model = test::modelIn(bytes);
  const ModelConfig config = readGgufConfig(*model);
  const auto weights = openGgufWeights(model, config);
  const WeightStorage packed = DType::kBf16;
  WeightStorage numbers = packed;
  numbers.packed = false;
  const auto answers = [&](WeightStorage storage, Decoding decoding) {
    return answersOf(*weights, config, storage, decoding, report.isSmall());
  };
  const Answers wanted = answers(numbers, Decoding::kEager);
  for (const Decoding decoding : {Decoding::kEager, Decoding::kGraph, Decoding::kPersistent}) {
    const Answers found = answers(packed, decoding);
    report.check(std::ranges::equal(found.results, wanted.results, isSameResult),
                 std::string() + Names<Decoding>::list[static_cast<std::size_t>(decoding)] +
                     ": other answers than the numbers'");
    report.check(found.weightBytes < wanted.weightBytes,
                 std::to_string(found.weightBytes) + " bytes of weights");
    if (decoding == Decoding::kPersistent)
      report.check(found.hadOneKernel == wanted.hadOneKernel, "is one kernel");
  }
}

}  // namespace

void checkBlockModels(Report& report) {
  using enum BlockType;
  for (const std::string family : {"qwen3", "qwen2"}) {
    for (const BlockType type : {kQ80, kQ40, kQ41, kQ50, kQ51, kQ2K, kQ3K, kQ4K, kQ5K, kQ6K})
      checkModel(
          report, family, [&](const std::string&) { return type; }, blockTypeInfo(type).name);
    // As files of mixed types are.
    checkModel(
        report, family,
        [](const std::string& name) {
          const bool isFine = name.ends_with("v_proj.weight") || name.ends_with("1.mlp.down_proj.weight") ||
                              name == kEmbeddingName || name == kHeadName;
          return isFine ? kQ6K : kQ4K;
        },
        "Q4_K and Q6_K");
  }
}

}  // namespace vitrine::gpu
