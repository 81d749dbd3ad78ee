// ShippedFiles: the files of one kind that come with the program, by the names that commands and links call
// them by.
//
// Thread: a value. Read next: vitrine/program_files.h.
#pragma once

#include <algorithm>
#include <exception>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace vitrine {

// "a, b"; "none" for no names.
std::string listed(const auto& names) {
  std::string list;
  for (const auto& name : names) list += (list.empty() ? "" : ", ") + std::string(name);
  return list.empty() ? "none" : list;
}

class ShippedFiles {
 public:
  // Reads the names in a folder of the program's data. `kind` is their word in messages: "scenario".
  ShippedFiles(const std::string& folder, const std::string& ending, std::string kind);

  // The file of a shipped name, or else the file that is called so. Throws EngineError(kFileNotFound) with
  // all names.
  std::filesystem::path find(const std::string& nameOrFile) const;
  // The same of a shipped name alone.
  std::filesystem::path shipped(const std::string& name) const;

  // By orderOf(name); those for which it throws come last.
  template <class OrderOf>
  std::vector<std::string> inOrder(const OrderOf& orderOf) const {
    std::vector<std::pair<int, std::string>> places;
    for (const auto& [name, file] : m_files) {
      try {
        places.emplace_back(orderOf(name), name);
      } catch (const std::exception&) {
        places.emplace_back(std::numeric_limits<int>::max(), name);
      }
    }
    std::ranges::sort(places);
    std::vector<std::string> names;
    for (auto& [order, name] : places) names.push_back(std::move(name));
    return names;
  }

 private:
  [[noreturn]] void refuse(const std::string& name) const;

  const std::string m_kind;
  std::map<std::string, std::filesystem::path> m_files;  // by name
};

}  // namespace vitrine
