// The interface of the CUDA module, shared by its loader (cuda_loader.cpp) and its entry
// (cuda/cuda_entry.cpp). How a module is found and loaded: vitrine/module.h.
#pragma once

#include <string>

#include "core/tensor.h"
#include "vitrine/devices.h"
#include "vitrine/options.h"

namespace vitrine {

class Backend;

// A new backend, the caller's to delete. Throws EngineError.
using CudaModuleEntry = Backend* (*)(DType activations, const char* attention, Decoding decoding,
                                     BatchInvariance invariance);

constexpr const char* kCudaModuleEntry = "vitrineMakeCudaBackend";

// Of the GPU on which such a backend would compute. Throw EngineError.
using CudaNameEntry = void (*)(std::string& name);
using CudaMemoryEntry = void (*)(DeviceMemory& memory);

constexpr const char* kCudaNameEntry = "vitrineCudaName";
constexpr const char* kCudaMemoryEntry = "vitrineCudaMemory";

}  // namespace vitrine
