// The interface of the CUDA module, shared by its loader (cuda_loader.cpp) and its entry
// (cuda/cuda_entry.cpp). How a module is found and loaded: core/module.h.
#pragma once

#include "core/tensor.h"

namespace vitrine {

class Backend;

// A new backend, the caller's to delete. Throws EngineError.
using CudaModuleEntry = Backend* (*)(DType activations, const char* attention);

constexpr const char* kCudaModuleEntry = "vitrineMakeCudaBackend";

}  // namespace vitrine
