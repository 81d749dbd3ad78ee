// SwapSpace: where the KV of preempted sequences lies when it is not in the pool. No bytes here.
//
// Two tiers of slots, each as large as a block: host memory and, behind it, a file. A sequence's content is
// swapped out whole (PagedAttention, arXiv 2309.06180, section 4.5); when host memory is full, what has been
// there longest moves on to the file. Shared blocks are copied, since a waiting sequence that held blocks of
// the pool could keep the running ones from ever getting them. Invariant: a slot holds at most one block's
// content; content is whole, from the first block that prefix hits did not give back to the last. Thread: the
// engine's. Read next: execution/swap_store.h, scheduling/swapping.cpp.
#pragma once

#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "core/event_stream.h"
#include "vitrine/machine_state.h"

namespace vitrine {

// The owner of the content: a sequence, and the index in its block table.
struct SwapKey {
  SequenceId sequence;
  int index;
};
struct SwapPlace {
  SwapTier tier;
  int slot;
};

// Holds the bytes. A call that throws EngineError has changed no content that is still needed.
class SwapMover {
 public:
  virtual ~SwapMover() = default;
  virtual void moveOut(SwapKey key, BlockId from, SwapPlace to) = 0;
  virtual void demote(SwapKey key, int hostSlot, int diskSlot) = 0;
  virtual void moveIn(SwapKey key, SwapPlace from, BlockId to) = 0;
};

class SwapSpace {
 public:
  SwapSpace(int hostSlots, int diskSlots, std::int64_t blockBytes, SwapMover& mover, EventStream& events);

  int freeCount() const { return free(SwapTier::kHost) + free(SwapTier::kDisk); }

  // Keeps the content of a whole table, which holds `tokens` computed tokens. Requires freeCount() slots for
  // it. Publishes BlockDemoted, BlockSwappedOut; when bytes could not be moved, SwapFailed and returns false:
  // then nothing is kept of this sequence, and everything of the others.
  bool swapOut(SequenceId sequence, std::span<const BlockId> table, int tokens);

  // Gives the first content of the sequence back into a block. Publishes BlockSwappedIn; when that is
  // impossible, SwapFailed with the tokens that are lost, and returns false: then nothing is left here of the
  // sequence.
  bool swapIn(SequenceId sequence, BlockId block, int lostTokens);

  // What is swapped out of a sequence, by index.
  std::span<const SwappedBlock> contentOf(SequenceId sequence) const;
  // The content before `index` is not wanted any more; by default none of it is.
  void forget(SequenceId sequence, int index = kEnd);

  // Publishes StepSwapped when anything was moved since the last call.
  void publishStep();

 private:
  static constexpr int kEnd = 1 << 30;
  struct Tier {
    std::vector<int> freeSlots;  // taken from the back
    int total = 0;
  };

  Tier& at(SwapTier tier) { return m_tiers[static_cast<std::size_t>(tier)]; }
  int free(SwapTier tier) const {
    return static_cast<int>(m_tiers[static_cast<std::size_t>(tier)].freeSlots.size());
  }
  void demoteOldest();
  void release(const SwappedBlock& content);
  bool fail(SwapFailed what, const EngineError& error);

  const std::int64_t m_blockBytes;
  SwapMover& m_mover;
  EventStream& m_events;
  std::array<Tier, kSwapTierCount> m_tiers;
  std::map<SequenceId, std::vector<SwappedBlock>> m_content;
  std::map<std::uint64_t, std::pair<SequenceId, int>>
      m_inHost;                         // by time of coming: the first one is the oldest
  std::vector<std::uint64_t> m_cameAt;  // for each host slot, its key in m_inHost
  std::uint64_t m_now = 0;
  StepSwapped m_step{};
};

}  // namespace vitrine
