#include "vitrine/program_files.h"

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

fs::path moduleFolder() { return (programFolder() / VITRINE_MODULES_FROM_PROGRAMS).lexically_normal(); }

}  // namespace vitrine
