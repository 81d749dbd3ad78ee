// Any bytes as a batch of KV-cache events: what is read holds no more than the bytes can.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "connect/kv_events.h"
#include "vitrine/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine::connect;
  try {
    const KvEventBatch batch = readKvEvents({reinterpret_cast<const char*>(data), size});
    std::size_t values = batch.events.size() + static_cast<std::size_t>(batch.unknown);
    for (const KvEvent& event : batch.events) {
      if (const auto* const stored = std::get_if<KvStored>(&event)) {
        values += stored->hashes.size() + stored->tokenIds.size();
        for (const std::int32_t token : stored->tokenIds)
          if (token < 0) std::abort();
      } else if (const auto* const removed = std::get_if<KvRemoved>(&event)) {
        values += removed->hashes.size();
      }
    }
    if (values > size) std::abort();
  } catch (const vitrine::EngineError&) {
  }
  return 0;
}
