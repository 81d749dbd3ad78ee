// The interface of the libtorch module, shared by its loader (torch_loader.cpp) and its entry
// (torch/torch_entry.cpp). How a module is found and loaded: vitrine/module.h.
#pragma once

namespace vitrine {

class Backend;

// A new backend, the caller's to delete. Throws EngineError.
using TorchModuleEntry = Backend* (*)(int threads, const char* attention);

constexpr const char* kTorchModuleEntry = "vitrineMakeTorchBackend";

}  // namespace vitrine
