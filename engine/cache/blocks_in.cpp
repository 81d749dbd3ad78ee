#include "cache/blocks_in.h"

#include <string>

#include "core/check.h"
#include "vitrine/error.h"

namespace vitrine {

std::int64_t blocksIn(const BlockMemory& memory, std::int64_t bytesPerBlock) {
  VITRINE_CHECK(bytesPerBlock > 0);
  const std::int64_t blocks = memory.bytes / bytesPerBlock;
  if (blocks > 0) return blocks;
  throw EngineError(ErrorCode::kInvalidArgument,
                    std::string(memory.option) + " " + std::to_string(memory.bytes) +
                        " holds no KV block: one takes " + std::to_string(bytesPerBlock) + " bytes",
                    std::string(memory.hint));
}

}  // namespace vitrine
