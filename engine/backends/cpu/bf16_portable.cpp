// In plain C++, for a machine of any kind, with the bits of AVX2. Read next: bf16-inl.h.
#include <cmath>

#include "backends/cpu/bf16-inl.h"
#include "backends/cpu/bf16_sets.h"
#include "formats/small_floats.h"

namespace vitrine::cpu {
namespace {

struct PortableBf16 {
  static constexpr int kLanes = 8, kSums = 8, kManyPanels = 1;
  struct Floats {
    float at[kLanes];
  };
  struct Pairs {
    std::uint16_t at[kLanes][2];
  };
  struct Pair {
    float first, second;
  };

  static Floats loadSums(const float* p) {
    Floats sums;
    std::memcpy(sums.at, p, sizeof sums.at);
    return sums;
  }
  static void storeSums(const Floats& sums, float* p) { std::memcpy(p, sums.at, sizeof sums.at); }
  static Pairs load(const std::uint16_t* p) {
    Pairs pairs;
    std::memcpy(pairs.at, p, sizeof pairs.at);
    return pairs;
  }
  static Pair broadcast(const std::uint16_t* pair) { return {bf16ToFloat(pair[0]), bf16ToFloat(pair[1])}; }
  static Floats dot(Floats sum, const Pairs& weights, const Pair& x) {
    for (int lane = 0; lane < kLanes; ++lane)
      sum.at[lane] = std::fma(bf16ToFloat(weights.at[lane][1]), x.second,
                              std::fma(bf16ToFloat(weights.at[lane][0]), x.first, sum.at[lane]));
    return sum;
  }
};

}  // namespace

constinit const Bf16Kernels kPortableBf16Kernels = bf16KernelsOf<PortableBf16>("portable");

}  // namespace vitrine::cpu
