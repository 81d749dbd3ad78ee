// PoolOfStep: the pool as it was before each event of a step, told from the state after it. Internal to
// why.cpp. Thread: any.
#pragma once

#include <set>
#include <span>

#include "vitrine/machine_state.h"

namespace vitrine::prose {

class PoolOfStep {
 public:
  // Before the first of `events`, which lead to `after`.
  PoolOfStep(std::span<const Event> events, const MachineState& after)
      : m_free(static_cast<int>(after.freeQueue.size())) {
    for (std::size_t i = 0; i < after.blocks.size(); ++i)
      if (after.blocks[i].cached) m_cached.insert(static_cast<BlockId>(i));
    for (auto last = events.rbegin(); last != events.rend(); ++last) {  // clang 14 cannot read std::views
      const Event& event = *last;
      m_free -= freeChange(event);
      if (const auto* cached = bodyOf<BlockCached>(event)) m_cached.erase(cached->block);
      if (const auto* evicted = bodyOf<BlockEvicted>(event)) m_cached.insert(evicted->block);
    }
  }

  void pass(const Event& event) {
    m_free += freeChange(event);
    if (const auto* cached = bodyOf<BlockCached>(event)) m_cached.insert(cached->block);
    if (const auto* evicted = bodyOf<BlockEvicted>(event)) m_cached.erase(evicted->block);
  }
  int free() const { return m_free; }
  bool isCached(BlockId block) const { return m_cached.contains(block); }  // in the prefix index

 private:
  static int freeChange(const Event& event) {
    if (isA<BlockAllocated>(event) || isA<BlockCopied>(event)) return -1;
    if (const auto* hit = bodyOf<BlockHit>(event)) return hit->refCount == 1 ? -1 : 0;
    if (const auto* freed = bodyOf<BlockFreed>(event)) return freed->refCount == 0 ? 1 : 0;
    if (const auto* evicted = bodyOf<ContextEvicted>(event)) return evicted->refCount == 0 ? 1 : 0;
    return 0;
  }

  int m_free;
  std::set<BlockId> m_cached;
};

}  // namespace vitrine::prose
