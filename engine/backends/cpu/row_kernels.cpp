// Kernels over one row: norms, rotary embedding, the gate. What is lane by lane is a plain loop, which the
// compiler turns into vectors; what adds up or needs exp is written with Highway. The file is compiled
// without contraction of a * b + c, so that a loop's vector body and its tail round alike.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/row_kernels.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include <algorithm>
#include <cmath>

#include "backends/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

const char* targetName() { return hwy::TargetName(HWY_TARGET); }

// Sum of x² with element i in lane i mod 16, then the lanes folded; the row's end is filled up with zeros,
// which add nothing.
float sumOfSquares(const float* x, std::int64_t n) {
  const F32 d;
  Vec sums[kSumVectors];
  for (Vec& sum : sums) sum = hn::Zero(d);
  const auto addStrip = [&](const float* strip) HWY_ATTR {
    for (std::size_t i = 0; i < kSumVectors; ++i) {
      const Vec v = hn::LoadU(d, strip + i * kLanes);
      sums[i] = hn::Add(sums[i], hn::Mul(v, v));
    }
  };
  const std::int64_t whole = n - n % kSumLanes;
  for (std::int64_t i = 0; i < whole; i += kSumLanes) addStrip(x + i);
  HWY_ALIGN float lanes[kSumLanes] = {};
  if (whole < n) {
    std::copy(x + whole, x + n, lanes);
    addStrip(lanes);
  }
  for (std::size_t i = 0; i < kSumVectors; ++i) hn::Store(sums[i], d, lanes + i * kLanes);
  return foldLanes(lanes);
}

void rmsNorm(const float* x, const float* weight, float eps, std::int64_t n, float* out) {
  const float scale = 1.0f / std::sqrt(sumOfSquares(x, n) / static_cast<float>(n) + eps);
  for (std::int64_t i = 0; i < n; ++i) out[i] = x[i] * scale * weight[i];
}

void add(float* x, const float* delta, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) x[i] += delta[i];
}

void rotary(float* x, const float* cos, const float* sin, std::int64_t half) {
  for (std::int64_t i = 0; i < half; ++i) {
    const float first = x[i], second = x[i + half];
    x[i] = first * cos[i] - second * sin[i];
    x[i + half] = second * cos[i] + first * sin[i];
  }
}

// silu(g) = g / (1 + exp(-g)). With e = exp(-|g|), which cannot overflow, that is g / (1 + e) or g * e / (1 +
// e).
HWY_INLINE void gateStrip(const float* gate, const float* up, float* out) {
  const F32 d;
  for (std::size_t i = 0; i < static_cast<std::size_t>(kSumLanes); i += kLanes) {
    const Vec g = hn::LoadU(d, gate + i);
    const Vec e = expNonPositive(hn::Neg(hn::Abs(g)));
    const Vec numerator = hn::IfThenElse(hn::Lt(g, hn::Zero(d)), hn::Mul(g, e), g);
    const Vec silu = hn::Div(numerator, hn::Add(hn::Set(d, 1.0f), e));
    hn::StoreU(hn::Mul(silu, hn::LoadU(d, up + i)), d, out + i);
  }
}

void gate(const float* gate, const float* up, std::int64_t n, float* out) {
  const std::int64_t whole = n - n % kSumLanes;
  for (std::int64_t i = 0; i < whole; i += kSumLanes) gateStrip(gate + i, up + i, out + i);
  if (whole == n) return;
  HWY_ALIGN float gateEnd[kSumLanes] = {}, upEnd[kSumLanes] = {};
  std::copy(gate + whole, gate + n, gateEnd);
  std::copy(up + whole, up + n, upEnd);
  gateStrip(gateEnd, upEnd, gateEnd);
  std::copy(gateEnd, gateEnd + (n - whole), out + whole);
}

}  // namespace

const RowKernels* rowTable() {
  static constexpr RowKernels table = {targetName, rmsNorm, add, rotary, gate};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(rowTable);
const RowKernels& rowKernels() { return *HWY_DYNAMIC_DISPATCH(rowTable)(); }
}  // namespace vitrine::cpu
#endif
