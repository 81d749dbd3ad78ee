// The KV pool of a model that is opened in the window: so many blocks as a part of the free memory holds, for
// the whole context of each chat at most. The models page says the same numbers before.
//
// The built-in model keeps a pool so small that a person sees it fill. A number of blocks or of bytes in the
// options counts as it is. On the CPU the pool is only reserved when a model is loaded: its memory is used as
// chats fill it. A GPU's memory is taken at once. Thread: any. Read next: model_estimate.h.
#pragma once

#include <QString>
#include <filesystem>

#include "catalog/found_model.h"
#include "vitrine/names.h"
#include "vitrine/options.h"

namespace vitrine {

// The part of the memory left beside the weights: a quarter, a half, three quarters.
enum class KvShare { kQuarter, kHalf, kMost };
VITRINE_NAMES(KvShare, "quarter", "half", "most");

inline constexpr int kBuiltinBlocks = 64;  // the built-in model's context: one long conversation fills it

// Whether the options leave the size to fitKvPool(): outside of scenarios, nothing was chosen.
inline bool leavesPoolOpen(const EngineOptions& options) {
  return options.numBlocks == 0 && options.kvMemoryBytes == 0;
}

struct KvPool {
  int blocks = 0, tokens = 0;
  qint64 bytes = 0;
};

// Of a model with known figures, in blocks as the options have them. `availableBytes` of memory, 0: not
// known. `besideBytes` of them go to other weights, those of a draft model.
KvPool fitKvPool(const FoundModel& model, const EngineOptions& options, qint64 availableBytes, KvShare share,
                 qint64 besideBytes = 0);

// Of a GPU's memory, for the model's weights, the smallest pool, and what a step computes with. Throws as
// withKvPool().
qint64 leastDeviceBytes(const std::filesystem::path& model, const EngineOptions& options);

// The options with the blocks that the window gives this model; as they are where they say it themselves.
// Throws EngineError: what reading the model's sizes throws.
EngineOptions withKvPool(const std::filesystem::path& model, EngineOptions options, qint64 availableBytes,
                         KvShare share);

}  // namespace vitrine
