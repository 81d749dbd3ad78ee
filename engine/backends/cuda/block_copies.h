// BlockCopies: blocks of a KV cache on their way between the GPU and the host, on a stream of their own.
//
// A copy begins when the kernels that were launched before it have ended; copies are done one after another.
// Kernels that are launched behind it go on beside it, except for those that must not overtake it: before a
// step that reads or writes keys and values, await() makes the step's stream wait, on the GPU, for all copies
// into the cache and for copies out of blocks that the step writes. A preempted sequence's blocks leave from
// the first one on, and those that are not cached are taken again in the same order (KvBlocks::release()). So
// a step that takes some waits for the first copies, and the others go on beside its kernels and those of
// later steps. Blocks that come in are read by the same step, which waits for them; they overlap only with
// what the host does meanwhile. The host waits in finish() alone, and where its memory is not pinned: CUDA
// returns from such a copy when it is done. Thread: one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "backends/cuda/stream.h"

namespace vitrine::cuda {

class BlockCopies {
 public:
  explicit BlockCopies(const Stream& step);
  ~BlockCopies();
  BlockCopies(const BlockCopies&) = delete;
  BlockCopies& operator=(const BlockCopies&) = delete;

  // Blocks are known by their numbers, whatever cache they are of: at worst a step waits in vain.
  void copyOut(std::int32_t block, const void* from, void* host, std::int64_t bytes);
  void copyIn(void* to, const void* host, std::int64_t bytes);

  // In front of operations that read blocks, and write these slots, so many to a block; a slot below 0 is
  // none. Not while a graph is recorded.
  void await(std::span<const std::int32_t> slots, int blockSize);
  void finish();

 private:
  static constexpr std::size_t kEvents = 64;
  void begin();
  void end();
  std::uint64_t copyOutOf(std::int32_t block) const;

  const Stream& m_step;
  const Stream m_stream;
  cudaEvent_t m_launched = nullptr;
  // Copy n is followed by event n % kEvents. One that was used again stands for a later copy, which is as
  // good.
  std::array<cudaEvent_t, kEvents> m_copied = {};
  std::uint64_t m_last = 0, m_lastIn = 0, m_awaited = 0;  // copies; 0: none
  std::vector<std::uint64_t> m_outOf;                     // of each block: its last copy out
};

}  // namespace vitrine::cuda
