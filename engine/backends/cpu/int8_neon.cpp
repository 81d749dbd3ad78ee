// With Armv8.2's SDOT, which multiplies four pairs of bytes with a sign and adds them to 32 bits. Compiled
// for this instruction, and called where the machine has it. Read next: int8-inl.h.
#include "backends/cpu/int8_neon-inl.h"

namespace vitrine::cpu {
namespace {

// int4: a weight with 8 added is below 16, so it is the same number with a sign.
struct Sdot : Neon {
  static constexpr bool kTakesSigns = true;
  static Ints dot(Ints sum, Quads weights, int8x16_t x) {
    return vdotq_s32(sum, vreinterpretq_s8_u8(weights), x);
  }
};
// int8: to turn the highest bit takes 128 away, which leaves the value with its sign. So no zero is left for
// the sum to start at.
struct SdotOfBytes : Sdot {
  static Quads load(const std::uint8_t* p) { return veorq_u8(Sdot::load(p), vdupq_n_u8(kInt8Zero)); }
};
struct SignedQuads : Int8Quads {
  static constexpr std::int64_t kZero = 0;
};

}  // namespace

constinit const Int8Kernels kSdotKernels = int8KernelsOf<Sdot, SdotOfBytes, SignedQuads>("NEON SDOT");

}  // namespace vitrine::cpu
