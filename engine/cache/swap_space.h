// SwapSpace: where the KV of preempted sequences is while it is not in the pool. No bytes here.
//
// Two tiers of slots, each as large as a block: host memory and, behind it, a file. The content of a sequence
// is swapped out as a whole (PagedAttention, arXiv 2309.06180, section 4.5). When host memory is full, the
// block that has been there longest moves on to the file. Shared blocks are copied: if a waiting sequence
// held blocks of the pool, the running ones might never get them. Invariant: a slot holds the content of at
// most one block; the content of a sequence has no gaps, from the first block that prefix hits did not
// provide to the last one. Thread: the engine's. Read next: execution/swap_store.h, scheduling/preemptor.h,
// scheduling/swap_in.h.
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
struct SwapSlot {
  SwapTier tier;
  int slot;
};

// Holds the bytes. A call that throws EngineError has changed no content that is still needed.
class SwapMover {
 public:
  virtual ~SwapMover() = default;
  virtual void moveOut(SwapKey key, BlockId from, SwapSlot to) = 0;
  virtual void demote(SwapKey key, int hostSlot, int diskSlot) = 0;
  virtual void moveIn(SwapKey key, SwapSlot from, BlockId to) = 0;
};

class SwapSpace {
 public:
  SwapSpace(int hostSlots, int diskSlots, std::int64_t blockBytes, SwapMover& mover, EventStream& events);

  int freeCount() const { return free(SwapTier::kHost) + free(SwapTier::kDisk); }

  // Copies the content of a whole table, which holds `tokens` computed tokens. Requires a free slot for each
  // of its blocks. Publishes BlockDemoted, BlockSwappedOut. When bytes could not be moved it publishes
  // SwapFailed and returns false: then nothing of this sequence is kept, and everything of the others.
  bool swapOut(SequenceId sequence, std::span<const BlockId> table, int tokens);

  // Copies the first content of the sequence into a block and frees its slot. Publishes BlockSwappedIn. When
  // bytes could not be moved it publishes SwapFailed with the number of lost tokens, and returns false: then
  // nothing of the sequence is left here.
  bool swapIn(SequenceId sequence, BlockId block, int lostTokens);

  // The swapped blocks of a sequence, by index.
  std::span<const SwappedBlock> contentOf(SequenceId sequence) const;
  // Frees the slots of the sequence's content before `index`; by default of all of it.
  void forget(SequenceId sequence, int index = kEnd);

  // Publishes StepSwapped if any block was moved since the last call.
  void publishStep();

 private:
  static constexpr int kEnd = 1 << 30;
  // A sequence's blocks by index, without gaps. The first `gone` ones have left, one swap-in after another.
  struct Content {
    std::vector<SwappedBlock> blocks;
    std::size_t gone = 0;
    std::span<const SwappedBlock> left() const { return std::span(blocks).subspan(gone); }
  };
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
  std::map<SequenceId, Content> m_content;
  std::map<std::uint64_t, std::pair<SequenceId, int>>
      m_inHost;                         // by time of arrival: the first one is the oldest
  std::vector<std::uint64_t> m_cameAt;  // for each host slot, its key in m_inHost
  std::uint64_t m_now = 0;
  StepSwapped m_step{};
};

}  // namespace vitrine
