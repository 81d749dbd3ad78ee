// The symbols that cuda_loader.cpp looks up.
#include "backends/cuda/cuda_backend.h"
#include "backends/cuda/visible_gpu.h"
#include "backends/cuda_module.h"

extern "C" {

__attribute__((visibility("default"))) const char* vitrineModuleVersion() { return VITRINE_VERSION; }

__attribute__((visibility("default"))) vitrine::Backend* vitrineMakeCudaBackend(
    vitrine::DType activations, const char* attention, vitrine::Decoding decoding,
    vitrine::BatchInvariance invariance) {
  return new vitrine::cuda::CudaBackend(activations, attention, decoding, invariance);
}

__attribute__((visibility("default"))) void vitrineCudaName(std::string& name) {
  name = vitrine::cuda::visibleGpu().name;
}

__attribute__((visibility("default"))) void vitrineCudaMemory(vitrine::DeviceMemory& memory) {
  memory = vitrine::cuda::memoryOfGpu();
}
}
