// Rotary position embedding: the angles by which a head's pairs turn (RoPE, arXiv 2104.09864; llama3's and
// YaRN's stretched ones, arXiv 2309.00071), in float32 throughout, as transformers computes them.
// Thread: any. Read next: rope.cpp; backend.h, whose rotary() turns the heads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/model_config.h"

namespace vitrine {

struct RopeFrequencies {
  std::vector<float> inverse;  // [headDim / 2] radians a position
  float attentionScaling = 1;  // cos and sin are multiplied by it
};
RopeFrequencies ropeFrequencies(const RopeConfig& rope, int headDim);

// Fills cos, sin [rows, headDim / 2] for the positions first, first + 1, ...
void fillRopeTable(const RopeFrequencies& frequencies, std::int64_t first, std::span<float> cos,
                   std::span<float> sin);

}  // namespace vitrine
