// The door of the libtorch module: what its loader (torch_loader.cpp) and its inside (torch/module.cpp) agree
// on.
//
// Two C symbols. The version must be the program's own, since Backend's table of functions is shared.
#pragma once

namespace vitrine {

class Backend;

using TorchModuleVersion = const char* (*)();
// A new backend, the caller's to delete. Throws EngineError.
using TorchModuleEntry = Backend* (*)(int threads);

constexpr const char* kTorchModuleVersion = "vitrineTorchModuleVersion";
constexpr const char* kTorchModuleEntry = "vitrineMakeTorchBackend";

}  // namespace vitrine
