// What CUDA's runtime answers, as this program's errors. Thread: any.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace vitrine::cuda {

// Throws EngineError: kOutOfMemory; kUnavailable without a driver or a GPU, for too old a driver, and with
// CUDA's words for all else. `doing` says what failed: "a copy to the GPU".
void check(cudaError_t result, const char* doing);
// An error of a launch, which has no result of its own.
void checkLaunch(const char* kernel);
// For an allocation: names its size and what is free.
void checkAllocation(cudaError_t result, std::int64_t bytes);

}  // namespace vitrine::cuda
