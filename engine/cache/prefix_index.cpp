#include "cache/prefix_index.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/check.h"
#include "core/mix.h"

namespace vitrine {

std::uint64_t PrefixIndex::chainHash(std::uint64_t parentHash, std::span<const TokenId> tokens) {
  std::uint64_t hash = parentHash;
  for (TokenId token : tokens) {
    hash = mixBits(hash + static_cast<std::uint32_t>(token) + kGoldenRatio);
  }
  return hash;
}

// The tokens are not initialized: memory that no block was registered in stays untouched.
PrefixIndex::PrefixIndex(int numBlocks, int blockSize, Hash hash)
    : m_blockSize(static_cast<std::size_t>(blockSize)),
      m_hash(hash),
      m_nodes(static_cast<std::size_t>(numBlocks)),
      m_buckets(std::bit_ceil(m_nodes.size() + 1), -1),
      m_tokens(std::make_unique_for_overwrite<TokenId[]>(m_nodes.size() * m_blockSize)) {}

std::uint64_t PrefixIndex::hashOf(const PrefixLink& parent, std::uint64_t salt,
                                  std::span<const TokenId> tokens) const {
  return m_hash(parent.id == 0 ? salt : parent.hash, tokens);
}

const PrefixIndex::Entry* PrefixIndex::find(const PrefixLink& parent, std::uint64_t salt,
                                            std::span<const TokenId> tokens) const {
  return findHashed(hashOf(parent, salt, tokens), parent, salt, tokens);
}

const PrefixIndex::Entry* PrefixIndex::findHashed(std::uint64_t hash, const PrefixLink& parent,
                                                  std::uint64_t salt, std::span<const TokenId> tokens) const {
  for (BlockId block = m_buckets[hash & (m_buckets.size() - 1)]; block >= 0;) {
    const Node& node = m_nodes[static_cast<std::size_t>(block)];
    const Entry& entry = node.entry;
    if (entry.link.hash == hash && entry.parent.id == parent.id && entry.salt == salt &&
        std::ranges::equal(entry.tokens, tokens)) {
      return &entry;
    }
    block = node.next;
  }
  return nullptr;
}

const PrefixIndex::Entry& PrefixIndex::insert(const PrefixLink& parent, std::uint64_t salt,
                                              std::span<const TokenId> tokens, BlockId block) {
  const std::uint64_t hash = hashOf(parent, salt, tokens);
  VITRINE_CHECK(tokens.size() == m_blockSize && ofBlock(block) == nullptr);
  if (const Entry* const same = findHashed(hash, parent, salt, tokens)) return *same;
  TokenId* const copy = &m_tokens[static_cast<std::size_t>(block) * m_blockSize];
  std::ranges::copy(tokens, copy);
  BlockId& bucket = bucketOf(hash);
  node(block) = {{{++m_lastId, hash, block}, parent, salt, {copy, m_blockSize}}, bucket};
  bucket = block;
  if (contains(parent)) {
    BlockId& first = firstChildOf(parent);
    if (first >= 0) node(first).previousSibling = block;
    node(block).nextSibling = first;
    first = block;
  }
  ++m_size;
  return node(block).entry;
}

const PrefixIndex::Entry* PrefixIndex::ofBlock(BlockId block) const {
  if (m_nodes.empty()) return nullptr;
  const Entry& entry = m_nodes.at(static_cast<std::size_t>(block)).entry;
  return entry.link.id == 0 ? nullptr : &entry;
}

void PrefixIndex::erase(BlockId block) {
  const Entry* const entry = ofBlock(block);
  VITRINE_CHECK(entry != nullptr);
  BlockId* link = &bucketOf(entry->link.hash);
  while (*link != block) link = &node(*link).next;
  *link = node(block).next;
  const auto [next, previous] = std::pair(node(block).nextSibling, node(block).previousSibling);
  if (next >= 0) node(next).previousSibling = previous;
  if (previous >= 0)
    node(previous).nextSibling = next;
  else if (contains(entry->parent))
    firstChildOf(entry->parent) = next;
  node(block) = {};
  --m_size;
}

}  // namespace vitrine
