// How many KV blocks a number of bytes holds: for --kv-memory, --host-swap and --disk-swap. Thread: values.
#pragma once

#include <cstdint>
#include <string_view>

namespace vitrine {

// The memory that an option gives, the option's name, and what to do when it is not enough for a block.
struct BlockMemory {
  std::string_view option;
  std::int64_t bytes;
  std::string_view hint;
};

// Whole blocks in memory.bytes. Throws EngineError(kInvalidArgument) with option and hint when there is none.
std::int64_t blocksIn(const BlockMemory& memory, std::int64_t bytesPerBlock);

}  // namespace vitrine
