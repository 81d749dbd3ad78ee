#include "core/module.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "vitrine/error.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

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

fs::path findFile(const char* fileName, const char* what, const char* hint) {
  std::string searched;
  for (const fs::path& folder : moduleFolders()) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / fileName, ignored)) return folder / fileName;
    searched += (searched.empty() ? "" : ", ") + folder.string();
  }
  throw EngineError(ErrorCode::kUnavailable,
                    std::string(what) + " not here: no " + fileName + " in " + searched, hint);
}

}  // namespace

Module Module::open(const char* fileName, const char* what, const char* hint) {
  const fs::path file = findFile(fileName, what, hint);
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    const char* reason = dlerror();
    throw EngineError(
        ErrorCode::kUnavailable,
        "cannot load " + file.string() + ": " + (reason != nullptr ? reason : "no reason given"), hint);
  }
  Module module(handle, file.string(), hint);
  const std::string version = module.symbol<const char* (*)()>(kModuleVersion)();
  if (version != VITRINE_VERSION)
    throw EngineError(ErrorCode::kUnavailable,
                      file.string() + " belongs to Vitrine " + version + ", this is " + VITRINE_VERSION,
                      hint);
  return module;
}

void* Module::find(const char* name) const {
  void* found = dlsym(m_handle, name);
  if (found == nullptr)
    throw EngineError(ErrorCode::kUnavailable,
                      m_path + " is not a module of Vitrine: it has no " + std::string(name), m_hint);
  return found;
}

}  // namespace vitrine
