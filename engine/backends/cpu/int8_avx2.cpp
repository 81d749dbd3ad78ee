// With AVX2: pairs of numbers of 16 bits, which a byte without a sign and one with it both fit into, so that
// no sum of two products can overflow. Compiled for these instructions, and called where the machine has
// them. Read next: int8-inl.h.
#include <immintrin.h>

#include "backends/cpu/int8-inl.h"
#include "backends/cpu/int8_sets.h"

namespace vitrine::cpu {
namespace {

struct Avx2 {
  static constexpr int kLanes = 8, kSums = 8, kManyPanels = 1;
  using Ints = __m256i;
  using Floats = __m256;
  using Quads = __m256i;
  struct Quad {
    __m256i even, odd;  // of each four bytes the first and the third, the second and the fourth
  };

  static Ints ints(std::int32_t value) { return _mm256_set1_epi32(value); }
  static Quads load(const std::uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static Quads lowerHalves(Quads q) { return _mm256_and_si256(q, _mm256_set1_epi8(15)); }
  static Quads upperHalves(Quads q) { return lowerHalves(_mm256_srli_epi16(q, 4)); }
  static Quad broadcast(const std::int8_t* quad) {
    std::int32_t bytes;
    std::memcpy(&bytes, quad, sizeof bytes);
    const __m256i all = _mm256_set1_epi32(bytes);
    return {_mm256_srai_epi16(_mm256_slli_epi16(all, 8), 8), _mm256_srai_epi16(all, 8)};
  }
  static Ints dot(Ints sum, Quads weights, const Quad& x) {
    const __m256i even = _mm256_and_si256(weights, _mm256_set1_epi16(255)),
                  odd = _mm256_srli_epi16(weights, 8);
    return _mm256_add_epi32(sum,
                            _mm256_add_epi32(_mm256_madd_epi16(even, x.even), _mm256_madd_epi16(odd, x.odd)));
  }
  static Floats widenBf16(const std::uint16_t* p) {
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
  }
  static void addScaled(float* sum, Ints group, Floats scale, float xScale) {
    const Floats both = _mm256_mul_ps(scale, _mm256_set1_ps(xScale));
    _mm256_storeu_ps(sum, _mm256_fmadd_ps(_mm256_cvtepi32_ps(group), both, _mm256_loadu_ps(sum)));
  }
};

}  // namespace

constinit const Int8Kernels kAvx2Kernels = int8KernelsOf<Avx2>("AVX2");

}  // namespace vitrine::cpu
