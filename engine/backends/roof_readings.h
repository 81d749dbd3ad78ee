// What measuring the limits of a processor and of a GPU have in common: which working sets are read, and the
// word to the caller. Thread: any. Read next: machine_roof.cpp.
#pragma once

#include <algorithm>
#include <vector>

#include "vitrine/error.h"
#include "vitrine/machine_roof.h"

namespace vitrine {

// The sizes to read, for a roof whose caches are known: half of each cache, which leaves room for what else
// it holds, all of it, and somewhat more; the model's weights; and last `memoryBytes`, which no cache holds.
inline void chooseReadings(MachineRoof& roof, std::int64_t modelBytes, std::int64_t memoryBytes) {
  std::vector<std::int64_t> sizes = {modelBytes};
  for (const std::int64_t cache : {roof.secondCache, roof.thirdCache})
    sizes.insert(sizes.end(), {cache / 2, cache, cache + cache / 2});
  std::erase_if(sizes, [&](std::int64_t bytes) { return bytes <= 0 || 2 * bytes > memoryBytes; });
  sizes.push_back(memoryBytes);
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  for (const std::int64_t bytes : sizes) roof.readings.push_back({bytes, 0});
}

// Throws EngineError(kCancelled) where the caller says so.
inline void tellRoofProgress(const RoofProgress& progress, double fraction) {
  if (progress && !progress(fraction))
    throw EngineError(ErrorCode::kCancelled, "measuring the machine was cancelled");
}

}  // namespace vitrine
