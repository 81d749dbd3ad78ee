// With NEON, as every AArch64 machine has it: a bfloat16 is the upper half of a float32, so a vector of pairs
// is two of floats, and each input is a fused multiply-add. The bits of AVX2. Read next: bf16-inl.h.
#include <arm_neon.h>

#include "backends/cpu/bf16-inl.h"
#include "backends/cpu/bf16_sets.h"

namespace vitrine::cpu {
namespace {

struct NeonBf16 {
  static constexpr int kLanes = 4, kSums = 16, kManyPanels = 1;
  using Floats = float32x4_t;
  using Pairs = uint32x4_t;
  static float32x4_t firsts(Pairs pairs) { return vreinterpretq_f32_u32(vshlq_n_u32(pairs, 16)); }
  static float32x4_t seconds(Pairs pairs) {
    return vreinterpretq_f32_u32(vandq_u32(pairs, vdupq_n_u32(0xFFFF0000U)));
  }
  static Floats loadSums(const float* p) { return vld1q_f32(p); }
  static void storeSums(Floats sums, float* p) { vst1q_f32(p, sums); }
  static Pairs load(const std::uint16_t* p) { return vreinterpretq_u32_u16(vld1q_u16(p)); }
  // An instruction multiplies by a lane: both numbers of x take one register.
  static float32x2_t broadcast(const std::uint16_t* pair) {
    std::uint32_t both;
    std::memcpy(&both, pair, sizeof both);
    return vreinterpret_f32_u32(uint32x2_t{both << 16, both & 0xFFFF0000U});
  }
  static Floats dot(Floats sum, Pairs weights, float32x2_t x) {
    return vfmaq_lane_f32(vfmaq_lane_f32(sum, firsts(weights), x, 0), seconds(weights), x, 1);
  }
};

}  // namespace

constinit const Bf16Kernels kNeonBf16Kernels = bf16KernelsOf<NeonBf16>("NEON");

}  // namespace vitrine::cpu
