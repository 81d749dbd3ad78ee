// makeTorchBackend(): finds libvitrine_torch.so, loads it and asks it for a backend.
//
// A module, because linking libtorch would cost every program 0.4 s and 160 MB at its start. Once loaded it
// stays: libtorch's threads and registries do not survive being unloaded.
#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "backends/backend.h"
#include "backends/torch_module.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libvitrine_torch.so";
constexpr const char* kHint =
    "install libtorch (package libtorch-dev) and build again with -DVITRINE_TORCH=ON, or set "
    "VITRINE_MODULE_PATH "
    "to the folder of libvitrine_torch.so; without it, use --kernels native";

// In order: where the user says, beside the program as built and as installed, and the build's own folder for
// programs that lie elsewhere.
std::vector<fs::path> moduleFolders() {
  if (const char* given = std::getenv("VITRINE_MODULE_PATH"); given != nullptr && *given != '\0')
    return {given};
  std::vector<fs::path> folders;
  std::error_code ignored;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", ignored); !program.empty()) {
    const fs::path root = program.parent_path().parent_path();
    folders = {root / VITRINE_INSTALLED_MODULES, root / "lib"};
  }
  folders.emplace_back(VITRINE_BUILD_MODULES);
  return folders;
}

fs::path findModule() {
  std::string searched;
  for (const fs::path& folder : moduleFolders()) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / kFile, ignored)) return folder / kFile;
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  throw EngineError(ErrorCode::kUnavailable,
                    std::string("the reference kernels are not here: no ") + kFile + " in " + searched,
                    kHint);
}

template <class Function>
Function symbol(void* module, const char* name, const fs::path& file) {
  void* found = dlsym(module, name);
  if (found == nullptr)
    throw EngineError(ErrorCode::kUnavailable,
                      file.string() + " is not a module of Vitrine: it has no " + name, kHint);
  return reinterpret_cast<Function>(found);
}

}  // namespace

std::unique_ptr<Backend> makeTorchBackend(int threads) {
  const fs::path file = findModule();
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    const char* reason = dlerror();
    throw EngineError(
        ErrorCode::kUnavailable,
        "cannot load " + file.string() + ": " + (reason != nullptr ? reason : "no reason given"), kHint);
  }
  const std::string version = symbol<TorchModuleVersion>(module, kTorchModuleVersion, file)();
  if (version != VITRINE_VERSION)
    throw EngineError(ErrorCode::kUnavailable,
                      file.string() + " belongs to Vitrine " + version + ", this is " + VITRINE_VERSION,
                      kHint);
  return std::unique_ptr<Backend>(symbol<TorchModuleEntry>(module, kTorchModuleEntry, file)(threads));
}

}  // namespace vitrine
