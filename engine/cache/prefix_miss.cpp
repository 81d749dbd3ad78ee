#include "cache/prefix_miss.h"

#include <algorithm>

namespace vitrine {

void EvictionMemory::add(const Evicted& entry) {
  if (m_evictions.size() < kCapacity) {
    m_evictions.push_back(entry);
    return;
  }
  m_evictions[m_oldest] = entry;
  m_oldest = (m_oldest + 1) % kCapacity;
}

std::optional<EvictionMemory::Evicted> EvictionMemory::find(std::uint64_t hash, std::uint64_t salt) const {
  const std::size_t count = m_evictions.size();
  for (std::size_t age = 1; age <= count; ++age) {
    const Evicted& one = m_evictions[(m_oldest + count - age) % count];
    if (one.hash == hash && one.salt == salt) return one;
  }
  return std::nullopt;
}

namespace {

constexpr int kMostCompared = 4096;

int commonTokens(std::span<const TokenId> a, std::span<const TokenId> b) {
  const auto [end, other] = std::ranges::mismatch(a, b);
  return static_cast<int>(end - a.begin());
}

// Fills in the cached block after `parent` that shares most tokens with `rest`, unless none shares enough.
void compareChildren(std::span<const TokenId> rest, const PrefixLink& parent, std::uint64_t salt,
                     const PrefixIndex& index, PrefixMiss& miss) {
  const PrefixIndex::Entry* best = nullptr;
  int most = miss.matchedTokens > 0 ? 0 : 1;
  index.forEachChild(
      parent,
      [&](const PrefixIndex::Entry& child) {
        if (child.salt != salt) return;
        const int common = commonTokens(rest, child.tokens);
        const bool differs = common < static_cast<int>(std::min(rest.size(), child.tokens.size()));
        if (!differs || common < most) return;
        if (best != nullptr && common == most && child.link.id < best->link.id) return;
        best = &child;
        most = common;
      },
      kMostCompared);
  if (best == nullptr) return;
  const auto at = static_cast<std::size_t>(most);
  miss.cause = PrefixMiss::Cause::kDiffers;
  miss.differsAt = miss.matchedTokens + most;
  miss.ours = rest[at];
  miss.theirs = best->tokens[at];
  miss.block = best->link.block;
}

}  // namespace

PrefixMiss explainMiss(std::span<const TokenId> tokens, std::uint64_t salt, std::span<const PrefixLink> hits,
                       const PrefixIndex& index, const EvictionMemory& evictions) {
  PrefixMiss miss;
  const std::size_t size = index.blockSize(), matched = hits.size();
  const std::size_t most = tokens.empty() ? 0 : (tokens.size() - 1) / size;
  const PrefixLink last = hits.empty() ? PrefixLink{} : hits.back();
  miss.matchedTokens = static_cast<int>(matched * size);
  miss.recomputedTokens = static_cast<int>(tokens.size()) - miss.matchedTokens;
  // [why:prefix-miss]
  if (matched == most) return miss;
  const std::span<const TokenId> rest = tokens.subspan(matched * size);
  miss.cause = PrefixMiss::Cause::kUnknown;
  if (const auto evicted = evictions.find(index.hashOf(last, salt, rest.first(size)), salt)) {
    miss.cause = PrefixMiss::Cause::kEvicted;
    miss.evictedStep = evicted->step;
    miss.evictedOwner = evicted->owner;
  } else {
    compareChildren(rest, last, salt, index, miss);
  }
  // [/why:prefix-miss]
  return miss;
}

}  // namespace vitrine
