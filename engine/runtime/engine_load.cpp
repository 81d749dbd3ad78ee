// From a model directory or a GGUF file to an engine.
#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <system_error>

#include "backends/timed_backend.h"
#include "formats/gguf_file.h"
#include "runtime/engine_impl.h"
#include "runtime/model_files.h"
#include "scheduling/eviction_rule.h"
#include "vitrine/engine_option_table.h"
#include "vitrine/library_name.h"
#include "vitrine/program_files.h"

namespace vitrine {
namespace {

const char* formatName(WeightFormat format) {
  switch (format) {
    case WeightFormat::kF32:
      return "f32";
    case WeightFormat::kBf16:
      return "bf16";
    case WeightFormat::kF16:
      return "f16";
    case WeightFormat::kInt8:
      return "int8";
    case WeightFormat::kInt4:
      return "int4";
  }
  return "";
}

std::string attentionKernel(const EngineOptions& options) {
  const bool counts = options.eviction == Eviction::kHeavyHitters && options.attention.empty();
  return counts ? "reference" : options.attention;
}

// On a GPU activations have the type of the weights; bfloat16 beside quantized ones and beside the blocks of
// a GGUF file, unless a type is asked for.
DType activationsFor(const WeightStorage& storage, const ModelConfig& config) {
  const bool keepsBlocks = storage.packed && storage.asStored && !config.packedType.empty() &&
                           config.packedType != blockTypeInfo(BlockType::kF32).name;
  if (storage.matrices == WeightFormat::kF32) return keepsBlocks ? DType::kBf16 : DType::kF32;
  return storage.matrices == WeightFormat::kF16 ? DType::kF16 : DType::kBf16;
}

std::unique_ptr<Backend> makeBackend(const EngineOptions& options, const WeightStorage& storage,
                                     const ModelConfig& config) {
  if (options.kernels == Kernels::kReference) return makeTorchBackend(options.threads, options.attention);
  if (options.device == Device::kCuda)
    return makeCudaBackend(activationsFor(storage, config), options.attention, options.decoding,
                           options.batchInvariant);
  return makeCpuBackend(
      options.threads, attentionKernel(options), computeFor(options, storage),
      options.packedCopies == PackedCopyUse::kKeep ? cacheFolder("packed") : std::filesystem::path());
}

// The progress of all parts of the work on one scale. Throws EngineError(kCancelled) when the caller says so.
class ProgressBar {
 public:
  explicit ProgressBar(const Engine::Progress& progress) : m_progress(progress) {}
  void operator()(double fraction, const char* what) const {
    if (m_progress && !m_progress(fraction, what))
      throw EngineError(ErrorCode::kCancelled, "loading was cancelled");
  }
  // A part's own 0..1 becomes from..to of the whole.
  Engine::Progress part(double from, double to) const {
    return [this, from, to](double fraction, const char* what) {
      return !m_progress || m_progress(from + (to - from) * fraction, what);
    };
  }

 private:
  const Engine::Progress& m_progress;
};

void loadDraftModel(const EngineOptions& options, EngineParts& parts, const Engine::Progress& done) {
  const ModelFiles files(options.speculation.draftModel);
  const std::unique_ptr<Tokenizer> tokenizer = parts.tokenizer ? files.tokenizer() : nullptr;
  if (tokenizer) requireSameTokens(*parts.tokenizer, *tokenizer);
  const ModelConfig& config = files.config();
  parts.draftDecoder =
      std::make_unique<Decoder>(*parts.backend, config, *files.weights(), storageFor(options, config),
                                [&](double fraction, const char*) { return done(fraction, "draft model"); });
  parts.draftName = modelName(files.path());
}

// The tokenizer and the chat format, read beside the weights: of a vocabulary of 150,000 tokens that takes a
// good part of the time that a small model's weights take.
class TextLoad {
 public:
  explicit TextLoad(const ModelFiles& files)
      : m_text(std::async([&files] {
          return Text{files.tokenizer(), files.chatFormat()};
        })) {}

  // Throws what is wrong with the text, once that is known: the weights need not be read then.
  void check() {
    if (!m_taken && m_text.wait_for(std::chrono::seconds(0)) == std::future_status::ready) take();
  }
  void give(EngineParts& parts) {
    if (!m_taken) take();
    parts.tokenizer = std::move(m_taken->tokenizer);
    parts.chatFormat = std::move(m_taken->chatFormat);
  }

 private:
  struct Text {
    std::unique_ptr<Tokenizer> tokenizer;  // null: the model has none
    ChatFormat chatFormat;
  };
  void take() { m_taken = m_text.get(); }

  std::future<Text> m_text;
  std::optional<Text> m_taken;
};

ModelInfo describeModel(const EngineParts& parts) {
  const ModelConfig& config = parts.decoder->config();
  return {parts.name,
          config.family,
          parts.path,
          config.layers,
          config.hiddenSize,
          config.heads,
          config.kvHeads,
          config.headDim,
          config.vocabularySize,
          config.contextLength,
          config.slidingWindow,
          config.parameters(),
          parts.decoder->weightBytes(),
          parts.storage.packed && !config.packedType.empty() ? config.packedType
                                                             : formatName(parts.storage.matrices),
          parts.chatFormat.name()};
}

// What the files of the model and of the draft model have beside their decoders.
void describeIgnored(const EngineParts& parts, EngineLoaded& loaded) {
  const auto add = [&](const Decoder* decoder, const std::string& name) {
    if (decoder == nullptr || decoder->ignored() == IgnoredTensors()) return;
    loaded.ignoredTensors.push_back(decoder->ignored());
    loaded.ignoredTensors.back().model = name;
  };
  add(parts.decoder.get(), parts.name);
  add(parts.draftDecoder.get(), parts.draftName);
}

// Blocks of the pool and of the swap tiers, and the sequences that run at once.
void sizePool(const EngineParts& parts, EngineLoaded& loaded) {
  EngineOptions& options = loaded.options;
  const int contextLength = parts.decoder->config().contextLength;
  loaded.bytesPerBlock = parts.decoder->kvShape(1, options.blockSize, options.kvType).bytesPerBlock();
  options.numBlocks = poolBlocks(options, contextLength, loaded.bytesPerBlock, parts.backend->memory());
  const EvictionRule rule = EvictionRule::of(options);
  const int contextBlocks = rule.isOn() ? rule.mostBlocks() : (contextLength - 1) / options.blockSize + 1;
  if (rule.isOn()) loaded.keptTokens = rule.capacity();
  loaded.fittingSequences = options.numBlocks / contextBlocks;
  constexpr int kMostSequences = 65536;
  if (options.maxSequences == 0)
    options.maxSequences =
        std::clamp(loaded.fittingSequences, 1, std::min(options.tokenBudget, kMostSequences));
  if (options.preemption != Preemption::kSwap) return;
  const auto [host, disk] = swapBlocks(options, loaded.bytesPerBlock);
  loaded.hostSwapBlocks = host;
  loaded.diskSwapBlocks = disk;
}

}  // namespace

WeightStorage storageFor(const EngineOptions& options, DType stored) {
  DType type = stored;
  if (options.weightType == WeightType::kF32) type = DType::kF32;
  if (options.weightType == WeightType::kBf16) type = DType::kBf16;
  if (options.weightType == WeightType::kF16) type = DType::kF16;
  WeightStorage storage(type, options.quantization);
  storage.asStored = options.weightType == WeightType::kAsStored;
  return storage;
}

WeightStorage storageFor(const EngineOptions& options, const ModelConfig& config) {
  WeightStorage storage = storageFor(options, config.storedType);
  const auto isPacked = [&](BlockType type) { return config.packedType == blockTypeInfo(type).name; };
  storage.inBlocks = storage.packed && !config.packedType.empty() && !isPacked(BlockType::kF32) &&
                     !isPacked(BlockType::kF16) && !isPacked(BlockType::kBf16);
  return storage;
}

// What kAuto is follows from measurements (engine/README.md). It is never bf16: whole numbers have the same
// sums with all instructions, and those of bf16 depend on the machine.
Compute computeFor(const EngineOptions& options, const WeightStorage& storage) {
  if (!kWithOwnCpuKernels.holds(options)) return Compute::kF32;
  const bool inGroups =
      storage.inBlocks || storage.matrices == WeightFormat::kInt8 || storage.matrices == WeightFormat::kInt4;
  if (options.compute == Compute::kAuto) return inGroups ? Compute::kInt8 : Compute::kF32;
  const bool isOffered = (options.compute == Compute::kInt8 && inGroups) ||
                         (options.compute == Compute::kBf16 && storage.matrices == WeightFormat::kBf16);
  return isOffered ? options.compute : Compute::kF32;
}

namespace {

using BackendMaker = std::function<std::unique_ptr<Backend>(const EngineParts& parts)>;

std::unique_ptr<Engine> loadOn(const BackendMaker& backendOf, const std::filesystem::path& modelDirectory,
                               const EngineOptions& options, EventSink& sink,
                               const Engine::Progress& progress) {
  options.validate();
  const ProgressBar bar(progress);
  EngineParts parts;
  bar(0, "config");
  const ModelFiles files(modelDirectory);
  parts.config = files.config();
  parts.name = modelName(files.path());
  parts.path = modelDirectory.string();
  bar(0.02, "tokenizer");
  TextLoad text(files);
  bar(0.1, "weights");
  parts.storage = storageFor(options, parts.config);
  parts.backend = std::make_unique<TimedBackend>(backendOf(parts));
  const Engine::Progress weightsDone = bar.part(0.1, 0.8);
  parts.decoder = std::make_unique<Decoder>(*parts.backend, parts.config, *files.weights(), parts.storage,
                                            [&](double fraction, const char* what) {
                                              text.check();
                                              return weightsDone(fraction, what);
                                            });
  text.give(parts);
  if (options.speculation.drafter == DraftMethod::kModel) {
    bar(0.8, "draft model");
    loadDraftModel(options, parts, bar.part(0.8, 0.95));
  }
  bar(0.95, "cache");
  std::unique_ptr<Engine> engine = assembleEngine(std::move(parts), options, sink);
  if (progress) progress(1, "ready");  // too late to cancel: the engine is loaded
  return engine;
}

}  // namespace

std::unique_ptr<Engine> Engine::load(const std::filesystem::path& modelDirectory,
                                     const EngineOptions& options, EventSink& sink,
                                     const Progress& progress) {
  return loadOn([&](const EngineParts& parts) { return makeBackend(options, parts.storage, parts.config); },
                modelDirectory, options, sink, progress);
}

std::unique_ptr<Engine> Engine::loadRounded(const std::filesystem::path& modelDirectory,
                                            const EngineOptions& options, EventSink& sink,
                                            const Progress& progress) {
  if (!kWithOwnCpuKernels.holds(options))
    throw EngineError(ErrorCode::kUnsupported,
                      "rounded weights in float32 arithmetic need our own CPU kernels",
                      "Choose --device cpu with --kernels native.");
  EngineOptions inFloats = options;
  inFloats.compute = Compute::kF32;
  return loadOn(
      [&](const EngineParts& parts) {
        return makeRoundingCpuBackend(options.threads, attentionKernel(options),
                                      computeFor(options, parts.storage));
      },
      modelDirectory, inFloats, sink, progress);
}

EngineOptions inForce(EngineOptions options) {
  options.prefixCache = usesPrefixCache(options);
  options.attention = attentionKernel(options);
  return options;
}

EngineLoaded describeEngine(const EngineParts& parts, EngineOptions& options) {
  options.validate();
  requireEvictable(parts, options);
  EngineLoaded loaded;
  loaded.model = describeModel(parts);
  loaded.backend = parts.backend->name();
  loaded.device = parts.backend->device();
  loaded.threads = parts.backend->threads();
  describeIgnored(parts, loaded);
  loaded.packedCopy = parts.decoder->packedCopy();
  options.compute = computeFor(options, parts.storage);
  loaded.options = inForce(options);
  sizePool(parts, loaded);
  loaded.inputsRecorded = true;
  loaded.options.speculation = options.speculation = chooseSpeculation(parts, options);
  options.maxSequences = loaded.options.maxSequences;
  return loaded;
}

std::unique_ptr<Engine> assembleEngine(EngineParts parts, const EngineOptions& options, EventSink& sink) {
  EngineOptions chosen = options;
  EngineLoaded loaded = describeEngine(parts, chosen);
  return std::make_unique<EngineImpl>(std::move(parts), chosen, std::move(loaded), sink);
}

std::filesystem::path builtinModelDirectory() {
  std::error_code error;
  const std::filesystem::path directory = dataFolder("model");
  return std::filesystem::exists(directory / "config.json", error) ? directory : std::filesystem::path();
}

}  // namespace vitrine
