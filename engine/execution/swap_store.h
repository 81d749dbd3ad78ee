// SwapStore: the bytes behind cache/swap_space.h: memory of the host and a file (swap_file.h).
//
// Memory is reserved with the first block that is swapped out, the file with the first block that host memory
// cannot hold. Bytes in memory are trusted like those of the pool; bytes in the file are checked. Errors:
// EngineError: kOutOfMemory, and those of SwapFile. Thread: the engine's. Read next: swap_file.h.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backends/backend.h"
#include "execution/swap_file.h"

namespace vitrine {

class SwapStore final : public SwapMover {
 public:
  // Backend and cache must outlive the store.
  SwapStore(Backend& backend, KvCache& cache, int hostSlots, const std::filesystem::path& folder,
            SwapFile::Name name = SwapFile::Name::kNone);

  void moveOut(SwapKey key, BlockId from, SwapSlot to) override;
  void demote(SwapKey key, int hostSlot, int diskSlot) override;
  void moveIn(SwapKey key, SwapSlot from, BlockId to) override;

  // Called before each move; when it gives false no bytes are moved. It may throw EngineError, as a move may.
  using Before = std::function<bool()>;
  void setBefore(Before before) { m_before = std::move(before); }
  // Stores a block of another cache of the same shape as what was swapped out to the slot.
  void put(SwapKey key, SwapSlot to, KvCache& cache, BlockId block);

  const SwapFile& file() const { return m_file; }

 private:
  bool moves() const { return !m_before || m_before(); }
  std::span<std::byte> hostSlot(int slot);
  std::span<std::byte> passage();  // for one block, between pool and file

  Backend& m_backend;
  KvCache& m_cache;
  const std::size_t m_blockBytes;
  const int m_hostSlots;
  std::unique_ptr<std::byte[]> m_arena;
  std::vector<std::byte> m_passage;
  Before m_before;
  SwapFile m_file;
};

// The store and the bookkeeping of one engine; EngineLoaded has the number of slots.
struct Swap {
  Swap(Backend& backend, KvCache& cache, const EngineLoaded& loaded, const std::filesystem::path& folder,
       SwapFile::Name name, EventStream& events);
  SwapStore store;
  SwapSpace space;
};

// How many blocks each tier of the options holds, at most kMaxBlocks: bytes beyond those stay unused, and
// EngineLoaded says how many there are. Throws EngineError(kInvalidArgument) when a tier with bytes, or both
// tiers together, hold no block.
std::array<int, kSwapTierCount> swapBlocks(const EngineOptions& options, std::int64_t bytesPerBlock);
// The folder of the options, or the system's for temporary files.
std::filesystem::path swapFolder(const EngineOptions& options);

}  // namespace vitrine
