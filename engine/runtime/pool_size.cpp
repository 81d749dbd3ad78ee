#include <algorithm>
#include <limits>
#include <string>

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
  const std::int64_t bytes = options.kvMemoryBytes > 0 ? options.kvMemoryBytes : kDefaultBytes;
  const std::int64_t blocks = bytes / bytesPerBlock;
  if (options.kvMemoryBytes > 0) {
    const std::string asked = "--kv-memory " + std::to_string(bytes);
    const std::string oneTakes = "one takes " + std::to_string(bytesPerBlock) + " bytes";
    if (blocks == 0) {
      throw EngineError(ErrorCode::kInvalidArgument, asked + " holds no KV block: " + oneTakes,
                        "give it at least that much, or choose a smaller --block-size");
    }
    if (blocks > mostBlocks) {
      throw EngineError(ErrorCode::kInvalidArgument,
                        asked + " holds more KV blocks than can be kept in sight: " + oneTakes,
                        "give it " + std::to_string(mostBlocks * bytesPerBlock) + " bytes or fewer");
    }
    return static_cast<int>(blocks);
  }
  const std::int64_t contextBlocks =
      (std::int64_t{contextLength} + options.blockSize - 1) / options.blockSize;
  const int sequences = options.maxSequences > 0 ? options.maxSequences : kDefaultSequences;
  return static_cast<int>(
      std::clamp<std::int64_t>(std::min(blocks, contextBlocks * sequences), 1, mostBlocks));
}

}  // namespace vitrine
