// PrefixIndex: finds blocks whose keys and values were computed before, by the tokens they stand for.
//
// The KV of a block depends on its own tokens and on all before them, so a block is known by its parent and
// its tokens: a chain, as in vLLM's automatic prefix caching and SGLang's radix tree (arXiv 2312.07104).
// Hashes only choose a bucket and are shown at the glass; a hit compares parent, salt and every token, so two
// prompts whose hashes collide never share a block. Entry ids are never reused: a child whose parent was
// evicted can not be found under another parent that happens to take its place.
// Invariant: an entry's KV is complete: it is registered after it was computed (kv_blocks.h, at commit).
// Thread: the engine's. Read next: kv_blocks.h.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

// One end of a chain of full blocks; the default one is the root, where every prompt begins.
struct PrefixLink {
  std::uint64_t id = 0;  // 0: the root
  std::uint64_t hash = 0;
};

class PrefixIndex {
 public:
  struct Entry {
    PrefixLink link, parent;
    std::uint64_t salt;
    std::vector<TokenId> tokens;  // of this block alone
    BlockId block;
  };
  // 64-bit hash of a parent's hash and a block's tokens; at the root the salt stands for the parent's hash.
  using Hash = std::uint64_t (*)(std::uint64_t parentHash, std::span<const TokenId> tokens);
  static std::uint64_t chainHash(std::uint64_t parentHash, std::span<const TokenId> tokens);

  explicit PrefixIndex(Hash hash = chainHash) : m_hash(hash) {}

  // The entry for `tokens` after `parent`, or null. The pointer is good until the index changes.
  const Entry* find(const PrefixLink& parent, std::uint64_t salt, std::span<const TokenId> tokens) const;

  // Requires that find() gives null and that the block has no entry. Returns the new entry. Without memory it
  // throws std::bad_alloc and has changed nothing.
  const Entry& insert(const PrefixLink& parent, std::uint64_t salt, std::span<const TokenId> tokens,
                      BlockId block);

  const Entry* ofBlock(BlockId block) const;
  bool contains(const PrefixLink& link) const;  // the root always; an entry until it is erased
  void erase(BlockId block);                    // requires an entry
  std::size_t size() const { return m_ofBlock.size(); }

 private:
  void forgetHash(std::uint64_t hash, BlockId block);
  std::uint64_t hashOf(const PrefixLink& parent, std::uint64_t salt, std::span<const TokenId> tokens) const;

  const Hash m_hash;
  std::uint64_t m_lastId = 0;
  std::unordered_map<BlockId, Entry> m_ofBlock;
  std::unordered_map<std::uint64_t, BlockId> m_ofId;
  std::unordered_multimap<std::uint64_t, BlockId> m_ofHash;
};

}  // namespace vitrine
