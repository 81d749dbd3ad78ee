// PrefixIndex: finds blocks whose keys and values were computed before, by the tokens that they hold.
//
// The KV of a block depends on its own tokens and on all tokens before them, so a block is known by its
// parent and its tokens: a chain, as in vLLM's automatic prefix caching and SGLang's radix tree (arXiv
// 2312.07104). Hashes only choose a bucket. A hit compares parent, salt and every token, so two prompts whose
// hashes collide never share a block. Entry ids are never reused: a child whose parent was evicted cannot be
// found under another parent that takes the parent's block. All memory is allocated by the constructor: an
// entry for each block, buckets that chain entries, and the tokens. Invariant: the KV of an entry is
// complete: it is registered after it was computed (kv_blocks.h, at commit). Thread: the engine's. Read next:
// kv_blocks.h.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

// The end of a chain of full blocks. The default is the root, with which every prompt begins.
struct PrefixLink {
  std::uint64_t id = 0;  // 0: the root
  std::uint64_t hash = 0;
  BlockId block = -1;
};

class PrefixIndex {
 public:
  struct Entry {
    PrefixLink link, parent;
    std::uint64_t salt = 0;
    std::span<const TokenId> tokens;  // of this block alone
  };
  // 64-bit hash of a parent's hash and a block's tokens; at the root the salt stands for the parent's hash.
  using Hash = std::uint64_t (*)(std::uint64_t parentHash, std::span<const TokenId> tokens);
  static std::uint64_t chainHash(std::uint64_t parentHash, std::span<const TokenId> tokens);

  // For the blocks [0, numBlocks), each with blockSize tokens.
  PrefixIndex(int numBlocks, int blockSize, Hash hash = chainHash);

  // The entry for `tokens` after `parent`, or null. The pointer is valid until the entry is erased.
  const Entry* find(const PrefixLink& parent, std::uint64_t salt, std::span<const TokenId> tokens) const;

  // Requires blockSize tokens, and that the block has no entry. Returns the entry that find() gives, or else
  // a new one, the block's: one hash and one lookup for both.
  const Entry& insert(const PrefixLink& parent, std::uint64_t salt, std::span<const TokenId> tokens,
                      BlockId block);

  const Entry* ofBlock(BlockId block) const;     // null without an entry
  bool contains(const PrefixLink& link) const {  // the root always; an entry until it is erased
    return link.id == 0 || m_nodes[static_cast<std::size_t>(link.block)].entry.link.id == link.id;
  }
  void erase(BlockId block);  // requires an entry
  std::size_t size() const { return m_size; }

  // Calls visit(entry) for the newest `most` entries that continue `parent`, the newest first; for the root
  // under any salt.
  template <typename Visit>
  void forEachChild(const PrefixLink& parent, Visit visit, int most = kMaxBlocks) const {
    if (!contains(parent)) return;
    for (BlockId block = parent.id == 0 ? m_firstRoot : node(parent.block).firstChild; block >= 0 && most > 0;
         block = node(block).nextSibling, --most)
      visit(node(block).entry);
  }
  std::size_t blockSize() const { return m_blockSize; }
  std::uint64_t hashOf(const PrefixLink& parent, std::uint64_t salt, std::span<const TokenId> tokens) const;

 private:
  struct Node {
    Entry entry;        // link.id 0: none
    BlockId next = -1;  // of the same bucket
    // Entries with the same parent form a list, the newest first. It outlives the parent.
    BlockId firstChild = -1, nextSibling = -1, previousSibling = -1;
  };

  const Entry* findHashed(std::uint64_t hash, const PrefixLink& parent, std::uint64_t salt,
                          std::span<const TokenId> tokens) const;
  BlockId& bucketOf(std::uint64_t hash) { return m_buckets[hash & (m_buckets.size() - 1)]; }
  const Node& node(BlockId block) const { return m_nodes[static_cast<std::size_t>(block)]; }
  BlockId& firstChildOf(const PrefixLink& parent) {
    return parent.id == 0 ? m_firstRoot : node(parent.block).firstChild;
  }
  Node& node(BlockId block) { return m_nodes[static_cast<std::size_t>(block)]; }

  const std::size_t m_blockSize;
  const Hash m_hash;
  std::uint64_t m_lastId = 0;
  std::size_t m_size = 0;
  BlockId m_firstRoot = -1;             // the newest entry that continues the root
  std::vector<Node> m_nodes;            // by block
  std::vector<BlockId> m_buckets;       // the first block of each; -1: none. A power of two in number
  std::unique_ptr<TokenId[]> m_tokens;  // [numBlocks, blockSize]
};

}  // namespace vitrine
