// DecoderWeights: a checkpoint's tensors as the decoder uses them, in a backend's layout.
//
// q, k and v stand one above another in one matrix, gate and up in another, so that each pair of reads of the
// activations becomes one. Read next: decoder.cpp.
#pragma once

#include <memory>
#include <vector>

#include "backends/backend.h"
#include "models/decoder.h"
#include "models/model_config.h"
#include "models/weight_source.h"
#include "vitrine/ignored_tensors.h"

namespace vitrine {

struct LayerWeights {
  Tensor attentionNorm, queryNorm, keyNorm, mlpNorm;  // [hidden], [headDim] x 2 (Qwen3), [hidden]
  std::unique_ptr<LinearWeight> qkv, output, gateUp, down;
  Tensor qkvBias, outputBias, gateUpBias, downBias;  // empty where the family has none
};

struct DecoderWeights {
  Tensor embedding;  // [vocabulary, hidden]; empty where the rows are in blocks:
  std::unique_ptr<LinearWeight> packedEmbedding;
  const LinearWeight* embeddingRows = nullptr;  // the latter, or the head of a model that ties the two
  std::vector<LayerWeights> layers;
  Tensor finalNorm;  // [hidden]
  std::unique_ptr<LinearWeight> head;
  std::int64_t bytes = 0;
  IgnoredTensors ignored;  // of the source
  PackedCopy copy = PackedCopy::kNone;
};

// Throws EngineError: kFileCorrupt naming the tensor that is missing, misshapen or unknown; kCancelled.
DecoderWeights packWeights(Backend& backend, const ModelConfig& config, const WeightSource& source,
                           WeightStorage storage, const Decoder::Progress& progress);

}  // namespace vitrine
