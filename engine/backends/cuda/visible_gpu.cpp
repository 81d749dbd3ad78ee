#include "backends/cuda/visible_gpu.h"

#include "backends/cuda/cuda_errors.h"
#include "backends/cuda/device_memory.h"
#include "vitrine/error.h"

namespace vitrine::cuda {

cudaDeviceProp visibleGpu() {
  constexpr int kOldest = 75;
  int device = 0;
  cudaDeviceProp gpu;
  check(cudaGetDevice(&device), "a look for a GPU");
  check(cudaGetDeviceProperties(&gpu, device), "a look for a GPU");
  if (gpu.major * 10 + gpu.minor < kOldest)
    throw EngineError(ErrorCode::kUnavailable, capabilityOf(gpu) + ", and the kernels need 7.5",
                      "choose --device cpu");
  return gpu;
}

std::string capabilityOf(const cudaDeviceProp& gpu) {
  return std::string(gpu.name) + " has compute capability " + std::to_string(gpu.major) + "." +
         std::to_string(gpu.minor);
}

DeviceMemory memoryOfGpu() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "a look at its memory");
  const HeldMemory held = heldMemory();
  return {static_cast<std::int64_t>(total), static_cast<std::int64_t>(free), held.bytes, held.peak};
}

}  // namespace vitrine::cuda
