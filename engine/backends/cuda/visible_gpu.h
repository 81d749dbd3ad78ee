// The GPU on which a backend computes: the first one that is visible. Thread: any.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "vitrine/devices.h"

namespace vitrine::cuda {

// Throws EngineError(kUnavailable) without a driver or a GPU, and for a GPU that the kernels are not for.
cudaDeviceProp visibleGpu();

// "NVIDIA T4 has compute capability 7.5".
std::string capabilityOf(const cudaDeviceProp& gpu);

// With what allocateDevice() holds in this process. Throws EngineError(kUnavailable) where CUDA answers no
// more.
DeviceMemory memoryOfGpu();

}  // namespace vitrine::cuda
