#include "events/replay.h"

#include <algorithm>

namespace vitrine {

void Replay::operator()(const BlockAllocated& e) const {
  takeFront(e.block);
  append(e.sequence, e.block, e.index);
  SequenceState& s = sequence(e.sequence);
  if (s.evictedTokens > 0) s.blockStarts.push_back(s.evictedTokens + e.index * m.blockSize);
}

void Replay::operator()(const BlockShared& e) const {
  BlockState& b = block(e.block);
  require(b.refCount >= 1, "a free block cannot be shared");
  require(++b.refCount == e.refCount, "reference count");
  append(e.sequence, e.block, e.index);
}

void Replay::operator()(const BlockHit& e) const {
  BlockState& b = block(e.block);
  require(b.cached && b.hash == e.hash, "a hit on a block that is not in the index");
  if (b.refCount == 0) require(m.freeQueue.remove(e.block), "the block is neither free nor held");
  require(++b.refCount == e.refCount, "reference count");
  append(e.sequence, e.block, e.index);
}

void Replay::operator()(const BlockCopied& e) const {
  SequenceState& s = running(e.sequence);
  require(e.index >= 0 && e.index < static_cast<int>(s.blockTable.size()), "place in the block table");
  BlockId& place = s.blockTable[static_cast<std::size_t>(e.index)];
  require(place == e.from && block(e.from).refCount >= 2,
          "the copied block is not a shared one of the sequence");
  takeFront(e.to);
  block(e.to).filled = block(e.from).filled;
  --block(e.from).refCount;
  place = e.to;
}

void Replay::operator()(const BlockCached& e) const {
  if (m.isFromOutside()) return tellOf(e);
  BlockState& b = block(e.block);
  require(b.refCount >= 1 && !b.cached && b.filled == m.blockSize, "only a full block is cached, and once");
  b.cached = true;
  b.hash = e.hash;
}

// The next block, or the place of one that was evicted.
void Replay::tellOf(const BlockCached& e) const {
  const auto next = static_cast<BlockId>(m.blocks.size());
  if (e.block == next && next < kMaxBlocks) m.blocks.emplace_back();
  BlockState& b = block(e.block);
  require(!b.cached, "a place that another block has");
  b.cached = true;
  b.hash = e.hash;
  b.filled = m.blockSize;
}

void Replay::operator()(const BlockEvicted& e) const {
  BlockState& b = block(e.block);
  require(b.cached && b.hash == e.hash &&
              (m.isFromOutside() || (!m.freeQueue.empty() && m.freeQueue.front() == e.block)),
          "the evicted block is not the cached one in front of the free queue");
  b = {};
}

void Replay::operator()(const ContextEvicted& e) const {
  SequenceState& s = running(e.sequence);
  const auto size = static_cast<int>(s.blockTable.size());
  require(e.index >= 0 && e.index < size && s.blockTable[static_cast<std::size_t>(e.index)] == e.block,
          "the evicted block is not at its place in the table");
  require(!scheduled(e.sequence) && resident(s) == size * m.blockSize, "evicted out of a block being filled");
  if (s.evictedTokens == 0)
    for (int i = 0; i < size; ++i) s.blockStarts.push_back(i * m.blockSize);
  require(s.blockStarts.size() == s.blockTable.size(), "a block without a position");
  require(e.tokens == m.blockSize && e.firstPosition == s.blockStarts[static_cast<std::size_t>(e.index)],
          "the positions of the evicted block");
  s.evictedTokens += e.tokens;
  s.blockTable.erase(s.blockTable.begin() + e.index);
  s.blockStarts.erase(s.blockStarts.begin() + e.index);
  release(e.block, e.refCount);
}

void Replay::operator()(const BlockFreed& e) const {
  SequenceState& s = sequence(e.sequence);
  require(!s.blockTable.empty() && s.blockTable.back() == e.block, "a table is freed from its end");
  s.blockTable.pop_back();
  if (!s.blockStarts.empty()) s.blockStarts.pop_back();
  release(e.block, e.refCount);
}

void Replay::operator()(const PrefixMissed& e) const {
  SequenceState& s = running(e.sequence);
  require(e.matchedTokens == s.cachedTokens && e.recomputedTokens == length(s) - e.matchedTokens,
          "token counts of a prefix miss");
  s.prefixMiss = e;
}

void Replay::operator()(const BlockSwappedOut& e) const {
  SequenceState& s = running(e.sequence);
  require(e.index == static_cast<int>(s.swapped.size()), "a table is swapped out from its beginning");
  require(e.index < static_cast<int>(s.blockTable.size()) &&
              s.blockTable[static_cast<std::size_t>(e.index)] == e.block,
          "place in the block table");
  requireSlot(e.tier, e.slot);
  s.swapped.push_back({e.index, e.tier, e.slot});
}

void Replay::operator()(const BlockDemoted& e) const {
  requireSlot(SwapTier::kDisk, e.diskSlot);
  for (SwappedBlock& b : sequence(e.sequence).swapped) {
    if (b != SwappedBlock{e.index, SwapTier::kHost, e.hostSlot}) continue;
    b.tier = SwapTier::kDisk;
    b.slot = e.diskSlot;
    return;
  }
  require(false, "a demoted block that is not in host memory");
}

void Replay::operator()(const BlockSwappedIn& e) const {
  SequenceState& s = running(e.sequence);
  require(!s.swapped.empty() && s.swapped.front() == SwappedBlock{e.index, e.tier, e.slot},
          "a block swapped in that was not swapped out");
  require(e.index + 1 == static_cast<int>(s.blockTable.size()) && s.blockTable.back() == e.block,
          "place in the block table");
  s.swapped.erase(s.swapped.begin());
  block(e.block).filled = std::clamp(s.computedTokens - e.index * m.blockSize, 0, m.blockSize);
}

void Replay::operator()(const SwapFailed& e) const {
  SequenceState& s = running(e.sequence);
  s.swapped.clear();
  if (e.move != SwapMove::kIn) return;  // the SequencePreempted that follows changes the rest
  require(e.index + 1 == static_cast<int>(s.blockTable.size()) && e.lostTokens >= 1 &&
              e.lostTokens == s.computedTokens - e.index * m.blockSize,
          "the tokens that were lost");
  s.computedTokens -= e.lostTokens;
  unschedule(e.sequence);
}

BlockState& Replay::block(BlockId id) const {
  require(id >= 0 && static_cast<std::size_t>(id) < m.blocks.size(), "an unknown block");
  return m.blocks[static_cast<std::size_t>(id)];
}

void Replay::takeFront(BlockId id) const {
  BlockState& b = block(id);
  require(!m.freeQueue.empty() && m.freeQueue.front() == id, "the block is not in front of the free queue");
  require(!b.cached, "a cached block is evicted before it is taken");
  m.freeQueue.remove(id);
  b.refCount = 1;
  b.filled = 0;
}

void Replay::append(SequenceId id, BlockId block, int index) const {
  SequenceState& s = running(id);
  require(index == static_cast<int>(s.blockTable.size()), "place in the block table");
  s.blockTable.push_back(block);
}

void Replay::release(BlockId id, int refCount) const {
  BlockState& b = block(id);
  require(b.refCount >= 1 && --b.refCount == refCount, "reference count");
  if (b.refCount > 0) return;
  if (b.cached) {
    m.freeQueue.pushBack(id);
  } else {
    b.filled = 0;
    m.freeQueue.pushFront(id);
  }
}

void Replay::requireSlot(SwapTier tier, int slot) const {
  require(slot >= 0 && slot < m.swapBlocks[static_cast<std::size_t>(tier)], "a slot the tier does not have");
}

}  // namespace vitrine
