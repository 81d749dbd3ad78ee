// With BFDOT (Armv8.6): two products to a float32 in one instruction. The architecture says each bit: both
// products are exact, their sum and then the new sum are rounded to odd, subnormal numbers are zero, and none
// of it depends on the modes of the processor (but for EBF, which Linux leaves off). Compiled for this
// instruction, and called where the machine has it. Read next: bf16-inl.h.
#include <arm_neon.h>

#include "backends/cpu/bf16-inl.h"
#include "backends/cpu/bf16_sets.h"

namespace vitrine::cpu {
namespace {

struct Bfdot {
  static constexpr int kLanes = 4, kSums = 24, kManyPanels = 1;
  using Floats = float32x4_t;
  using Pairs = bfloat16x8_t;

  static Floats loadSums(const float* p) { return vld1q_f32(p); }
  static void storeSums(Floats sums, float* p) { vst1q_f32(p, sums); }
  static Pairs load(const std::uint16_t* p) { return vreinterpretq_bf16_u16(vld1q_u16(p)); }
  static Pairs broadcast(const std::uint16_t* pair) {
    std::uint32_t both;
    std::memcpy(&both, pair, sizeof both);
    return vreinterpretq_bf16_u32(vdupq_n_u32(both));
  }
  static Floats dot(Floats sum, Pairs weights, Pairs x) { return vbfdotq_f32(sum, weights, x); }
};

}  // namespace

constinit const Bf16Kernels kBfdotKernels = bf16KernelsOf<Bfdot>("NEON BFDOT");

}  // namespace vitrine::cpu
