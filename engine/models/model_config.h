// ModelConfig: what a config.json says, in one shape for every family.
//
// Both spellings in use are read: rope_theta + rope_scaling, and the newer rope_parameters. What the decoder
// cannot compute exactly is refused by its name. Read next: family.h, decoder.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"

namespace vitrine {

// Bounds of a file's numbers: far above any model, and low enough that layers x width x width x bytes stays
// within 64 bits.
inline constexpr std::int64_t kMaxLayers = 4096, kMaxWidth = 1 << 20, kMaxHeads = 4096, kMaxHeadDim = 4096,
                              kMaxSize = std::int64_t{1} << 24;  // of every other number

enum class RopeKind { kDefault, kLinear, kDynamic, kLlama3, kYarn, kLongRope };

struct RopeConfig {
  RopeKind kind = RopeKind::kDefault;
  double theta = 10000, factor = 1;
  double lowFrequencyFactor = 1, highFrequencyFactor = 4;  // llama3
  double betaFast = 32, betaSlow = 1;                      // yarn (arXiv 2309.00071), as all below
  double attentionFactor = 0;                              // longrope's too; 0: derived from the factor
  double mscale = 0, mscaleAllDim = 0;
  bool truncate = true;  // round the correction range
  int originalContextLength = 0;
  std::vector<float> shortFactors = {}, longFactors = {};  // longrope, [headDim / 2]
  bool takesLong = false;                                  // longrope: the context exceeds the original one
  std::vector<float> frequencyFactors =
      {};  // [headDim / 2] what each frequency is divided by; empty: nothing
};

struct ModelConfig {
  std::string family;  // "llama", "qwen2", "qwen3", "mistral"
  int layers = 0, hiddenSize = 0, intermediateSize = 0, heads = 0, kvHeads = 0, headDim = 0;
  int vocabularySize = 0, contextLength = 0;
  int slidingWindow = 0;          // 0: none
  std::vector<bool> layerSlides;  // per layer: whether the window applies there
  float rmsNormEps = 1e-6f;
  bool tiedEmbeddings = false, attentionBias = false, outputBias = false, mlpBias = false, qkNorm = false;
  RopeConfig rope;
  DType storedType = DType::kF32;  // what the checkpoint says it holds
  std::string packedType;          // of a GGUF file: the type most of it is in ("Q4_K"); else empty
  bool tieIgnored =
      false;  // config.json ties head and embedding, the files have a head of its own (own_head.h)
  int recommendedExitLayer = 0;         // for drafting by early exit; 0: it recommends none
  std::vector<std::int32_t> eosTokens;  // from config.json and generation_config.json

  std::int64_t parameters() const;
  // The sliding window of a layer's attention; 0: it sees everything before.
  int windowOf(int layer) const { return layerSlides[static_cast<std::size_t>(layer)] ? slidingWindow : 0; }
};

// Throws EngineError: kFileNotFound, kFileCorrupt (with the field), kUnsupported (with the name).
ModelConfig parseModelConfig(std::string_view json, std::string_view fileName);
// Of a model directory, or of a GGUF file (gguf_model.h).
ModelConfig loadModelConfig(const std::filesystem::path& model);

}  // namespace vitrine
