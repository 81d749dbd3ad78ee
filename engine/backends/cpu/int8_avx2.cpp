// With AVX2: pairs of numbers of 16 bits, which a byte without a sign and one with it both fit into, so that
// no sum of two products can overflow. Compiled for these instructions, and called where the machine has
// them. Read next: int8-inl.h.
#include <immintrin.h>

#include "backends/cpu/int8_set-inl.h"

namespace vitrine::cpu {
namespace {

struct Avx2 {
  static constexpr int kLanes = 8, kSums = 8, kManyPanels = 1;
  static constexpr bool kTakesSigns = false;  // of weights, which otherwise have none
  using Ints = __m256i;
  using Floats = __m256;
  using Quads = __m256i;
  struct Quad {
    __m256i even, odd;  // of each four bytes the first and the third, the second and the fourth
  };

  template <std::int64_t Count>
  static std::int32_t largestBits(const float* x) {
    __m256i most = _mm256_setzero_si256();
    for (int i = 0; i < Count; i += kLanes)
      most = _mm256_max_epi32(most, _mm256_and_si256(load(reinterpret_cast<const std::uint8_t*>(x + i)),
                                                     _mm256_set1_epi32(0x7FFFFFFF)));
    __m128i half = _mm_max_epi32(_mm256_castsi256_si128(most), _mm256_extracti128_si256(most, 1));
    half = _mm_max_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    return _mm_cvtsi128_si32(_mm_max_epi32(half, _mm_shuffle_epi32(half, 0xB1)));
  }
  template <std::int64_t Count>
  static std::int32_t round(const float* x, float inverse, std::int8_t* values) {
    const __m256 by = _mm256_set1_ps(inverse);
    __m256i sums = _mm256_setzero_si256();
    for (int i = 0; i < Count; i += 4 * kLanes) {
      __m256i whole[4];
      for (int v = 0; v < 4; ++v) {
        whole[v] = _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(x + i + v * kLanes), by));
        sums = _mm256_add_epi32(sums, whole[v]);
      }
      // Packing works within the halves of a register: the last step puts quads back in their order.
      const __m256i bytes = _mm256_permutevar8x32_epi32(
          _mm256_packs_epi16(_mm256_packs_epi32(whole[0], whole[1]), _mm256_packs_epi32(whole[2], whole[3])),
          _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(values + i), bytes);
    }
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4E));
    return _mm_cvtsi128_si32(_mm_add_epi32(half, _mm_shuffle_epi32(half, 0xB1)));
  }
  static Ints ints(std::int32_t value) { return _mm256_set1_epi32(value); }
  static Quads load(const std::uint8_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
  static void store(Quads q, std::uint8_t* p) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), q); }
  // Of each byte; what a shift brings over from the next one, the mask takes away.
  static Quads bits(Quads q, int first, int mask) {
    return _mm256_and_si256(Quads(q >> first), _mm256_set1_epi8(static_cast<char>(mask)));
  }
  static Quads join(Quads lower, Quads upper, int place) {
    return _mm256_or_si256(lower, Quads(upper << place));
  }
  static Quads turnSigns(Quads q) { return _mm256_xor_si256(q, _mm256_set1_epi8(-128)); }
  static Quads lookUp(const std::uint8_t* table, Quads names) {
    const __m128i all = _mm_load_si128(reinterpret_cast<const __m128i*>(table));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(all), names);
  }
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
  static void addScaled(float* sum, Ints part, Floats scale, float xScale, Floats offset, float xSum) {
    const Floats both = _mm256_mul_ps(scale, _mm256_set1_ps(xScale)),
                 scaled = _mm256_fmadd_ps(_mm256_cvtepi32_ps(part), both, _mm256_loadu_ps(sum));
    _mm256_storeu_ps(sum, _mm256_fmadd_ps(_mm256_set1_ps(xSum), offset, scaled));
  }
  static Floats loadFloats(const float* p) { return _mm256_loadu_ps(p); }
  static void widenHalves(const std::uint8_t* halves, float* out) {
    for (int i = 0; i < kPanelColumns; i += kLanes)
      _mm256_storeu_ps(out + i,
                       _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + 2 * i))));
  }
  // Of the upper halves of floats.
  static void widenUppers(const std::uint8_t* uppers, float* out) {
    for (int i = 0; i < kPanelColumns; i += kLanes)
      _mm256_storeu_ps(out + i, widenBf16(reinterpret_cast<const std::uint16_t*>(uppers) + i));
  }
};

}  // namespace

constinit const Int8Kernels kAvx2Kernels = int8KernelsOf<Avx2>("AVX2");

}  // namespace vitrine::cpu
