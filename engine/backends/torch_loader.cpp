// makeTorchBackend(): loads libvitrine_torch.so and asks it for a backend. Once loaded it stays: libtorch's
// threads and registries do not survive being unloaded.
#include "backends/backend.h"
#include "backends/torch_module.h"
#include "vitrine/module.h"

namespace vitrine {

std::unique_ptr<Backend> makeTorchBackend(int threads, const std::string& attention) {
  const Module module = Module::open(
      "libvitrine_torch.so", "the reference kernels are",
      "install the package vitrine-reference; in a source tree run packaging/install reference (it brings "
      "libtorch-dev), then cmake --preset release && cmake --build --preset release; or set "
      "VITRINE_MODULE_PATH to "
      "the folder of libvitrine_torch.so; without it, use --kernels native");
  return std::unique_ptr<Backend>(
      module.symbol<TorchModuleEntry>(kTorchModuleEntry)(threads, attention.c_str()));
}

}  // namespace vitrine
