// Vectors of AVX-512 with VNNI, as int8-inl.h and int8_blocks-inl.h want them: VPDPBUSD multiplies four pairs
// of bytes and adds them to 32 bits in one instruction. Included by the files that are compiled for it.
#pragma once

#include <immintrin.h>

#include "backends/cpu/int8-inl.h"

namespace vitrine::cpu {
namespace {

struct Vnni {
  static constexpr int kLanes = 16, kSums = 24, kManyPanels = 2;
  static constexpr bool kTakesSigns = false;  // of weights, which otherwise have none
  // Of 32 bits, as the instructions below see them: between __m512i, of 64, and these GCC copies registers.
  using Ints = std::int32_t __attribute__((vector_size(64)));
  using Floats = __m512;
  using Quads = __m512i;

  template <std::int64_t Count>
  static std::int32_t largestBits(const float* x) {
    __m512i most = _mm512_setzero_si512();
    for (int i = 0; i < Count; i += kLanes)
      most =
          _mm512_max_epi32(most, _mm512_and_si512(_mm512_loadu_si512(x + i), _mm512_set1_epi32(0x7FFFFFFF)));
    return _mm512_reduce_max_epi32(most);
  }
  template <std::int64_t Count>
  static std::int32_t round(const float* x, float inverse, std::int8_t* values) {
    const __m512 by = _mm512_set1_ps(inverse);
    __m512i sum = _mm512_setzero_si512();
    for (int i = 0; i < Count; i += kLanes) {
      const __m512i whole = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(x + i), by));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(values + i), _mm512_cvtepi32_epi8(whole));
      sum = _mm512_add_epi32(sum, whole);
    }
    return _mm512_reduce_add_epi32(sum);
  }
  static Ints ints(std::int32_t value) { return Ints(_mm512_set1_epi32(value)); }
  static Quads load(const std::uint8_t* p) { return _mm512_loadu_si512(p); }
  static void store(Quads q, std::uint8_t* p) { _mm512_storeu_si512(p, q); }
  // Of each byte; what a shift brings over from the next one, the mask takes away.
  static Quads bits(Quads q, int first, int mask) {
    return _mm512_and_si512(Quads(q >> first), _mm512_set1_epi8(static_cast<char>(mask)));
  }
  static Quads join(Quads lower, Quads upper, int place) {
    return _mm512_or_si512(lower, Quads(upper << place));
  }
  static Quads turnSigns(Quads q) { return _mm512_xor_si512(q, _mm512_set1_epi8(-128)); }
  static Quads lookUp(const std::uint8_t* table, Quads names) {
    const __m128i all = _mm_load_si128(reinterpret_cast<const __m128i*>(table));
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(all), names);
  }
  static __m512i broadcast(const std::int8_t* quad) {
    std::int32_t bytes;
    std::memcpy(&bytes, quad, sizeof bytes);
    return _mm512_set1_epi32(bytes);
  }
  static Ints dot(Ints sum, Quads weights, __m512i x) {
    return Ints(_mm512_dpbusd_epi32(__m512i(sum), weights, x));
  }
  static Floats widenBf16(const std::uint16_t* p) {
    const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
  }
  static void addScaled(float* sum, Ints group, Floats scale, float xScale) {
    const Floats both = _mm512_mul_ps(scale, _mm512_set1_ps(xScale));
    _mm512_storeu_ps(sum, _mm512_fmadd_ps(_mm512_cvtepi32_ps(__m512i(group)), both, _mm512_loadu_ps(sum)));
  }
  static void addScaled(float* sum, Ints part, Floats scale, float xScale, Floats offset, float xSum) {
    const Floats both = _mm512_mul_ps(scale, _mm512_set1_ps(xScale)),
                 scaled = _mm512_fmadd_ps(_mm512_cvtepi32_ps(__m512i(part)), both, _mm512_loadu_ps(sum));
    _mm512_storeu_ps(sum, _mm512_fmadd_ps(_mm512_set1_ps(xSum), offset, scaled));
  }
  static Floats loadFloats(const float* p) { return _mm512_loadu_ps(p); }
  static void widenHalves(const std::uint8_t* halves, float* out) {
    for (int i = 0; i < kPanelColumns; i += kLanes)
      _mm512_storeu_ps(out + i,
                       _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(halves + 2 * i))));
  }
  // Of the upper halves of floats.
  static void widenUppers(const std::uint8_t* uppers, float* out) {
    for (int i = 0; i < kPanelColumns; i += kLanes)
      _mm512_storeu_ps(out + i, widenBf16(reinterpret_cast<const std::uint16_t*>(uppers) + i));
  }
};

}  // namespace
}  // namespace vitrine::cpu
