// With AVX-512's BF16: VDPBF16PS multiplies two pairs of bfloat16 and adds them to a float32, in 16 lanes.
// Compiled for these instructions, and called where the machine has them. Read next: bf16-inl.h.
#include <immintrin.h>

#include "backends/cpu/bf16-inl.h"
#include "backends/cpu/bf16_sets.h"

namespace vitrine::cpu {
namespace {

struct Avx512Bf16 {
  static constexpr int kLanes = 16, kSums = 24, kManyPanels = 2;
  using Floats = __m512;
  using Pairs = __m512i;

  static Floats loadSums(const float* p) { return _mm512_loadu_ps(p); }
  static void storeSums(Floats sums, float* p) { _mm512_storeu_ps(p, sums); }
  static Pairs load(const std::uint16_t* p) { return _mm512_loadu_si512(p); }
  static Pairs broadcast(const std::uint16_t* pair) {
    std::int32_t both;
    std::memcpy(&both, pair, sizeof both);
    return _mm512_set1_epi32(both);
  }
  static Floats dot(Floats sum, Pairs weights, Pairs x) {
    return _mm512_dpbf16_ps(sum, __m512bh(weights), __m512bh(x));
  }
};

}  // namespace

constinit const Bf16Kernels kAvx512Bf16Kernels = bf16KernelsOf<Avx512Bf16>("AVX-512 BF16");

}  // namespace vitrine::cpu
