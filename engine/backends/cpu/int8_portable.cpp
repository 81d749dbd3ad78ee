// In plain C++, for a machine of any kind: the compiler makes what it can of the loops. Read next:
// int8-inl.h.
#include <bit>
#include <cmath>

#include "backends/cpu/int8_set-inl.h"
#include "formats/small_floats.h"

namespace vitrine::cpu {
namespace {

struct Portable {
  static constexpr int kLanes = 8, kSums = 8, kManyPanels = 1;
  static constexpr bool kTakesSigns = false;  // of weights, which otherwise have none
  struct Ints {
    std::int32_t at[kLanes];
  };
  struct Floats {
    float at[kLanes];
  };
  struct Quads {
    std::uint8_t at[kLanes * kQuad];
  };
  struct Quad {
    std::int8_t at[kQuad];
  };

  template <std::int64_t Count>
  static std::int32_t largestBits(const float* x) {
    std::int32_t most = 0;
    for (std::int64_t i = 0; i < Count; ++i) {
      const std::int32_t bits = std::bit_cast<std::int32_t>(x[i]) & 0x7FFFFFFF;
      most = bits > most ? bits : most;
    }
    return most;
  }
  template <std::int64_t Count>
  static std::int32_t round(const float* x, float inverse, std::int8_t* values) {
    std::int32_t sum = 0;
    for (std::int64_t i = 0; i < Count; ++i) {
      // The last bits of 1.5 * 2^23 hold the nearest whole number, the even one of two.
      const float shifted = x[i] * inverse + 0x1.8p23f;
      const std::int32_t value =
          std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(0x1.8p23f);
      values[i] = static_cast<std::int8_t>(value);
      sum += value;
    }
    return sum;
  }
  static Ints ints(std::int32_t value) {
    Ints all;
    for (std::int32_t& one : all.at) one = value;
    return all;
  }
  static Quads load(const std::uint8_t* p) {
    Quads all;
    std::memcpy(all.at, p, sizeof all.at);
    return all;
  }
  static void store(const Quads& q, std::uint8_t* p) { std::memcpy(p, q.at, sizeof q.at); }
  static Quads bits(Quads q, int first, int mask) {
    for (std::uint8_t& byte : q.at) byte = static_cast<std::uint8_t>(byte >> first & mask);
    return q;
  }
  static Quads join(Quads lower, const Quads& upper, int place) {
    for (std::size_t i = 0; i < sizeof lower.at; ++i)
      lower.at[i] = static_cast<std::uint8_t>(lower.at[i] | upper.at[i] << place);
    return lower;
  }
  static Quads turnSigns(Quads q) {
    for (std::uint8_t& byte : q.at) byte ^= 0x80;
    return q;
  }
  static Quads lookUp(const std::uint8_t* table, Quads names) {
    for (std::uint8_t& byte : names.at) byte = table[byte];
    return names;
  }
  static Quad broadcast(const std::int8_t* quad) {
    Quad one;
    std::memcpy(one.at, quad, sizeof one.at);
    return one;
  }
  static Ints dot(Ints sum, const Quads& weights, const Quad& x) {
    for (int lane = 0; lane < kLanes; ++lane)
      for (int i = 0; i < kQuad; ++i) sum.at[lane] += weights.at[lane * kQuad + i] * x.at[i];
    return sum;
  }
  static Floats widenBf16(const std::uint16_t* p) {
    Floats all;
    for (int lane = 0; lane < kLanes; ++lane) all.at[lane] = bf16ToFloat(p[lane]);
    return all;
  }
  // std::fma rounds once also where the machine has no instruction for it: slow there, and the same bits.
  static void addScaled(float* sum, const Ints& group, const Floats& scale, float xScale) {
    for (int lane = 0; lane < kLanes; ++lane)
      sum[lane] = std::fma(static_cast<float>(group.at[lane]), scale.at[lane] * xScale, sum[lane]);
  }
  static void addScaled(float* sum, const Ints& part, const Floats& scale, float xScale, const Floats& offset,
                        float xSum) {
    addScaled(sum, part, scale, xScale);
    for (int lane = 0; lane < kLanes; ++lane) sum[lane] = std::fma(xSum, offset.at[lane], sum[lane]);
  }
  static Floats loadFloats(const float* p) {
    Floats all;
    std::memcpy(all.at, p, sizeof all.at);
    return all;
  }
  static void widenHalves(const std::uint8_t* halves, float* out) {
    for (int i = 0; i < kPanelColumns; ++i) {
      std::uint16_t bits;
      std::memcpy(&bits, halves + 2 * i, sizeof bits);
      out[i] = halfToFloat(bits);
    }
  }
  // Of the upper halves of floats.
  static void widenUppers(const std::uint8_t* uppers, float* out) {
    for (int i = 0; i < kPanelColumns; ++i) {
      std::uint16_t bits;
      std::memcpy(&bits, uppers + 2 * i, sizeof bits);
      out[i] = bf16ToFloat(bits);
    }
  }
};

}  // namespace

constinit const Int8Kernels kPortableKernels = int8KernelsOf<Portable>("portable");

}  // namespace vitrine::cpu
