// Events of loading: what model and machine an engine runs with.
// Thread: values. Read next: requests.h.
#pragma once

#include <cstdint>
#include <string>

#include "vitrine/options.h"

namespace vitrine {

struct ModelInfo {
  std::string name, family, path;
  int layers = 0, hiddenSize = 0, heads = 0, kvHeads = 0, headDim = 0, vocabularySize = 0;
  int contextLength = 0, slidingWindow = 0;  // tokens; slidingWindow 0: none
  std::int64_t parameters = 0, weightBytes = 0;
  std::string weightType, chatFormat;
};

// The first event of a run: the options as they are in force.
struct EngineLoaded {
  ModelInfo model;
  std::string backend, device;  // "cpu", "AVX3, 2 threads"; for people
  int threads = 0, blockSize = 0, numBlocks = 0, maxSequences = 0, tokenBudget = 0;
  std::int64_t bytesPerBlock = 0;
  KvType kvType = KvType::kSame;
  bool kvCache = true, prefixCache = true, chunkedPrefill = true;
  Eviction eviction = Eviction::kNone;                    // of the context
  int sinkTokens = 0, windowTokens = 0, heavyTokens = 0;  // what eviction keeps
  int keptTokens = 0;  // the most tokens a sequence holds, in whole blocks; 0 without eviction
  Batching batching = Batching::kContinuous;
  double windowMs = 0;  // for Batching::kWindow
  Policy policy = Policy::kFcfs;
  int agingSteps = 0;
  int fittingSequences = 0;  // whole contexts that the pool holds: so many never preempt one another
  double loadMs = 0;
  std::uint64_t seed = 0;          // of the engine's options
  SpeculationOptions speculation;  // exitLayer as chosen
  Preemption preemption = Preemption::kRecompute;
  int hostSwapBlocks = 0, diskSwapBlocks = 0;  // capacity of each tier, for Preemption::kSwap
  int staleSwapFiles = 0;                      // removed: a killed process had left them
};

struct EngineFailed {
  std::string code, message, hint;  // of the EngineError
};

}  // namespace vitrine
