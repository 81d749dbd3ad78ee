// The exponential behind every softmax, and the order in which the exponentials of a vocabulary are added:
// the host and a GPU compute both with the same bits.
//
// The exponential is written out (range reduction to [-ln2/2, ln2/2], then a polynomial, Cody & Waite 1980),
// so that a compiler turns the loop into SIMD and the weights depend neither on the C library nor on the
// device. Requires a compiler that fuses no product with a sum on its own (-ffp-contract=off, -fmad=false).
//
// The order of a sum: blocks of kSumBlock logits; in a block, logit i goes to lane i mod kSumLanes, each lane
// ascending from 0; the lanes of a block over a tree by halves (lane i takes lane i + 128, then i + 64, ...);
// the blocks ascending from 0. All in double. A GPU follows it with a thread for each lane. Thread: any; no
// state. Read next: sampling/softmax.h.
#pragma once

#include <cstdint>

// A function that nvcc compiles for the GPU, too.
#ifdef __CUDACC__
#define VITRINE_HOST_DEVICE __host__ __device__
#else
#define VITRINE_HOST_DEVICE
#endif

namespace vitrine {

inline constexpr int kSumBlock = 2048, kSumLanes = 256;

// exp(x) for x <= 0 to about two units in the last place; 0 below -87, where float32 runs out, and for NaN.
VITRINE_HOST_DEVICE inline float expOfNegative(float x) {
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23: adding it leaves the nearest integer in the low bits
  const float inside = x < -87.0f ? -87.0f : x;
  const float shifted = inside * 1.44269504f + kRound;
  const float n = shifted - kRound;
  const float r = (inside - n * 0.693359375f) + n * 2.12194440e-4f;  // ln 2 in two parts
  float poly = 1.0f / 5040;
  poly = poly * r + 1.0f / 720;
  poly = poly * r + 1.0f / 120;
  poly = poly * r + 1.0f / 24;
  poly = poly * r + 1.0f / 6;
  poly = poly * r + 0.5f;
  poly = poly * r + 1.0f;
  poly = poly * r + 1.0f;
  const std::uint32_t exponent = (__builtin_bit_cast(std::uint32_t, shifted) + 127u) << 23;
  const float result = poly * __builtin_bit_cast(float, exponent);
  return x >= -87.0f ? result : 0.0f;
}

}  // namespace vitrine
