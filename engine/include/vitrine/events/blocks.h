// Events of KV blocks: allocated, shared, copied, cached, evicted, freed (paged attention, arXiv 2309.06180).
// Thread: values. Read next: swapping.h.
#pragma once

#include <cstdint>

#include "vitrine/ids.h"

namespace vitrine {

struct BlockAllocated {
  BlockId block;
  SequenceId sequence;
  int index;  // in the sequence's block table
};

struct BlockShared {  // by a fork
  BlockId block;
  SequenceId sequence;
  int index, refCount;
};

struct BlockHit {  // found in the prefix index
  BlockId block;
  SequenceId sequence;
  int index, refCount;
  std::uint64_t hash;
};

struct BlockCopied {  // copy-on-write: `to` replaces `from` in the sequence's table
  BlockId from, to;
  SequenceId sequence;
  int index;
};

struct BlockCached {  // registered in the prefix index
  BlockId block;
  std::uint64_t hash, parentHash;
};

struct BlockEvicted {  // removed from the prefix index, since the block is needed for something else
  BlockId block;
  std::uint64_t hash;
};

// The context of a sequence has reached its limit, so the tokens [firstPosition, firstPosition + tokens)
// leave it, and the following block moves to `index`.
struct ContextEvicted {
  BlockId block;
  SequenceId sequence;
  int index, firstPosition, tokens;
  double score;  // attention that the tokens received; 0 when it is not measured
  int refCount;
};

struct BlockFreed {
  BlockId block;
  SequenceId sequence;
  int refCount;  // 0: the block is back in the free queue
};

}  // namespace vitrine
