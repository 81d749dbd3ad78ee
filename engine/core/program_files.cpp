#include "vitrine/program_files.h"

#include <cstdlib>
#include <system_error>

namespace vitrine {
namespace {

namespace fs = std::filesystem;

// A link to the program may lie anywhere; the kernel names the file itself.
fs::path programFolder() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace

const char* version() { return VITRINE_VERSION; }

fs::path dataFolder(std::string_view name) {
  return (programFolder() / VITRINE_DATA_FROM_PROGRAMS / name).lexically_normal();
}

fs::path cacheFolder(std::string_view name) {
  // A relative path would depend on where this program was started.
  const auto named = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value != nullptr && fs::path(value).is_absolute() ? fs::path(value) : fs::path();
  };
  fs::path folder = named("XDG_CACHE_HOME");
  if (folder.empty() && !named("HOME").empty()) folder = named("HOME") / ".cache";
  return folder.empty() ? folder : folder / "vitrine" / name;
}

fs::path moduleFolder() { return (programFolder() / VITRINE_MODULES_FROM_PROGRAMS).lexically_normal(); }

}  // namespace vitrine
