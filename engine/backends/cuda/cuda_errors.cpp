#include "backends/cuda/cuda_errors.h"

#include <string>

#include "vitrine/error.h"

namespace vitrine::cuda {
namespace {

std::string mebibytes(std::size_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

void check(cudaError_t result, const char* doing) {
  switch (result) {
    case cudaSuccess:
      return;
    case cudaErrorNoDevice:
      throw EngineError(ErrorCode::kUnavailable, "this machine shows no NVIDIA GPU",
                        "choose --device cpu; a GPU that is there may be hidden by CUDA_VISIBLE_DEVICES");
    case cudaErrorInsufficientDriver:
      throw EngineError(ErrorCode::kUnavailable,
                        "the NVIDIA driver is missing, or too old for CUDA " +
                            std::to_string(CUDART_VERSION / 1000) + "." +
                            std::to_string(CUDART_VERSION % 1000 / 10),
                        "install a newer driver, or choose --device cpu");
    case cudaErrorNoKernelImageForDevice:
      throw EngineError(ErrorCode::kUnavailable, "the kernels were not built for this GPU",
                        "build with -D VITRINE_CUDA_ARCHITECTURES=native, or choose --device cpu");
    case cudaErrorMemoryAllocation:
      throw EngineError(ErrorCode::kOutOfMemory, std::string("the GPU ran out of memory at ") + doing,
                        "use a smaller KV pool (--kv-memory) or a smaller model");
    default:
      throw EngineError(ErrorCode::kUnavailable,
                        std::string("the GPU failed at ") + doing + ": " + cudaGetErrorString(result),
                        "choose --device cpu");
  }
}

void checkLaunch(const char* kernel) { check(cudaGetLastError(), kernel); }

void checkAllocation(cudaError_t result, std::int64_t bytes) {
  if (result != cudaErrorMemoryAllocation) return check(result, "an allocation");
  cudaGetLastError();  // it is told here, and must not be found by the next launch
  std::size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  throw EngineError(
      ErrorCode::kOutOfMemory,
      "the GPU has " + mebibytes(free) + " free of " + mebibytes(total) + ", and " +
          mebibytes(static_cast<std::size_t>(bytes)) + " more are needed",
      "use a smaller KV pool (--kv-memory) or a smaller model, or close what else uses the GPU");
}

}  // namespace vitrine::cuda
