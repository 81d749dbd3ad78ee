// With I8MM's USDOT (Armv8.6), which multiplies bytes without a sign by bytes with one, as they lie in
// memory. Compiled for this instruction, and called where the machine has it. Read next: int8-inl.h.
#include "backends/cpu/int8_neon-inl.h"

namespace vitrine::cpu {
namespace {

struct Usdot : Neon {
  static constexpr bool kTakesSigns = false;
  static Ints dot(Ints sum, Quads weights, int8x16_t x) { return vusdotq_s32(sum, weights, x); }
};

}  // namespace

constinit const Int8Kernels kUsdotKernels = int8KernelsOf<Usdot>("NEON USDOT");

}  // namespace vitrine::cpu
