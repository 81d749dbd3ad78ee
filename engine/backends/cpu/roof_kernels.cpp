// What the machine can do at most (vitrine/machine_roof.h), with the instructions of the other kernels.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/roof_kernels.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include "backends/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

// Independent sums, enough to hide the latency of a multiply-add; the other registers hold its factors.
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kSums = 24;
#else
constexpr int kSums = 12;
#endif
constexpr int kStreamVectors = static_cast<int>(kStreamFloats / static_cast<std::int64_t>(kLanes));

float total(Vec sum) {
  HWY_ALIGN float lanes[kLanes];
  hn::Store(sum, F32(), lanes);
  float all = 0;
  for (const float lane : lanes) all += lane;
  return all;
}

// Each sum starts elsewhere and tends to 2, so the compiler can leave none out and none becomes denormal.
float multiplyAdd(std::int64_t turns) {
  const F32 d;
  const Vec half = hn::Set(d, 0.5f), one = hn::Set(d, 1.0f);
  Vec sums[kSums];
#pragma GCC unroll 32
  for (int i = 0; i < kSums; ++i) sums[i] = hn::Set(d, static_cast<float>(i));
  for (std::int64_t turn = 0; turn < turns; ++turn)
#pragma GCC unroll 32
    for (int i = 0; i < kSums; ++i) sums[i] = hn::MulAdd(sums[i], half, one);
  Vec sum = sums[0];
#pragma GCC unroll 32
  for (int i = 1; i < kSums; ++i) sum = hn::Add(sum, sums[i]);
  return total(sum);
}

float sum(const float* x, std::int64_t n) {
  const F32 d;
  Vec sums[kStreamVectors];
#pragma GCC unroll 32
  for (int v = 0; v < kStreamVectors; ++v) sums[v] = hn::Zero(d);
  for (std::int64_t i = 0; i < n; i += kStreamFloats)
#pragma GCC unroll 32
    for (int v = 0; v < kStreamVectors; ++v)
      sums[v] = hn::Add(sums[v], hn::LoadU(d, x + i + v * static_cast<int>(kLanes)));
  Vec all = sums[0];
#pragma GCC unroll 32
  for (int v = 1; v < kStreamVectors; ++v) all = hn::Add(all, sums[v]);
  return total(all);
}

}  // namespace

const RoofKernels* roofTable() {
  static constexpr RoofKernels table = {kSums * std::int64_t{kLanes}, multiplyAdd, sum};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(roofTable);
const RoofKernels& roofKernels() { return *HWY_DYNAMIC_DISPATCH(roofTable)(); }
}  // namespace vitrine::cpu
#endif
