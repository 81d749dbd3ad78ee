// EvictionRule: what a sequence keeps of a context that outgrows its capacity. By whole blocks: the first
// tokens (attention sinks; StreamingLLM, arXiv 2309.17453), the last ones, and, for heavy hitters, some
// between.
//
// Two decisions make it exact. First, a sequence evicts a block when its resident tokens reach capacity(),
// and at no other time; a chunk of a prompt ends there. So what a token sees follows from its position alone
// (and, for heavy hitters, from the attention of the tokens before it): batching, chunks and recomputation
// after a preemption meet the same evictions, and the law holds to the bit. Second, the blocks behind an
// evicted one move up: a token's position is its position among the resident tokens, as in StreamingLLM, so
// no distance exceeds the capacity. Keys are not touched: they stay rotated by the position at which they
// were computed. For a block that lies d tokens nearer than its positions say, the query is rotated back by d
// (RoPE's angles add: q' = R(-d) q). So blocks can be shared, each holder evicts for itself, and nothing is
// rounded twice.
//
// Heavy hitters (H2O, arXiv 2306.14048): the block is evicted that received the least attention from the
// tokens so far, summed over its slots, all layers and all heads. H2O decides for each token and head; here a
// block serves all heads. By whole blocks: all tokens of the sinks' last block stay, and of the window at
// least windowTokens and up to two blocks more. Thread: values. Read next: context_eviction.h.
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
