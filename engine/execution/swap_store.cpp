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

SwapStore::~SwapStore() {
  try {
    m_backend.finishCopies();
  } catch (const EngineError&) {  // a device that has failed copies no more
  }
}

std::span<std::byte> SwapStore::memory(std::shared_ptr<void>& memory, std::size_t bytes) {
  try {
    if (!memory) memory = m_backend.hostMemory(static_cast<std::int64_t>(bytes));
  } catch (const std::bad_alloc&) {
    throw EngineError(ErrorCode::kOutOfMemory,
                      "no memory for " + std::to_string(bytes) + " bytes of blocks swapped out",
                      "choose a smaller --host-swap");
  }
  return {static_cast<std::byte*>(memory.get()), bytes};
}

// Slots are taken from the first one on, so a slab comes when those before it are full.
std::span<std::byte> SwapStore::hostSlot(int slot) {
  VITRINE_CHECK(slot >= 0 && slot < m_hostSlots);
  constexpr std::size_t kSlabBytes = std::size_t{64} << 20;
  const std::size_t inSlab = std::max<std::size_t>(1, kSlabBytes / m_blockBytes),
                    number = static_cast<std::size_t>(slot), slab = number / inSlab, first = slab * inSlab;
  if (m_slabs.size() <= slab) m_slabs.resize(slab + 1);
  const std::size_t slots = std::min(inSlab, static_cast<std::size_t>(m_hostSlots) - first);
  return memory(m_slabs[slab], slots * m_blockBytes).subspan((number - first) * m_blockBytes, m_blockBytes);
}

// No copy is under way that still needs it.
std::span<std::byte> SwapStore::passage() {
  m_backend.finishCopies();
  return memory(m_passage, m_blockBytes);
}

void SwapStore::moveOut(SwapKey key, BlockId from, SwapSlot to) {
  if (moves()) copyOut(key, to, m_cache, from);
}

void SwapStore::put(SwapKey key, SwapSlot to, KvCache& cache, BlockId block) {
  copyOut(key, to, cache, block);
  m_backend.finishCopies();
}

void SwapStore::copyOut(SwapKey key, SwapSlot to, KvCache& cache, BlockId block) {
  const bool toHost = to.tier == SwapTier::kHost;
  const std::span<std::byte> bytes = toHost ? hostSlot(to.slot) : passage();
  m_backend.readBlock(cache, block, bytes.data());
  if (toHost) return;
  m_backend.finishCopies();
  m_file.write(to.slot, key, bytes);
}

void SwapStore::demote(SwapKey key, int hostSlot, int diskSlot) {
  if (!moves()) return;
  m_backend.finishCopies();
  m_file.write(diskSlot, key, this->hostSlot(hostSlot));
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
