// What is asked of libvitrine_cuda.so, which is loaded for it: a backend, the GPU's name and its memory.
#include "backends/backend.h"
#include "backends/cuda_module.h"
#include "vitrine/module.h"

namespace vitrine {
namespace {

Module openModule() {
  return Module::open("libvitrine_cuda.so", "the kernels for an NVIDIA GPU are",
                      "in a source tree install the CUDA Toolkit (nvcc), then cmake --preset "
                      "release && cmake --build --preset "
                      "release; or set VITRINE_MODULE_PATH to the folder of "
                      "libvitrine_cuda.so; without it, use --device cpu");
}

}  // namespace

std::unique_ptr<Backend> makeCudaBackend(DType activations, const std::string& attention, Decoding decoding,
                                         BatchInvariance invariance) {
  return std::unique_ptr<Backend>(openModule().symbol<CudaModuleEntry>(kCudaModuleEntry)(
      activations, attention.c_str(), decoding, invariance));
}

std::string cudaName() {
  std::string name;
  openModule().symbol<CudaNameEntry>(kCudaNameEntry)(name);
  return name;
}

DeviceMemory cudaMemory() {
  DeviceMemory memory;
  openModule().symbol<CudaMemoryEntry>(kCudaMemoryEntry)(memory);
  return memory;
}

}  // namespace vitrine
