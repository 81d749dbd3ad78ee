// MachineRoof: what a processor or a GPU can do at most, and how near to it an operation comes.
//
// The roofline model (Williams, Waterman, Patterson: Roofline, CACM 52(4), 2009): an operation that does I
// floating-point operations for each byte it moves runs at most at min(peak, I * bandwidth). Both limits are
// measured with the instructions and the threads that the kernels use; of a GPU, with products of large
// matrices and with copies. A processor whose products are in int8 or bf16 has a peak for these beside that
// of float32, in which everything else is computed; a multiply-add of whole numbers counts as one of floats.
//
// A step reads the weights and the KV of all layers, matrix after matrix, before it reads the first byte
// again. How fast that goes depends on how much it is: what fits into a cache with room to spare comes from
// there, what is larger from the memory, and between the two lies no step but a slope. So the bandwidth is
// measured for working sets of several sizes, the model's own among them, each read in a step's order: from
// its beginning to its end by all threads, again and again.
//
// Thread: measureRoof() from any, while no engine computes: it takes all cores. The rest are values. Read
// next: Engine::measureRoof() (engine.h), which measures the device that an engine computes on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vitrine/description.h"
#include "vitrine/events/forward.h"
#include "vitrine/names.h"
#include "vitrine/options.h"

namespace vitrine {

// Where bytes lie that are read again and again.
enum class MemoryLevel : std::uint8_t { kSecondCache, kThirdCache, kMemory };

// A bandwidth, with the working set that it is the bandwidth of: a slope of the roofline.
struct RoofLine {
  std::int64_t bytes = 0;                    // read again and again
  double gbps = 0;                           // of reading as much, all threads together
  MemoryLevel level = MemoryLevel::kMemory;  // where as much lies
};

// What a peak was measured with. A multiply-add counts as two operations.
enum class RoofPeak : std::uint8_t {
  kF32InRegisters,
  kF32Products,
  kBf16Products,
  kF16Products,
  kBf16InRegisters,
  kInt8InRegisters
};
VITRINE_NAMES(RoofPeak, "f32_in_registers", "f32_products", "bf16_products", "f16_products",
              "bf16_in_registers", "int8_in_registers");

// A horizontal line of the roof.
struct RoofCeiling {
  RoofPeak peak = RoofPeak::kF32InRegisters;
  double gflops = 0;         // 10^9 operations a second, all threads together
  std::string instructions;  // "AVX-512 VNNI"
};
VITRINE_STRUCT(RoofCeiling, "roof_ceiling", field("peak", &T::peak), field("gflops", &T::gflops),
               field("instructions", &T::instructions));

struct RoofReading {
  std::int64_t bytes = 0;  // that all threads together read again and again; a GPU copies half of them
  double gbps = 0;         // 10^9 bytes a second, all threads together; a copied byte is two
};
VITRINE_STRUCT(RoofReading, "roof_reading", field("bytes", &T::bytes), field("gbps", &T::gbps));

// Of products in `arithmetic` on a processor; nothing: float32's, which everything else has, too.
constexpr std::optional<RoofPeak> peakOfProducts(Compute arithmetic) {
  switch (arithmetic) {
    case Compute::kAuto:
    case Compute::kF32:
      return std::nullopt;
    case Compute::kBf16:
      return RoofPeak::kBf16InRegisters;
    case Compute::kInt8:
      return RoofPeak::kInt8InRegisters;
  }
  return std::nullopt;
}

struct MachineRoof {
  std::string instructions;                      // "AVX-512"; of a GPU its name
  int threads = 0;                               // 0: a GPU's limits
  double gflops = 0;                             // of what `peak` says
  std::vector<RoofReading> readings;             // by size, the last one more than all caches hold
  std::int64_t secondCache = 0, thirdCache = 0;  // bytes that the threads' cores have; 0: none, or not known
  RoofPeak peak = RoofPeak::kF32InRegisters;
  std::vector<RoofCeiling> products = {};  // of a processor, in arithmetics other than float32

  bool isOfGpu() const { return peak != RoofPeak::kF32InRegisters; }
  // A file may hold anything: whether each limit is a positive number, and the sizes grow.
  bool isSound() const {
    const auto isPositive = [](double value) { return std::isfinite(value) && value > 0; };
    return isPositive(gflops) && std::ranges::all_of(products, isPositive, &RoofCeiling::gflops) &&
           !readings.empty() && readings.front().bytes > 0 &&
           std::ranges::adjacent_find(readings, std::ranges::greater_equal(), &RoofReading::bytes) ==
               readings.end() &&
           std::ranges::all_of(readings, isPositive, &RoofReading::gbps);
  }
  // Of what a processor computes in `arithmetic`; 0: not measured.
  double gflopsIn(Compute arithmetic) const {
    const std::optional<RoofPeak> wanted = peakOfProducts(arithmetic);
    if (!wanted) return gflops;
    const auto found = std::ranges::find(products, *wanted, &RoofCeiling::peak);
    return found != products.end() ? found->gflops : 0;
  }
  // All peaks, `gflops` first.
  std::vector<RoofCeiling> ceilings() const {
    std::vector<RoofCeiling> all = {{peak, gflops, instructions}};
    all.insert(all.end(), products.begin(), products.end());
    return all;
  }
  double highestGflops() const { return std::ranges::max(ceilings(), {}, &RoofCeiling::gflops).gflops; }
  // Whether the peaks are those of an engine that was loaded with `compute`, no less and no more.
  bool hasPeaksFor(Compute compute) const {
    const std::optional<RoofPeak> wanted = peakOfProducts(compute);
    if (!wanted) return products.empty();
    return products.size() == 1 && products.front().peak == *wanted;
  }
  double memoryGbps() const { return readings.empty() ? 0 : readings.back().gbps; }
  // Of so many bytes that are read again and again: between two measured sizes the time of a byte goes over
  // from the one to the other with the logarithm of the size.
  double gbpsOf(std::int64_t workingSet) const {
    const auto above =
        std::ranges::find_if(readings, [&](const RoofReading& one) { return one.bytes >= workingSet; });
    if (above == readings.end()) return memoryGbps();
    if (above == readings.begin() || above->bytes == workingSet) return above->gbps;
    const RoofReading& below = *std::prev(above);
    if (below.gbps <= 0 || above->gbps <= 0) return 0;
    const double share = std::log(static_cast<double>(workingSet) / static_cast<double>(below.bytes)) /
                         std::log(static_cast<double>(above->bytes) / static_cast<double>(below.bytes));
    return 1 / ((1 - share) / below.gbps + share / above->gbps);
  }
  // The nearest level that is large enough.
  MemoryLevel levelOf(std::int64_t workingSet) const {
    if (workingSet <= secondCache) return MemoryLevel::kSecondCache;
    return workingSet <= thirdCache ? MemoryLevel::kThirdCache : MemoryLevel::kMemory;
  }
  RoofLine lineOf(std::int64_t workingSet) const {
    return {workingSet, gbpsOf(workingSet), levelOf(workingSet)};
  }
  // The bandwidths of the memories beside `gbps`, without those that are nearly the same: other lines of a
  // plot. Half of a cache leaves room for what else it holds.
  std::vector<RoofLine> othersThan(double gbps) const {
    std::vector<RoofLine> others;
    const auto add = [&](std::int64_t bytes, MemoryLevel level) {
      const double one = gbpsOf(bytes);
      if (bytes > 0 && one > 0 && gbps > 0 && std::abs(std::log(one / gbps)) > 0.15)
        others.push_back({bytes, one, level});
    };
    add(secondCache / 2, MemoryLevel::kSecondCache);
    add(thirdCache / 2, MemoryLevel::kThirdCache);
    add(readings.empty() ? 0 : readings.back().bytes, MemoryLevel::kMemory);
    return others;
  }
  // Whether measureRoof() with the same arguments would measure the same. A model that needs more than half
  // of what counts as memory has no reading of its own. Never for a GPU's limits, which depend on more and
  // are measured in less than a second.
  bool isMeasuredFor(int ofThreads, std::int64_t modelBytes, Compute compute) const {
    if (readings.empty() || isOfGpu() || threads != ofThreads || !hasPeaksFor(compute)) return false;
    return modelBytes <= 0 || 2 * modelBytes > readings.back().bytes ||
           std::ranges::count(readings, modelBytes, &RoofReading::bytes) > 0;
  }
};
VITRINE_STRUCT(MachineRoof, "machine_roof", field("instructions", &T::instructions),
               field("threads", &T::threads), field("gflops", &T::gflops), field("readings", &T::readings),
               field("second_cache", &T::secondCache), field("third_cache", &T::thirdCache),
               field("peak", &T::peak), field("products", &T::products));

// Gets the fraction done, 0..1; returning false cancels.
using RoofProgress = std::function<bool(double fraction)>;

// The processor's limits: the best of several passes of each measurement, in about two seconds. threads 0:
// one for each core. modelBytes: what a step of the model reads at least, its weights; 0: no model. compute:
// the arithmetic of products, which gets a peak of its own. Throws EngineError: kInvalidArgument for more
// threads than there can be, kOutOfMemory for the buffer (at most 1 GiB), and kCancelled.
MachineRoof measureRoof(int threads, std::int64_t modelBytes = 0, const RoofProgress& progress = {},
                        Compute compute = Compute::kF32);

// Where an operation of a forward stands under the roof.
struct RoofPlace {
  double intensity = 0;         // floating-point operations for each byte
  double gflops = 0, gbps = 0;  // as measured
  double roofGbps = 0;          // the bandwidth that limits it
  double peakGflops = 0;        // the peak that limits it, of its own arithmetic; 0: none, or not measured
  double limit = 0;             // the time at the roof over the measured time: 1 is as fast as can be
  bool isComputeBound = false;  // the peak limits it, not the bandwidth
};

// On a processor, the arithmetic of most of its operations.
inline Compute arithmeticOf(const OperationCost& cost) {
  const auto int8 = static_cast<double>(cost.int8Operations), bf16 = static_cast<double>(cost.bf16Operations),
             f32 = static_cast<double>(cost.operations) - int8 - bf16;
  if (int8 > std::max(bf16, f32)) return Compute::kInt8;
  return bf16 > f32 ? Compute::kBf16 : Compute::kF32;
}
// The least time of its operations, each at the peak of its arithmetic; nothing: one of these peaks is not
// known.
inline std::optional<double> leastComputingNs(const MachineRoof& roof, const OperationCost& cost) {
  const auto int8 = static_cast<double>(cost.int8Operations), bf16 = static_cast<double>(cost.bf16Operations),
             f32 = static_cast<double>(cost.operations) - int8 - bf16;
  double ns = 0;
  for (const auto& [arithmetic, operations] :
       {std::pair(Compute::kInt8, int8), {Compute::kBf16, bf16}, {Compute::kF32, f32}}) {
    if (operations <= 0) continue;
    const double gflops = roof.gflopsIn(arithmetic);
    if (gflops <= 0) return std::nullopt;
    ns += operations / gflops;
  }
  return ns;
}

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
// The line that decides about them.
inline RoofLine streamLine(const MachineRoof& roof, const ForwardMeasured& forward) {
  return roof.lineOf(streamedBytes(forward));
}
inline std::int64_t workingSetOf(const OperationCost& cost, const ForwardMeasured& forward) {
  return readsWeightsOrKv(cost.operation) ? streamedBytes(forward) : cost.bytes / std::max(cost.calls, 1);
}

// Its limit is zero for an operation without a time, for one whose arithmetic has no peak in this roof, and
// for the rest of the forward, which is the host's time, too, and so has no limit that the machine's could
// be.
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
  const double moving = place.roofGbps > 0 ? bytes / place.roofGbps : 0;
  const std::optional<double> computing = leastComputingNs(roof, cost);
  if (!computing) return place;
  place.peakGflops = *computing > 0 ? operations / *computing : 0;
  if (cost.operation != Operation::kOther) place.limit = std::max(moving, *computing) / ns;
  place.isComputeBound = *computing > moving;
  return place;
}

}  // namespace vitrine
