// Keys and values as int8 codes: what the cache keeps of a head, and the numbers that attention makes of it.
//
// A number x becomes the code round(x / scale), with scale = max |x| / 127 over the head (KvCacheShape in
// backend.h), by the arithmetic of the CPU backend, to the bit. Attention reads code times scale, a float32
// product rounded to the type of the activations, of a token's own key and value as of earlier ones: what a
// token sees does not depend on whether it was stored by this step.
#pragma once

#include "backends/cuda/elements.cuh"
#include "backends/cuda/launch.h"
#include "backends/cuda/reduce.cuh"

namespace vitrine::cuda {

using Code = std::int8_t;

// Of a head whose largest number, without its sign, is known. One with a number that is not finite gets NaN
// as its scale, so that tokens that see it become NaN, as with numbers.
struct Rounding {
  float inverse = 0, scale = 0;

  __device__ Rounding(float largest, bool isFinite) {
    if (isFinite && largest > 0) inverse = 127.0f / largest;
    // A largest so small that its inverse overflows is nothing beside any other token's.
    if (isinf(inverse)) inverse = 0;
    if (inverse > 0) scale = largest / 127.0f;
    if (!isFinite) scale = NAN;
  }
  // Ties to even.
  __device__ Code operator()(float x) const {
    return inverse > 0 ? static_cast<Code>(__float2int_rn(x * inverse)) : Code{0};
  }
};

// A head of at most `most` numbers as codes, by a warp: calls read(i, j) for number i, which is the lane's
// j-th, and then write(i, code). Returns the scale.
template <int most, class Read, class Write>
__device__ float quantizeHead(int headDim, const Read& read, const Write& write) {
  constexpr int kEach = most / kWarp;
  static_assert(most % kWarp == 0);
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  float numbers[kEach], largest = 0;
  bool isFinite = true;
#pragma unroll
  for (int j = 0; j < kEach; ++j) {
    const int i = lane + j * kWarp;
    numbers[j] = i < headDim ? read(i, j) : 0;
    largest = fmaxf(largest, fabsf(numbers[j]));
    isFinite = isFinite && fabsf(numbers[j]) < INFINITY;
  }
  const Rounding rounding(warpMax(largest), __all_sync(~0u, isFinite));
#pragma unroll
  for (int j = 0; j < kEach; ++j)
    if (lane + j * kWarp < headDim) write(lane + j * kWarp, rounding(numbers[j]));
  return rounding.scale;
}

// The same into the cache, for the slot block * blockSize + place.
template <int most, class Read>
__device__ void storeCodes(const PagedKv& cache, int slot, int layer, int which, int head, const Read& read) {
  const int block = slot / cache.blockSize, place = slot % cache.blockSize;
  char* const data = static_cast<char*>(cache.data);
  auto* const codes = reinterpret_cast<Code*>(data + cache.codesAt(block, layer, which, head)) +
                      std::int64_t{place} * cache.headDim;
  const float scale = quantizeHead<most>(cache.headDim, read, [&](int i, Code code) { codes[i] = code; });
  if (threadIdx.x % kWarp == 0)
    reinterpret_cast<float*>(data + cache.scalesAt(block, layer, which, head))[place] = scale;
}

// What attention reads.
template <class T>
__device__ T numberOf(Code code, float scale) {
  return fromFloat<T>(static_cast<float>(code) * scale);
}
// Four codes as floats. 2^23, whose last place is 1, plus code + 128; from that 2^23 + 128 is taken away.
__device__ inline void codesToFloats(unsigned codes, float (&to)[4]) {
  constexpr unsigned k2To23 = 0x4B000000, kSigns = 0x80808080;
#pragma unroll
  for (unsigned i = 0; i < 4; ++i)
    to[i] = __uint_as_float(__byte_perm(codes ^ kSigns, k2To23, 0x7650 + i)) - 8388736.0f;
}

// Calls `work` with a value of the type that the cache keeps: that of the activations, or codes.
template <class T, class Work>
void withStored(const PagedKv& cache, const Work& work) {
  if (cache.hasCodes)
    work(Code{});
  else
    work(T{});
}

}  // namespace vitrine::cuda
