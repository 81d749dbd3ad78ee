#include "formats/model_path.h"

#include <string_view>
#include <system_error>

#include "vitrine/files.h"

namespace vitrine {

namespace fs = std::filesystem;

fs::path plainPath(const fs::path& path) {
  std::error_code error;  // of an empty path, and where the present folder is gone
  const fs::path whole = fs::absolute(path, error);
  const fs::path plain = (error ? path : whole).lexically_normal();
  return plain.has_filename() ? plain : plain.parent_path();
}

std::string repositoryOf(const fs::path& folder) {
  constexpr std::string_view kPrefix = "models--";
  std::string name = folder.filename().string();
  if (!name.starts_with(kPrefix)) return {};
  name.erase(0, kPrefix.size());
  for (std::size_t at = 0; (at = name.find("--", at)) != std::string::npos;) name.replace(at, 2, "/");
  return name;
}

std::string mainOf(const fs::path& repository) {
  constexpr std::size_t kMostBytes = 1024;
  const fs::path main = repository / "refs" / "main";
  if (!isThere(main)) return {};
  std::string commit = readWholeFile(main, kMostBytes);
  commit.erase(commit.find_last_not_of(" \t\r\n") + 1);
  return commit;
}

}  // namespace vitrine
