#include "vitrine/module.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "vitrine/error.h"
#include "vitrine/program_files.h"

namespace vitrine {
namespace {

namespace fs = std::filesystem;

fs::path findFile(const char* fileName, const char* what, const char* hint) {
  const char* given = std::getenv("VITRINE_MODULE_PATH");
  const fs::path folder = given != nullptr && *given != '\0' ? fs::path(given) : moduleFolder();
  std::error_code ignored;
  if (fs::is_regular_file(folder / fileName, ignored)) return folder / fileName;
  throw EngineError(ErrorCode::kUnavailable,
                    std::string(what) + " not here: no " + fileName + " in " + folder.string(), hint);
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
  const std::string built = module.symbol<const char* (*)()>(kModuleVersion)();
  if (built != version())
    throw EngineError(ErrorCode::kUnavailable,
                      file.string() + " belongs to Vitrine " + built + ", this is " + version(), hint);
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
