// Sums and maxima over the threads of a warp or of a block, in one order.
#pragma once

namespace vitrine::cuda {

inline constexpr int kWarp = 32;

// Every lane gets the result: partners at distance 16, 8, 4, 2, 1, so all add the same pairs.
__device__ inline float warpSum(float x) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) x += __shfl_xor_sync(~0u, x, distance);
  return x;
}
__device__ inline float warpMax(float x) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, distance));
  return x;
}

// Every thread gets the sum over the block's warps, added in their order.
template <int warps>
__device__ float blockSum(float x) {
  __shared__ float sums[warps];
  x = warpSum(x);
  if (threadIdx.x % kWarp == 0) sums[threadIdx.x / kWarp] = x;
  __syncthreads();
  float sum = 0;
  for (int warp = 0; warp < warps; ++warp) sum += sums[warp];
  return sum;
}

}  // namespace vitrine::cuda
