// What the kernels share; included once for each instruction set, hence the guard that flips.
#if defined(VITRINE_BACKENDS_CPU_SIMD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRINE_BACKENDS_CPU_SIMD_INL_H
#undef VITRINE_BACKENDS_CPU_SIMD_INL_H
#else
#define VITRINE_BACKENDS_CPU_SIMD_INL_H
#endif

#include <cstddef>
#include <cstdint>

#include "backends/cpu/kernels.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::CappedTag<float, 16>;
using I32 = hn::Rebind<std::int32_t, F32>;
using U32 = hn::Rebind<std::uint32_t, F32>;
using U16 = hn::Rebind<std::uint16_t, F32>;
using Vec = hn::Vec<F32>;

constexpr std::size_t kLanes = hn::MaxLanes(F32());
constexpr std::size_t kSumVectors = static_cast<std::size_t>(kSumLanes) / kLanes;

// bfloat16 is the upper half of a float32.
HWY_INLINE Vec widenBf16(const std::uint16_t* p) {
  return hn::BitCast(F32(), hn::ShiftLeft<16>(hn::PromoteTo(U32(), hn::LoadU(U16(), p))));
}

// Folds sixteen lanes in halves: 8, 4, 2, 1. The same tree on every machine.
HWY_INLINE float foldLanes(float* lanes) {
  for (std::size_t width = kSumLanes / 2; width > 0; width /= 2)
    for (std::size_t i = 0; i < width; ++i) lanes[i] += lanes[i + width];
  return lanes[0];
}

// exp(x) for x <= 0, within 2 units in the last place; below -87 it is 0, NaN stays NaN.
// x = n ln2 + r with |r| <= ln2/2; exp(r) by its Taylor series to r^7 (the rest is under 6e-9), times 2^n.
HWY_INLINE Vec expNonPositive(Vec x) {
  const F32 d;
  const I32 di;
  const auto under = hn::Lt(x, hn::Set(d, -87.0f));
  const Vec safe = hn::IfThenElse(under, hn::Zero(d), x);
  const Vec n = hn::Round(hn::Mul(safe, hn::Set(d, 1.44269504f)));
  // ln2 in two parts, the first with so few bits that n times it is exact
  Vec r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), safe);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  Vec sum = hn::Set(d, 1.0f / 5040);
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f / 720));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f / 120));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f / 24));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f / 6));
  sum = hn::MulAdd(sum, r, hn::Set(d, 0.5f));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f));
  const auto exponent = hn::Add(hn::ConvertTo(di, n), hn::Set(di, 127));
  const Vec power = hn::BitCast(d, hn::ShiftLeft<23>(exponent));
  return hn::IfThenElse(under, hn::Zero(d), hn::Mul(sum, power));
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#endif  // per target
