// SwapStore: the bytes behind cache/swap_space.h: memory of the host and a file (swap_file.h).
//
// Memory is the backend's (Backend::hostMemory()). It is reserved in slabs, with the first block that needs
// one; the file is made with the first block that host memory cannot hold. Copies between pool and memory go
// on while the engine does; the engine waits for them only where it reads or writes the bytes by itself, on
// their way to and from the file. Bytes in memory are trusted like those of the pool; bytes in the file are
// checked. Errors: EngineError: kOutOfMemory, and those of SwapFile. Thread: the engine's. Read next:
// swap_file.h.
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
  // Backend and cache must outlive the store, which waits for its copies at the end.
  SwapStore(Backend& backend, KvCache& cache, int hostSlots, const std::filesystem::path& folder,
            SwapFile::Name name = SwapFile::Name::kNone);
  ~SwapStore() override;
  SwapStore(const SwapStore&) = delete;
  SwapStore& operator=(const SwapStore&) = delete;

  void moveOut(SwapKey key, BlockId from, SwapSlot to) override;
  void demote(SwapKey key, int hostSlot, int diskSlot) override;
  void moveIn(SwapKey key, SwapSlot from, BlockId to) override;

  // Called before each move; when it gives false no bytes are moved. It may throw EngineError, as a move may.
  using Before = std::function<bool()>;
  void setBefore(Before before) { m_before = std::move(before); }
  // Stores a block of another cache of the same shape as what was swapped out to the slot, and waits for it.
  void put(SwapKey key, SwapSlot to, KvCache& cache, BlockId block);

  const SwapFile& file() const { return m_file; }

 private:
  bool moves() const { return !m_before || m_before(); }
  std::span<std::byte> memory(std::shared_ptr<void>& memory, std::size_t bytes);
  std::span<std::byte> hostSlot(int slot);
  std::span<std::byte> passage();  // for one block, between pool and file
  void copyOut(SwapKey key, SwapSlot to, KvCache& cache, BlockId block);

  Backend& m_backend;
  KvCache& m_cache;
  const std::size_t m_blockBytes;
  const int m_hostSlots;
  std::vector<std::shared_ptr<void>> m_slabs;  // null: not needed yet
  std::shared_ptr<void> m_passage;
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
