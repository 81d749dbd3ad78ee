// MachineRoof: what this machine can do at most, and how near to it an operation comes.
//
// The roofline model (Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009): an operation that does I
// floating-point operations for each byte it moves runs at most at min(peak, I * bandwidth). Both limits are
// measured with the instructions and the threads that the kernels use. A step reads the weights and the KV of
// all layers, matrix after matrix, before it reads the first byte again. How fast that goes depends on how
// much it is: what fits into a cache with room to spare comes from there, what is larger from the memory, and
// between the two lies no step but a slope. So the bandwidth is measured for working sets of several sizes,
// the model's own among them, each read in a step's order: from its beginning to its end by all threads,
// again and again. Thread: measureRoof() from any, while no engine computes: it takes all cores. The rest are
// values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "vitrine/events/forward.h"

namespace vitrine {

// Where bytes lie that are read again and again.
enum class MemoryLevel : std::uint8_t { kSecondCache, kThirdCache, kMemory };

struct MachineRoof {
  struct Reading {
    std::int64_t bytes = 0;  // that all threads together read again and again
    double gbps = 0;         // 10^9 bytes a second, all threads together
  };
  std::string instructions;  // "AVX-512"
  int threads = 0;
  double gflops = 0;                             // float32 multiply-adds in registers, each two operations
  std::vector<Reading> readings;                 // by size, the last one more than all caches hold
  std::int64_t secondCache = 0, thirdCache = 0;  // bytes that the threads' cores have; 0: none, or not known

  double memoryGbps() const { return readings.empty() ? 0 : readings.back().gbps; }
  // Of so many bytes that are read again and again: between two measured sizes the time of a byte goes over
  // from the one to the other with the logarithm of the size.
  double gbpsOf(std::int64_t workingSet) const {
    const auto above =
        std::ranges::find_if(readings, [&](const Reading& one) { return one.bytes >= workingSet; });
    if (above == readings.end()) return memoryGbps();
    if (above == readings.begin() || above->bytes == workingSet) return above->gbps;
    const Reading& below = *std::prev(above);
    if (below.gbps <= 0 || above->gbps <= 0) return 0;
    const double share = std::log(static_cast<double>(workingSet) / static_cast<double>(below.bytes)) /
                         std::log(static_cast<double>(above->bytes) / static_cast<double>(below.bytes));
    return 1 / ((1 - share) / below.gbps + share / above->gbps);
  }
  // The bandwidths of the memories beside `gbps`, without those that are nearly the same: other lines of a
  // plot. Half of a cache leaves room for what else it holds.
  std::vector<std::pair<MemoryLevel, double>> othersThan(double gbps) const {
    std::vector<std::pair<MemoryLevel, double>> others;
    const auto add = [&](MemoryLevel level, double one) {
      if (one > 0 && gbps > 0 && std::abs(std::log(one / gbps)) > 0.15) others.emplace_back(level, one);
    };
    if (secondCache > 0) add(MemoryLevel::kSecondCache, gbpsOf(secondCache / 2));
    if (thirdCache > 0) add(MemoryLevel::kThirdCache, gbpsOf(thirdCache / 2));
    add(MemoryLevel::kMemory, memoryGbps());
    return others;
  }
  // The nearest level that is large enough.
  MemoryLevel levelOf(std::int64_t workingSet) const {
    if (workingSet <= secondCache) return MemoryLevel::kSecondCache;
    return workingSet <= thirdCache ? MemoryLevel::kThirdCache : MemoryLevel::kMemory;
  }
};

// The best of several passes of each measurement, in about two seconds. threads 0: one for
// each core. modelBytes: what a step of the model reads at least, its weights; 0: no model. `progress` gets
// the fraction done, 0..1; returning false cancels. Throws EngineError: kInvalidArgument for more threads
// than there can be, kOutOfMemory for the buffer (at most 1 GiB), and kCancelled.
MachineRoof measureRoof(int threads, std::int64_t modelBytes = 0,
                        const std::function<bool(double fraction)>& progress = {});

// Where an operation of a forward stands under the roof.
struct RoofPlace {
  double intensity = 0;         // floating-point operations for each byte
  double gflops = 0, gbps = 0;  // as measured
  double roofGbps = 0;          // the bandwidth that limits it
  double limit = 0;             // the time at the roof over the measured time: 1 is as fast as can be
  bool isComputeBound = false;  // the peak limits it, not the bandwidth
};

// Weights and KV of all layers are read before the first is read again, so their working set is that of all
// such operations together; activations are written over by the next layer, so theirs is that of one call.
inline bool readsWeightsOrKv(Operation operation) {
  switch (operation) {
    case Operation::kQkv:
    case Operation::kAttention:
    case Operation::kOutput:
    case Operation::kGateUp:
    case Operation::kDown:
    case Operation::kHead:
      return true;
    default:
      return false;
  }
}
// The weights and the KV that a forward reads, once each.
inline std::int64_t streamedBytes(const ForwardMeasured& forward) {
  std::int64_t bytes = 0;
  for (const OperationCost& one : forward.operations)
    bytes += readsWeightsOrKv(one.operation) ? one.bytes : 0;
  return bytes;
}
inline std::int64_t workingSetOf(const OperationCost& cost, const ForwardMeasured& forward) {
  return readsWeightsOrKv(cost.operation) ? streamedBytes(forward) : cost.bytes / std::max(cost.calls, 1);
}

// All zero for an operation without a time.
inline RoofPlace placeUnder(const MachineRoof& roof, const OperationCost& cost,
                            const ForwardMeasured& forward) {
  RoofPlace place;
  if (cost.ns <= 0) return place;
  const auto ns = static_cast<double>(cost.ns), bytes = static_cast<double>(cost.bytes),
             operations = static_cast<double>(cost.operations);
  place.intensity = bytes > 0 ? operations / bytes : 0;
  place.gflops = operations / ns;
  place.gbps = bytes / ns;
  place.roofGbps = roof.gbpsOf(workingSetOf(cost, forward));
  const double moving = place.roofGbps > 0 ? bytes / place.roofGbps : 0,
               computing = roof.gflops > 0 ? operations / roof.gflops : 0;
  place.limit = std::max(moving, computing) / ns;
  place.isComputeBound = computing > moving;
  return place;
}

}  // namespace vitrine
