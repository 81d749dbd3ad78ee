#include "execution/swap_store.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "cache/blocks_in.h"
#include "core/check.h"
#include "vitrine/swap_folder.h"

namespace vitrine {

SwapStore::SwapStore(Backend& backend, KvCache& cache, int hostSlots, const std::filesystem::path& folder,
                     SwapFile::Name name)
    : m_backend(backend),
      m_cache(cache),
      m_blockBytes(static_cast<std::size_t>(cache.blockBytes())),
      m_hostSlots(hostSlots),
      m_file(folder, cache.blockBytes(), name) {}

std::span<std::byte> SwapStore::hostSlot(int slot) {
  VITRINE_CHECK(slot >= 0 && slot < m_hostSlots);
  const std::size_t size = static_cast<std::size_t>(m_hostSlots) * m_blockBytes;
  try {
    // Not filled: the system gives pages when they are first written.
    if (!m_arena) m_arena = std::make_unique_for_overwrite<std::byte[]>(size);
  } catch (const std::bad_alloc&) {
    throw EngineError(ErrorCode::kOutOfMemory,
                      "no memory for " + std::to_string(size) + " bytes of blocks swapped out",
                      "choose a smaller --host-swap");
  }
  return {m_arena.get() + static_cast<std::size_t>(slot) * m_blockBytes, m_blockBytes};
}

std::span<std::byte> SwapStore::passage() {
  m_passage.resize(m_blockBytes);
  return m_passage;
}

void SwapStore::moveOut(SwapKey key, BlockId from, SwapSlot to) {
  if (moves()) put(key, to, m_cache, from);
}

void SwapStore::put(SwapKey key, SwapSlot to, KvCache& cache, BlockId block) {
  const bool toHost = to.tier == SwapTier::kHost;
  const std::span<std::byte> bytes = toHost ? hostSlot(to.slot) : passage();
  m_backend.readBlock(cache, block, bytes.data());
  if (!toHost) m_file.write(to.slot, key, bytes);
}

void SwapStore::demote(SwapKey key, int hostSlot, int diskSlot) {
  if (moves()) m_file.write(diskSlot, key, this->hostSlot(hostSlot));
}

void SwapStore::moveIn(SwapKey key, SwapSlot from, BlockId to) {
  if (!moves()) return;
  const bool fromHost = from.tier == SwapTier::kHost;
  const std::span<std::byte> bytes = fromHost ? hostSlot(from.slot) : passage();
  if (!fromHost) m_file.read(from.slot, key, bytes);
  m_backend.writeBlock(m_cache, to, bytes.data());
}

Swap::Swap(Backend& backend, KvCache& cache, const EngineLoaded& loaded, const std::filesystem::path& folder,
           SwapFile::Name name, EventStream& events)
    : store(backend, cache, loaded.hostSwapBlocks, folder, name),
      space(loaded.hostSwapBlocks, loaded.diskSwapBlocks, loaded.bytesPerBlock, store, events) {
  VITRINE_CHECK(cache.blockBytes() == loaded.bytesPerBlock);
}

std::array<int, kSwapTierCount> swapBlocks(const EngineOptions& options, std::int64_t bytesPerBlock) {
  const auto slotsIn = [&](const char* option, std::int64_t bytes) {
    if (bytes == 0) return 0;
    const BlockMemory memory{option, bytes, "give it at least that much, or 0 to do without"};
    return static_cast<int>(std::min<std::int64_t>(blocksIn(memory, bytesPerBlock), kMaxBlocks));
  };
  const std::array<int, kSwapTierCount> blocks = {slotsIn("--host-swap", options.hostSwapBytes),
                                                  slotsIn("--disk-swap", options.diskSwapBytes)};
  if (blocks[0] + blocks[1] == 0) {
    throw EngineError(ErrorCode::kInvalidArgument, "--preemption swap has nowhere to put a block",
                      "give --host-swap or --disk-swap some bytes, or choose --preemption recompute");
  }
  return blocks;
}

void requireSwapFolder(const EngineOptions& options) {
  if (options.preemption != Preemption::kSwap || options.diskSwapBytes == 0) return;
  SwapFile(swapFolder(options), 1).probe();
}

std::filesystem::path swapFolder(const EngineOptions& options) {
  if (!options.swapFolder.empty()) return options.swapFolder;
  std::error_code failure;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(failure);
  return failure ? std::filesystem::path("/tmp") : temporary;
}

}  // namespace vitrine
