// Vectors of NEON for the products of quads, all but the dot product: SDOT takes two bytes with a sign
// (int8_neon.cpp), USDOT one without (int8_i8mm.cpp). Read next: int8_neon.cpp.
#pragma once

#include <arm_neon.h>

#include "backends/cpu/int8_set-inl.h"

namespace vitrine::cpu {
namespace {

struct Neon {
  static constexpr int kLanes = 4, kSums = 24, kManyPanels = 1;
  using Ints = int32x4_t;
  using Floats = float32x4_t;
  using Quads = uint8x16_t;

  template <std::int64_t Count>
  static std::int32_t largestBits(const float* x) {
    int32x4_t most = vdupq_n_s32(0);
    for (int i = 0; i < Count; i += kLanes)
      most = vmaxq_s32(most, vandq_s32(vreinterpretq_s32_f32(vld1q_f32(x + i)), vdupq_n_s32(0x7FFFFFFF)));
    return vmaxvq_s32(most);
  }
  template <std::int64_t Count>
  static std::int32_t round(const float* x, float inverse, std::int8_t* values) {
    int32x4_t sums = vdupq_n_s32(0);
    for (int i = 0; i < Count; i += 2 * kLanes) {
      const int32x4_t first = vcvtnq_s32_f32(vmulq_n_f32(vld1q_f32(x + i), inverse)),
                      second = vcvtnq_s32_f32(vmulq_n_f32(vld1q_f32(x + i + kLanes), inverse));
      vst1_s8(values + i, vmovn_s16(vcombine_s16(vmovn_s32(first), vmovn_s32(second))));
      sums = vaddq_s32(sums, vaddq_s32(first, second));
    }
    return vaddvq_s32(sums);
  }
  static Ints ints(std::int32_t value) { return vdupq_n_s32(value); }
  static Quads load(const std::uint8_t* p) { return vld1q_u8(p); }
  static void store(Quads q, std::uint8_t* p) { vst1q_u8(p, q); }
  static Quads bits(Quads q, int first, int mask) {
    return vandq_u8(vshlq_u8(q, vdupq_n_s8(static_cast<std::int8_t>(-first))),
                    vdupq_n_u8(static_cast<std::uint8_t>(mask)));
  }
  static Quads join(Quads lower, Quads upper, int place) {
    return vorrq_u8(lower, vshlq_u8(upper, vdupq_n_s8(static_cast<std::int8_t>(place))));
  }
  static Quads turnSigns(Quads q) { return veorq_u8(q, vdupq_n_u8(0x80)); }
  static Quads lookUp(const std::uint8_t* table, Quads names) { return vqtbl1q_u8(vld1q_u8(table), names); }
  static int8x16_t broadcast(const std::int8_t* quad) {
    std::int32_t bytes;
    std::memcpy(&bytes, quad, sizeof bytes);
    return vreinterpretq_s8_s32(vdupq_n_s32(bytes));
  }
  static Floats widenBf16(const std::uint16_t* p) {
    return vreinterpretq_f32_u32(vshll_n_u16(vld1_u16(p), 16));
  }
  static void addScaled(float* sum, Ints group, Floats scale, float xScale) {
    vst1q_f32(sum, vfmaq_f32(vld1q_f32(sum), vcvtq_f32_s32(group), vmulq_n_f32(scale, xScale)));
  }
  static void addScaled(float* sum, Ints part, Floats scale, float xScale, Floats offset, float xSum) {
    const Floats scaled = vfmaq_f32(vld1q_f32(sum), vcvtq_f32_s32(part), vmulq_n_f32(scale, xScale));
    vst1q_f32(sum, vfmaq_n_f32(scaled, offset, xSum));
  }
  static Floats loadFloats(const float* p) { return vld1q_f32(p); }
  static void widenHalves(const std::uint8_t* halves, float* out) {
    for (int i = 0; i < kPanelColumns; i += kLanes)
      vst1q_f32(out + i, vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(halves + 2 * i))));
  }
  // Of the upper halves of floats.
  static void widenUppers(const std::uint8_t* uppers, float* out) {
    for (int i = 0; i < kPanelColumns; i += kLanes)
      vst1q_f32(out + i, widenBf16(reinterpret_cast<const std::uint16_t*>(uppers) + i));
  }
};

}  // namespace
}  // namespace vitrine::cpu
