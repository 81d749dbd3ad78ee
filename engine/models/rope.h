// Rotary position embedding: the angles by which a head's pairs turn (RoPE, arXiv 2104.09864; llama3's,
// YaRN's, arXiv 2309.00071, and LongRoPE's, arXiv 2402.13753, stretched ones), in float32 throughout, as
// transformers computes them.
//
// A pair has one frequency for all lengths: what a token leaves in the KV cache may follow from the tokens
// before it alone, or prompts could not share it. Two kinds of transformers choose the frequencies by the
// length of a forward, and its cache keeps what a shorter one turned by others. Here the model's context
// decides, which is fixed:
//   dynamic   stretches only forwards longer than max_position_embeddings. That is the context here, and no
//             request is longer, so the frequencies are the plain ones: those of transformers for any such
//             forward. A sequence that outgrows its context by eviction keeps them.
//   longrope  has the long factors where max_position_embeddings exceeds original_max_position_embeddings,
//             else the short ones; llama.cpp and vLLM choose so, too. For a forward within the original
//             context transformers takes the short ones, so there the two differ.
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
