#include "common/shipped_files.h"

#include <cctype>

#include "vitrine/error.h"
#include "vitrine/files.h"
#include "vitrine/message_text.h"
#include "vitrine/program_files.h"

namespace vitrine {

ShippedFiles::ShippedFiles(const std::string& folder, const std::string& ending, std::string kind)
    : m_kind(std::move(kind)) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(dataFolder(folder), failure))
    if (entry.path().extension() == ending) m_files.emplace(entry.path().stem().string(), entry.path());
}

std::filesystem::path ShippedFiles::find(const std::string& nameOrFile) const {
  const std::filesystem::path file = nameOrFile;
  return !m_files.contains(nameOrFile) && isThere(file) ? file : shipped(nameOrFile);
}

std::filesystem::path ShippedFiles::shipped(const std::string& name) const {
  const auto found = m_files.find(name);
  if (found == m_files.end()) refuse(name);
  return found->second;
}

void ShippedFiles::refuse(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& [known, file] : m_files) names.push_back(known);
  std::string kinds = m_kind + "s";
  kinds.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(kinds.front())));
  throw EngineError(ErrorCode::kFileNotFound, "there is no " + m_kind + " " + forMessage(name),
                    kinds + " known by name: " + listed(names) + ".");
}

}  // namespace vitrine
