// NaiveModel: the same transformers as engine/models/decoder.h, in plain loops and double precision,
// computing everything again for every prompt: no cache, no blocks, no backend, no fused matrix. An oracle to
// hold the decoder against; written from the papers, sharing no code with it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/model_config.h"
#include "models/weight_source.h"

namespace vitrine::test {

using Matrix = std::vector<std::vector<double>>;  // [row][column]

struct NaiveResult {
  Matrix logits;  // [position][vocabulary]
  Matrix given;   // with `seen`: [position][place in its list] attention, all layers and heads together
  std::vector<Matrix>
      hidden;  // [0 embeddings, l after layer l, the last after the final norm][position][hidden]
};

// `seen`, when given, lists the positions that each token sees, ascending, its own the last; otherwise it
// sees all before it. The position for RoPE is then the index in that list, for the query and for the keys.
using Seen = std::vector<std::vector<int>>;
NaiveResult runNaive(const ModelConfig& config, const WeightSource& weights,
                     const std::vector<std::int32_t>& tokens, const Seen& seen = {});

// The greedy continuation: the largest logit, the smaller id on a tie.
std::vector<std::int32_t> greedyNaive(const ModelConfig& config, const WeightSource& weights,
                                      std::vector<std::int32_t> tokens, int count);

}  // namespace vitrine::test
