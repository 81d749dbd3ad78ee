// checkTensors(): whether the tensors of a model's files are those of its config. The one rule for a folder
// and a GGUF file, for loading and for converting.
//
// Every tensor that the decoder computes with is there and has its shape. A tensor that it does not compute
// with is
//   - passed over without a word: the frequencies and masks that old versions of transformers saved along,
//   and the
//     head of a model whose head is its embedding;
//   - ignored with a note: one of a layer behind the layers that the config counts, and one of a part that
//   stands
//     beside the decoder: a head that drafts tokens (mtp, nextn, eagle, medusa), what sees and hears, and
//     heads that judge or classify a text. Transformers ignores such tensors with a warning;
//   - refused: any other. A tensor within a layer that the config counts (a bias, a norm, an expert), one
//   beside the
//     embedding or the head, and one whose part is not known could change the answers.
// Thread: any. Read next: tensor_names.h, decoder_weights.cpp.
#pragma once

#include "models/model_config.h"
#include "models/weight_source.h"
#include "vitrine/ignored_tensors.h"

namespace vitrine {

// What was ignored; its `model` is empty. Reads no tensor. Throws EngineError(kFileCorrupt) naming the
// tensors that are missing, misshapen or refused.
IgnoredTensors checkTensors(const ModelConfig& config, const WeightSource& source);

}  // namespace vitrine
