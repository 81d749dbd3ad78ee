// Events of KV blocks: allocated, shared, copied, cached, evicted, freed (paged attention, arXiv 2309.06180).
// Thread: values. Read next: swapping.h.
#pragma once

#include <cstdint>

#include "vitrine/description.h"
#include "vitrine/ids.h"

namespace vitrine {

struct BlockAllocated {
  BlockId block = 0;
  SequenceId sequence = 0;
  int index = 0;  // in the sequence's block table
};
VITRINE_DECISION(BlockAllocated, "block_allocated", kBlock, field("block", &T::block),
                 field("sequence", &T::sequence), field("index", &T::index));

struct BlockShared {  // by a fork
  BlockId block = 0;
  SequenceId sequence = 0;
  int index = 0, refCount = 0;
};
VITRINE_DECISION(BlockShared, "block_shared", kBlock, field("block", &T::block),
                 field("sequence", &T::sequence), field("index", &T::index),
                 field("ref_count", &T::refCount));

struct BlockHit {  // found in the prefix index
  BlockId block = 0;
  SequenceId sequence = 0;
  int index = 0, refCount = 0;
  std::uint64_t hash = 0;
};
VITRINE_DECISION(BlockHit, "block_hit", kBlock, field("block", &T::block), field("sequence", &T::sequence),
                 field("index", &T::index), field("ref_count", &T::refCount),
                 field("hash", hexadecimal(&T::hash)));

struct BlockCopied {  // copy-on-write: `to` replaces `from` in the sequence's table
  BlockId from = 0, to = 0;
  SequenceId sequence = 0;
  int index = 0;
};
VITRINE_DECISION(BlockCopied, "block_copied", kBlock, field("from", &T::from), field("to", &T::to),
                 field("sequence", &T::sequence), field("index", &T::index));

struct BlockCached {  // registered in the prefix index
  BlockId block = 0;
  std::uint64_t hash = 0, parentHash = 0;
};
VITRINE_DECISION(BlockCached, "block_cached", kBlock, field("block", &T::block),
                 field("hash", hexadecimal(&T::hash)), field("parent_hash", hexadecimal(&T::parentHash)));

struct BlockEvicted {  // removed from the prefix index, since the block is needed for something else
  BlockId block = 0;
  std::uint64_t hash = 0;
};
VITRINE_DECISION(BlockEvicted, "block_evicted", kBlock, field("block", &T::block),
                 field("hash", hexadecimal(&T::hash)));

// The context of a sequence has reached its limit, so the tokens [firstPosition, firstPosition + tokens)
// leave it, and the following block moves to `index`.
struct ContextEvicted {
  BlockId block = 0;
  SequenceId sequence = 0;
  int index = 0, firstPosition = 0, tokens = 0;
  double score = 0;  // attention that the tokens received; 0 when it is not measured
  int refCount = 0;
};
VITRINE_DECISION(ContextEvicted, "context_evicted", kBlock, field("block", &T::block),
                 field("sequence", &T::sequence), field("index", &T::index),
                 field("first_position", &T::firstPosition), field("tokens", &T::tokens),
                 field("score", &T::score), field("ref_count", &T::refCount));

struct BlockFreed {
  BlockId block = 0;
  SequenceId sequence = 0;
  int refCount = 0;  // 0: the block is back in the free queue
};
VITRINE_DECISION(BlockFreed, "block_freed", kBlock, field("block", &T::block),
                 field("sequence", &T::sequence), field("ref_count", &T::refCount));

enum class MissCause : std::uint8_t {
  kDiffers,  // a cached block continues the prompt's beginning with another token
  kEvicted,  // the block that would have continued it was evicted
};
VITRINE_NAMES(MissCause, "differs", "evicted");

// Why a prompt is computed again behind its cached beginning. Published when the sequence is first admitted,
// only under its own cache salt, and of evictions only for the last 4,096.
struct PrefixMissed {
  SequenceId sequence = 0;
  MissCause cause = MissCause::kDiffers;
  RequestId owner = 0;             // the request that computed the block that differs or was evicted
  int matchedTokens = 0;           // found in the prefix index, in whole blocks
  int recomputedTokens = 0;        // the prompt's other tokens
  int position = -1;               // kDiffers: of the first token that differs
  TokenId ours = -1, theirs = -1;  // kDiffers: the tokens there, of the prompt and of the cached block
  int evictedStep = -1;            // kEvicted

  bool operator==(const PrefixMissed&) const = default;
};
VITRINE_DECISION(PrefixMissed, "prefix_missed", kBlock, field("sequence", &T::sequence),
                 field("cause", &T::cause), field("owner", &T::owner),
                 field("matched_tokens", &T::matchedTokens), field("recomputed_tokens", &T::recomputedTokens),
                 field("position", &T::position), field("ours", &T::ours), field("theirs", &T::theirs),
                 field("evicted_step", &T::evictedStep));

}  // namespace vitrine
