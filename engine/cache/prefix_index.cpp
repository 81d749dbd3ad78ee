#include "cache/prefix_index.h"

#include <algorithm>

#include "core/check.h"

namespace vitrine {

std::uint64_t PrefixIndex::chainHash(std::uint64_t parentHash, std::span<const TokenId> tokens) {
  // Each token is stirred in by the finisher of SplitMix64 (Steele, Lea, Flood 2014), which spreads every
  // bit.
  std::uint64_t hash = parentHash;
  for (TokenId token : tokens) {
    hash += static_cast<std::uint32_t>(token) + 0x9E3779B97F4A7C15u;
    hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBu;
    hash ^= hash >> 31;
  }
  return hash;
}

std::uint64_t PrefixIndex::hashOf(const PrefixLink& parent, std::uint64_t salt,
                                  std::span<const TokenId> tokens) const {
  return m_hash(parent.id == 0 ? salt : parent.hash, tokens);
}

const PrefixIndex::Entry* PrefixIndex::find(const PrefixLink& parent, std::uint64_t salt,
                                            std::span<const TokenId> tokens) const {
  const auto [first, last] = m_ofHash.equal_range(hashOf(parent, salt, tokens));
  for (auto it = first; it != last; ++it) {
    const Entry& entry = m_ofBlock.at(it->second);
    if (entry.parent.id == parent.id && entry.salt == salt && std::ranges::equal(entry.tokens, tokens)) {
      return &entry;
    }
  }
  return nullptr;
}

const PrefixIndex::Entry& PrefixIndex::insert(const PrefixLink& parent, std::uint64_t salt,
                                              std::span<const TokenId> tokens, BlockId block) {
  VITRINE_CHECK(ofBlock(block) == nullptr && find(parent, salt, tokens) == nullptr);
  const PrefixLink link{m_lastId + 1, hashOf(parent, salt, tokens)};
  const auto entry =
      m_ofBlock.emplace(block, Entry{link, parent, salt, {tokens.begin(), tokens.end()}, block}).first;
  try {
    m_ofHash.emplace(link.hash, block);
    m_ofId.emplace(link.id, block);
  } catch (...) {  // no memory: the three tables must go on agreeing
    forgetHash(link.hash, block);
    m_ofBlock.erase(entry);
    throw;
  }
  ++m_lastId;
  return entry->second;
}

const PrefixIndex::Entry* PrefixIndex::ofBlock(BlockId block) const {
  const auto it = m_ofBlock.find(block);
  return it == m_ofBlock.end() ? nullptr : &it->second;
}

bool PrefixIndex::contains(const PrefixLink& link) const { return link.id == 0 || m_ofId.contains(link.id); }

void PrefixIndex::erase(BlockId block) {
  const auto it = m_ofBlock.find(block);
  VITRINE_CHECK(it != m_ofBlock.end());
  m_ofId.erase(it->second.link.id);
  forgetHash(it->second.link.hash, block);
  m_ofBlock.erase(it);
}

void PrefixIndex::forgetHash(std::uint64_t hash, BlockId block) {
  const auto [first, last] = m_ofHash.equal_range(hash);
  const auto found = std::find_if(first, last, [&](const auto& bucket) { return bucket.second == block; });
  if (found != last) m_ofHash.erase(found);
}

}  // namespace vitrine
