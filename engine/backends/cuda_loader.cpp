// makeCudaBackend(): loads libvitrine_cuda.so and asks it for a backend.
#include "backends/backend.h"
#include "backends/cuda_module.h"
#include "core/module.h"

namespace vitrine {

std::unique_ptr<Backend> makeCudaBackend(DType activations, const std::string& attention) {
  const Module module = Module::open("libvitrine_cuda.so", "the kernels for an NVIDIA GPU are",
                                     "in a source tree install the CUDA Toolkit (nvcc), then cmake --preset "
                                     "release && cmake --build --preset "
                                     "release; or set VITRINE_MODULE_PATH to the folder of "
                                     "libvitrine_cuda.so; without it, use --device cpu");
  return std::unique_ptr<Backend>(
      module.symbol<CudaModuleEntry>(kCudaModuleEntry)(activations, attention.c_str()));
}

}  // namespace vitrine
