#include <algorithm>
#include <limits>
#include <string>

#include "cache/blocks_in.h"
#include "runtime/engine_parts.h"

namespace vitrine {
namespace {

constexpr std::int64_t kHostBytes = std::int64_t{1} << 30;
constexpr std::int64_t kMib = std::int64_t{1} << 20;

std::string mebibytes(std::int64_t bytes) { return std::to_string((bytes + kMib - 1) / kMib) + " MiB"; }

// What a device has free, but for a tenth: a step's activations and logits come there, too.
std::int64_t deviceBytes(const DeviceMemory& memory, std::int64_t bytesPerBlock) {
  constexpr std::int64_t kLeastKept = 256 * kMib;
  const std::int64_t bytes = memory.freeBytes - std::max(memory.freeBytes / 10, kLeastKept);
  if (bytes >= bytesPerBlock) return bytes;
  throw EngineError(ErrorCode::kOutOfMemory,
                    "the GPU has " + mebibytes(memory.freeBytes) + " free of " +
                        mebibytes(memory.totalBytes) + " beside the weights, and a KV pool needs at least " +
                        mebibytes(kLeastKept + bytesPerBlock),
                    "close what else uses the GPU, choose a smaller model or --device cpu, or set a small "
                    "pool with --num-blocks");
}

}  // namespace

int poolBlocks(const EngineOptions& options, int contextLength, std::int64_t bytesPerBlock,
               const std::optional<DeviceMemory>& memory) {
  // A trace's reader must be able to hold the pool, and a slot must be countable.
  const std::int64_t mostBlocks =
      std::min<std::int64_t>(kMaxBlocks, std::numeric_limits<std::int32_t>::max() / options.blockSize);
  if (options.numBlocks > 0) {
    if (options.numBlocks > mostBlocks) {
      throw EngineError(ErrorCode::kInvalidArgument,
                        "--num-blocks " + std::to_string(options.numBlocks) + " of " +
                            std::to_string(options.blockSize) + " tokens are more than can be kept in sight",
                        "choose " + std::to_string(mostBlocks) + " blocks or fewer");
    }
    return options.numBlocks;
  }
  if (options.kvMemoryBytes > 0) {
    const std::int64_t blocks = blocksIn({"--kv-memory", options.kvMemoryBytes,
                                          "give it at least that much, or choose a smaller --block-size"},
                                         bytesPerBlock);
    if (blocks <= mostBlocks) return static_cast<int>(blocks);
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--kv-memory " + std::to_string(options.kvMemoryBytes) +
                          " holds more KV blocks than can be kept in sight: one takes " +
                          std::to_string(bytesPerBlock) + " bytes",
                      "give it " + std::to_string(mostBlocks * bytesPerBlock) + " bytes or fewer");
  }
  const std::int64_t contextBlocks =
      (std::int64_t{contextLength} + options.blockSize - 1) / options.blockSize;
  const int sequences = options.maxSequences > 0 ? options.maxSequences : kDefaultSequences;
  const std::int64_t bytes = memory ? deviceBytes(*memory, bytesPerBlock) : kHostBytes;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min(bytes / bytesPerBlock, contextBlocks * sequences), 1, mostBlocks));
}

}  // namespace vitrine
