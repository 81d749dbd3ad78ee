// EngineParts: the parts of an engine, for callers without a model directory: tests with random weights.
//
// Engine::load() reads these from files and hands them to the same assembleEngine().
// Read next: engine_load.cpp, engine_impl.h.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backends/backend.h"
#include "core/event_stream.h"
#include "execution/swap_file.h"
#include "models/decoder.h"
#include "models/model_config.h"
#include "models/weight_source.h"
#include "vitrine/engine.h"

namespace vitrine {

class Rerun;

// Engines that are resumed from one share its model; so they belong to one thread.
struct EngineParts {
  ModelConfig config;
  std::shared_ptr<Backend> backend;
  std::shared_ptr<Decoder> decoder;
  std::shared_ptr<Decoder> draftDecoder;  // for DraftMethod::kModel, on the same backend
  std::shared_ptr<Tokenizer> tokenizer;   // null: token ids only
  ChatFormat chatFormat;
  WeightStorage storage = DType::kF32;  // how the decoder keeps its weights
  std::string name, path, draftName;
  SwapFile::Name swapFileName = SwapFile::Name::kNone;  // kVisible for tests of what a name is for
  ClockSource clock = steadyNowNs;
  std::int64_t loadStartedNs = steadyNowNs();
  std::shared_ptr<Rerun> rerun;  // null: the engine does not follow a recording
};

// Throws EngineError for options that cannot be met. Publishes EngineLoaded.
std::unique_ptr<Engine> assembleEngine(EngineParts parts, const EngineOptions& options, EventSink& sink);

// Checks the options against the parts, and chooses what they leave open. Throws EngineError.
EngineLoaded describeEngine(const EngineParts& parts, EngineOptions& options);

// How weights of that type in their file are kept.
WeightStorage storageFor(const EngineOptions& options, DType stored);
WeightStorage storageFor(const EngineOptions& options, const ModelConfig& config);  // of a GGUF file, too

// The arithmetic of products that takes effect with weights that are kept like that; never kAuto. Other
// backends than the CPU's own know none but their own, which counts as kF32, as floats do.
Compute computeFor(const EngineOptions& options, const WeightStorage& storage);

// The options with an exit layer chosen. Throws EngineError(kInvalidArgument) for a drafter the model cannot
// have.
SpeculationOptions chooseSpeculation(const EngineParts& parts, const EngineOptions& options);
// Throws EngineError(kInvalidArgument) naming the first token that means something else to the other.
void requireSameTokens(const Tokenizer& model, const Tokenizer& drafts);

// Whether cached prefixes are looked up: not without a KV cache, nor with heavy hitters, since the attention
// that the blocks of a prefix got from its own tokens is not in the cache.
bool usesPrefixCache(const EngineOptions& options);

// The options as they take effect: without a prefix cache that is not looked up, and with the kernel of
// attention that eviction needs.
EngineOptions inForce(EngineOptions options);

// Throws EngineError when the model or the kernels cannot do with a part of the context.
void requireEvictable(const EngineParts& parts, const EngineOptions& options);

// The number of blocks of the KV pool: numBlocks if given, else the blocks that kvMemoryBytes holds, else
// whole contexts for maxSequences, but at most 1 GiB, or what is free of the memory of a device that holds
// the weights already, less a part for the step itself. Throws EngineError: kInvalidArgument for memory that
// holds no block, and for more than kMaxBlocks blocks or more slots for tokens than an int32 can count;
// kOutOfMemory when the device has no room for a block.
int poolBlocks(const EngineOptions& options, int contextLength, std::int64_t bytesPerBlock,
               const std::optional<DeviceMemory>& memory = {});

}  // namespace vitrine
