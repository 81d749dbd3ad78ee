// EvictionRule: what a sequence keeps of a context that outgrows its room: by whole blocks, the first tokens
// (attention sinks; StreamingLLM, arXiv 2309.17453), the last ones, and, for heavy hitters, some between.
//
// Two decisions make it exact. A sequence gives a block up at the moment its resident tokens reach
// capacity(), and at no other; a chunk of a prompt ends there. So what a token sees follows from its position
// alone (and, for heavy hitters, from the attention of those before it): batching, chunks and recompute after
// a preemption meet the same evictions, and the law holds to the bit. And what is kept closes ranks: a
// token's place is its place among what is there, as StreamingLLM has it, so no distance is larger than the
// capacity. Keys are not touched for that: they stay turned by the position they were computed at, and for a
// block that lies d tokens nearer than its positions say, the query is turned back by d (RoPE's angles add:
// q' = R(-d) q). Blocks can therefore be shared and evicted by each holder for itself, and nothing is rounded
// twice.
//
// Heavy hitters (H2O, arXiv 2306.14048): the block goes that got the least attention from the tokens so far,
// summed over its places, all layers and all heads; H2O decides for each token and head, here a block serves
// all heads. By whole blocks: of the sinks' last block all tokens stay, and of the window at least
// windowTokens and up to two blocks more. Thread: values. Read next: context_eviction.cpp.
#pragma once

#include <limits>

#include "vitrine/options.h"

namespace vitrine {

struct EvictionRule {
  Eviction kind = Eviction::kNone;
  int blockSize = 16;
  int sinkBlocks = 0, windowBlocks = 0,
      heavyBlocks = 0;  // full blocks that stay, beside the one being filled

  static EvictionRule of(const EngineOptions& options) {
    if (options.eviction == Eviction::kNone) return {};
    const int size = options.blockSize;
    const auto blocks = [size](int tokens) { return (tokens + size - 1) / size; };
    return {options.eviction, size, blocks(options.sinkTokens), blocks(options.windowTokens - 1),
            options.eviction == Eviction::kHeavyHitters ? blocks(options.heavyTokens) : 0};
  }

  bool isOn() const { return kind != Eviction::kNone; }
  // The most blocks a sequence holds, and the tokens in them: one full block more than stays.
  int mostBlocks() const {
    return isOn() ? sinkBlocks + heavyBlocks + windowBlocks + 1 : std::numeric_limits<int>::max();
  }
  int capacity() const { return isOn() ? mostBlocks() * blockSize : std::numeric_limits<int>::max(); }
};

}  // namespace vitrine
