// Copies for measuring what the memory of a GPU delivers (gpu_roof.cpp).
#include "backends/cuda/launch.h"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = 512, kBlocksOfOne = 4, kAtOnce = 4;

// Each thread has several reads under way before it writes: as many bytes in flight as latencies ask for.
__global__ void __launch_bounds__(kThreads)
    copyKernel(const uint4* from, uint4* to, std::int64_t count, int times) {
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  for (int time = 0; time < times; ++time) {
    std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
    for (; i + (kAtOnce - 1) * step < count; i += kAtOnce * step) {
      uint4 read[kAtOnce];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) read[k] = from[i + k * step];
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) to[i + k * step] = read[k];
    }
    for (; i < count; i += step) to[i] = from[i];
  }
}

}  // namespace

void copyRepeatedly(const void* from, void* to, std::int64_t bytes, int times, const Gpu& gpu,
                    const Queue& queue) {
  copyKernel<<<static_cast<unsigned>(gpu.multiprocessors * kBlocksOfOne), kThreads, 0, queue.stream>>>(
      static_cast<const uint4*>(from), static_cast<uint4*>(to),
      bytes / static_cast<std::int64_t>(sizeof(uint4)), times);
}

}  // namespace vitrine::cuda
