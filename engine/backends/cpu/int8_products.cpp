#include "backends/cpu/int8_products.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "backends/cpu/int8_sets.h"

namespace vitrine::cpu {
namespace {

std::vector<const Int8Kernels*> setsOfThisMachine() {
  std::vector<const Int8Kernels*> sets;
#ifdef VITRINE_INT8_X86
  if (__builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl"))
    sets.push_back(&kVnniKernels);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) sets.push_back(&kAvx2Kernels);
#endif
  sets.push_back(&kPortableKernels);
  return sets;
}

// One group of one row.
struct QuantizedGroup {
  alignas(64) std::int8_t values[kQuantGroup];
  float scale;
  std::int32_t sum;
};

// In loops over kSumLanes lanes, which every compiler turns into vectors; only the sum of whole numbers and
// the largest of all, which have no order, go over them.
void quantize(const float* x, QuantizedGroup& group) {
  static_assert(kQuantGroup == 2 * kSumLanes);
  alignas(64) float most[kSumLanes], probes[kSumLanes];
  for (std::int64_t lane = 0; lane < kSumLanes; ++lane) {
    const float a = std::abs(x[lane]), b = std::abs(x[lane + kSumLanes]);
    most[lane] = a > b ? a : b;
    probes[lane] = a * 0.0f + b * 0.0f;  // NaN when one of them is not finite
  }
  for (std::int64_t half = kSumLanes / 2; half > 0; half /= 2)
    for (std::int64_t lane = 0; lane < half; ++lane) {
      most[lane] = most[lane] > most[lane + half] ? most[lane] : most[lane + half];
      probes[lane] += probes[lane + half];
    }
  // Where the quotient of the largest number is none, the group is as good as zero.
  const float quotient = 127.0f / most[0];
  const bool isSound = probes[0] == 0 && std::isfinite(quotient);
  const float inverse = isSound ? quotient : 0.0f;
  alignas(64) std::int32_t values[kQuantGroup];
  for (std::int64_t i = 0; i < kQuantGroup; ++i) {
    // The last bits of 1.5 * 2^23 hold the nearest whole number, the even one of two.
    const float shifted = x[i] * inverse + 12582912.0f;
    values[i] = std::bit_cast<std::int32_t>(shifted) - 0x4B400000;
  }
  std::int32_t sum = 0;
  for (const std::int32_t value : values) sum += value;
  group.sum = sum;
  for (std::int64_t i = 0; i < kQuantGroup; ++i) group.values[i] = static_cast<std::int8_t>(values[i]);
  group.scale = isSound ? most[0] / 127.0f : 0.0f;
  if (probes[0] == 0) return;
  group = {};
  group.scale = std::numeric_limits<float>::quiet_NaN();
}

}  // namespace

void quantizeTile(const float* x, std::int64_t stride, std::int64_t inFeatures, std::int64_t first,
                  std::int64_t count, const QuantizedRows& out) {
  const std::int64_t groups = quantGroups(inFeatures), begin = first * groups;
  for (std::int64_t row = 0; row < count; ++row) {
    const float* const from = x + (first + row) * stride;
    for (std::int64_t group = 0; group < groups; ++group) {
      QuantizedGroup one;
      const std::int64_t here = inFeatures - group * kQuantGroup;
      if (here >= kQuantGroup) {
        quantize(from + group * kQuantGroup, one);
      } else {
        float filled[kQuantGroup] = {};
        std::copy_n(from + group * kQuantGroup, here, filled);
        quantize(filled, one);
      }
      std::int8_t* to = out.values + begin * kQuantGroup + (group * kGroupQuads * count + row) * kQuad;
      for (std::int64_t quad = 0; quad < kGroupQuads; ++quad, to += count * kQuad)
        std::memcpy(to, one.values + quad * kQuad, kQuad);
      out.scales[begin + group * count + row] = one.scale;
      out.sums[begin + group * count + row] = one.sum;
    }
  }
}

std::span<const Int8Kernels* const> int8Kernels() {
  static const std::vector<const Int8Kernels*> sets = setsOfThisMachine();
  return sets;
}

}  // namespace vitrine::cpu
