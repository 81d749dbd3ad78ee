// hasOwnHead(): whether the files of a model whose config ties the head to the embedding hold a head with
// other values. Then the config is wrong, and the head in the files counts: transformers has had this rule
// since version 5 (version 4 tied without a word, and gave other answers). Thread: any.
#pragma once

#include <cstdint>

#include "models/model_config.h"
#include "models/weight_source.h"

namespace vitrine {

// Compares `mostRows` rows that are spread evenly, each with its bytes, or its floats where the types differ;
// all rows if there are no more. Throws what require() and reading throw.
bool hasOwnHead(const ModelConfig& config, const WeightSource& source, std::int64_t mostRows);

}  // namespace vitrine
