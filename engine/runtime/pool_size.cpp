#include <algorithm>
#include <limits>
#include <string>

#include "cache/blocks_in.h"
#include "runtime/engine_parts.h"

namespace vitrine {

int poolBlocks(const EngineOptions& options, int contextLength, std::int64_t bytesPerBlock) {
  constexpr std::int64_t kDefaultBytes = std::int64_t{1} << 30;
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
  return static_cast<int>(std::clamp<std::int64_t>(
      std::min(kDefaultBytes / bytesPerBlock, contextBlocks * sequences), 1, mostBlocks));
}

}  // namespace vitrine
