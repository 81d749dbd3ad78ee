// The two symbols that torch_loader.cpp looks up.
#include "backends/torch/torch_backend.h"

extern "C" {

__attribute__((visibility("default"))) const char* vitrineModuleVersion() { return VITRINE_VERSION; }

__attribute__((visibility("default"))) vitrine::Backend* vitrineMakeTorchBackend(int threads,
                                                                                 const char* attention) {
  return new vitrine::torch_backend::TorchBackend(threads, attention);
}
}
