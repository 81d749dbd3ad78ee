// TinyEngine: a whole engine over a random model of a few thousand weights, with no files.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/timed_backend.h"
#include "models/random_weights.h"
#include "runtime/engine_parts.h"

namespace vitrine {

inline ModelConfig tinyConfig(int contextLength = 96, int slidingWindow = 0) {
  ModelConfig config;
  config.family = "llama";
  config.layers = 2;
  config.hiddenSize = 32;
  config.intermediateSize = 48;
  config.heads = 4;
  config.kvHeads = 2;
  config.headDim = 8;
  config.vocabularySize = 61;
  config.contextLength = contextLength;
  config.slidingWindow = slidingWindow;
  config.layerSlides = {slidingWindow > 0, false};
  config.rope.originalContextLength = contextLength;
  config.eosTokens.push_back(7);
  return config;
}

// One thread, with what the options say of the kernels.
inline std::unique_ptr<Backend> tinyBackend(const EngineOptions& options) {
  return makeCpuBackend(1, options.attention, computeFor(options, storageFor(options, DType::kF32)));
}

// A config and its weights, from which any number of engines are made.
class TinyModel {
 public:
  explicit TinyModel(const ModelConfig& shape = tinyConfig(), std::uint64_t seed = 5)
      : config(shape), weights(shape, seed) {}

  EngineParts parts(std::unique_ptr<Backend> backend = makeCpuBackend(1),
                    WeightStorage storage = DType::kF32) const {
    EngineParts parts;
    parts.config = config;
    parts.storage = storage;
    parts.backend = std::make_unique<TimedBackend>(std::move(backend));
    parts.decoder = std::make_unique<Decoder>(*parts.backend, config, weights, storage);
    parts.name = "tiny";
    parts.tokenizer = tokenizer;
    return parts;
  }
  // With DraftMethod::kModel, `drafts` is the second model.
  std::unique_ptr<Engine> engine(const EngineOptions& options, EventSink& sink,
                                 const TinyModel* drafts = nullptr, ClockSource clock = steadyNowNs) const {
    EngineParts made = parts(tinyBackend(options), storageFor(options, DType::kF32));
    made.clock = std::move(clock);
    if (drafts != nullptr)
      made.draftDecoder =
          std::make_unique<Decoder>(*made.backend, drafts->config, drafts->weights, DType::kF32);
    return assembleEngine(std::move(made), options, sink);
  }

  const ModelConfig config;
  const RandomWeights weights;
  std::shared_ptr<Tokenizer> tokenizer = nullptr;  // null: token ids only
};

inline const TinyModel& tinyModel() {
  static const TinyModel tiny;
  return tiny;
}

inline EngineOptions tinyOptions(int numBlocks = 32, int blockSize = 4, int tokenBudget = 64) {
  EngineOptions options;
  options.threads = 1;
  options.numBlocks = numBlocks;
  options.blockSize = blockSize;
  options.tokenBudget = tokenBudget;
  return options;
}

// Tokens of the tiny vocabulary; prompts with another `first` begin differently.
inline std::vector<TokenId> tinyPrompt(int length, TokenId first = 10) {
  std::vector<TokenId> tokens;
  for (int i = 0; i < length; ++i) tokens.push_back((first + 3 * i) % 61);
  return tokens;
}

inline Request tinyRequest(std::vector<TokenId> tokens, int maxTokens = 8) {
  Request request;
  request.tokenIds = std::move(tokens);
  request.maxTokens = maxTokens;
  request.ignoreEos = true;
  return request;
}

}  // namespace vitrine
