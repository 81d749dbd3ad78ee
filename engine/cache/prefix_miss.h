// PrefixMiss: why a prompt finds only a part of itself in the prefix cache, or nothing.
//
// A prompt matches whole cached blocks from its beginning. Behind them there are three possibilities: the
// block that would have matched was evicted; a cached block continues the same chain with other tokens; or
// neither is known. Only blocks under the prompt's own cache salt are considered. EvictionMemory remembers
// the last 4,096 evictions; beyond that an eviction is not known. It is looked at once for each admission, so
// it is searched from its newest end, and costs an eviction nothing but a store. Thread: the engine's. Read
// next: prefix_index.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cache/prefix_index.h"

namespace vitrine {

// The last evictions from the prefix index. Allocates its memory in the constructor.
class EvictionMemory {
 public:
  static constexpr std::size_t kCapacity = 4096;

  EvictionMemory() { m_evictions.reserve(kCapacity); }
  struct Evicted {
    std::uint64_t hash, salt;
    int step;
    RequestId owner;  // that had computed the block
  };

  void add(const Evicted& entry);
  // The newest eviction of an entry with this hash and salt; empty when it is not known.
  std::optional<Evicted> find(std::uint64_t hash, std::uint64_t salt) const;

 private:
  std::vector<Evicted> m_evictions;
  std::size_t m_oldest = 0;  // once it is full
};

struct PrefixMiss {
  enum class Cause {
    kNone,     // all blocks that can be found were: at most one block of tokens is computed
    kDiffers,  // a cached block continues with another token
    kEvicted,  // the block that would have matched was evicted
    kUnknown,  // no cached block continues the chain, and no eviction is known
  };
  Cause cause = Cause::kNone;
  int matchedTokens = 0;     // in whole cached blocks
  int recomputedTokens = 0;  // the prompt's other tokens
  int differsAt = -1;        // kDiffers: position of the first token that differs
  TokenId ours = -1, theirs = -1;
  BlockId block = -1;    // kDiffers: the cached block with `theirs`
  int evictedStep = -1;  // kEvicted
  RequestId evictedOwner = 0;
};

// Why `tokens` are not cached further than `hits`, the links of all their blocks that the index finds (but
// never of all tokens). Of several cached blocks that continue the chain, the one that shares most tokens is
// compared, and of equal ones the newest. kDiffers requires that the prompt shares at least one token with
// what is cached. The cost of an admission is bounded: only the block behind the hits is hashed, and only the
// newest 4,096 blocks after a chain are compared.
PrefixMiss explainMiss(std::span<const TokenId> tokens, std::uint64_t salt, std::span<const PrefixLink> hits,
                       const PrefixIndex& index, const EvictionMemory& evictions);

}  // namespace vitrine
