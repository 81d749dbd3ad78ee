// What a model takes where it is opened: a GPU keeps weights, keys and values in the type of its activations,
// and weights that the options quantize, or that a GGUF file has in blocks, as codes
// (engine/backends/cuda/README.md). Thread: any.
#pragma once

#include "catalog/found_model.h"
#include "vitrine/options.h"

namespace vitrine {

// The same model with the sizes that it has on the options' device.
FoundModel sizesOnDevice(FoundModel model, const EngineOptions& options);

// What of a GPU's free memory is for weights and a KV pool, which take theirs at once: the rest is for what a
// step computes with.
constexpr qint64 forModelAndPool(qint64 freeBytes) { return freeBytes / 10 * 9; }

}  // namespace vitrine
