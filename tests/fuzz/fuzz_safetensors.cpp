// Any bytes as a safetensors file: refused with an EngineError, or entries that lie within the file.
#include <cstdint>
#include <cstdlib>
#include <span>

#include "models/safetensors_bytes.h"
#include "vitrine/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto entries = vitrine::test::parseBytes(std::as_bytes(std::span(data, size)), "fuzz");
    std::size_t reached = 0;
    for (const vitrine::SafetensorsEntry& entry : entries) {
      if (entry.offset < reached || entry.offset > size || entry.bytes > size - entry.offset) std::abort();
      reached = entry.offset + entry.bytes;
      for (const std::int64_t extent : entry.shape)
        if (extent < 0) std::abort();
    }
    if (!entries.empty() && reached != size) std::abort();
  } catch (const vitrine::EngineError&) {
  }
  return 0;
}
