// MachineRoof: what this machine can do at most, and how near to it an operation comes.
//
// The roofline model (Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009): an operation that does I
// floating-point operations for each byte it moves runs at most at min(peak, I * bandwidth). Both limits are
// measured with the instructions and the threads that the kernels use. Bytes come from the memory or from a
// cache, whichever holds all that is read before the same byte is read again.
// Thread: measureRoof() from any, while no engine computes: it takes all cores. The rest are values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "vitrine/events/forward.h"

namespace vitrine {

struct MachineRoof {
  struct Reading {
    std::int64_t bytes = 0;  // what all threads read together holds at most so much
    double gbps = 0;         // 10^9 bytes a second, all threads together
  };
  std::string instructions;  // "AVX-512"
  int threads = 0;
  double gflops = 0;              // float32 multiply-adds in registers, each two operations
  std::vector<Reading> readings;  // the second-level caches, the third level, and last the memory

  double memoryGbps() const { return readings.empty() ? 0 : readings.back().gbps; }
  // Where so many bytes lie when they are read again and again.
  double gbpsOf(std::int64_t workingSet) const {
    for (const Reading& reading : readings)
      if (workingSet <= reading.bytes) return reading.gbps;
    return memoryGbps();
  }
};

// The best of several passes of each measurement, in about a second. threads 0: one for
// each core. `progress` gets the fraction done, 0..1; returning false cancels. Throws EngineError:
// kInvalidArgument for more threads than there can be, kOutOfMemory for the buffer (at most 1 GiB), and
// kCancelled.
MachineRoof measureRoof(int threads, const std::function<bool(double fraction)>& progress = {});

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
inline std::int64_t workingSetOf(const OperationCost& cost, const ForwardMeasured& forward) {
  const auto streams = [](const OperationCost& one) {
    switch (one.operation) {
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
  };
  if (!streams(cost)) return cost.bytes / std::max(cost.calls, 1);
  std::int64_t bytes = 0;
  for (const OperationCost& one : forward.operations) bytes += streams(one) ? one.bytes : 0;
  return bytes;
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
