#include "scenario.h"

#include <algorithm>

namespace vitrine::cli {
namespace {

// Beside an installed program, or in the source tree it was built from.
std::vector<std::filesystem::path> scenarioFolders() {
  std::error_code failure;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", failure);
  return {program.parent_path().parent_path() / "share/vitrine/scenarios",
          std::filesystem::path(VITRINE_SOURCE_SCENARIOS)};
}

std::string shippedNames() {
  std::vector<std::string> names;
  for (const auto& folder : scenarioFolders()) {
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failure))
      if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "none" : list;
}

std::filesystem::path find(const std::string& nameOrFile) {
  std::error_code failure;
  if (nameOrFile.find('/') == std::string::npos)
    for (const auto& folder : scenarioFolders())
      if (const auto file = folder / (nameOrFile + ".json"); std::filesystem::exists(file, failure))
        return file;
  if (std::filesystem::exists(nameOrFile, failure)) return nameOrFile;
  throw EngineError(ErrorCode::kFileNotFound, "there is no scenario " + nameOrFile,
                    "Scenarios known by name: " + shippedNames() + ".");
}

void readOptions(const Json& json, EngineArguments& engine) {
  if (!json.is_object()) throw UsageError("\"options\" must be an object");
  for (const auto& [key, value] : json.items())
    if (!takeEngineKey(engine, key, value)) throw UsageError("unknown engine option \"" + key + "\"");
}

void readRequests(const Json& json, std::vector<RequestLine>& requests) {
  if (!json.is_array() || json.empty()) throw UsageError("\"requests\" must be a list of requests");
  for (const Json& item : json) {
    const std::string place = "request " + std::to_string(requests.size() + 1) + ": ";
    try {
      requests.push_back(requestFromJson(item));
    } catch (const UsageError& error) {
      throw UsageError(place + error.what());
    }
  }
}

}  // namespace

Scenario readScenario(const std::string& nameOrFile) {
  const std::filesystem::path file = find(nameOrFile);
  const Json json = parseJsonFile(file);
  Scenario scenario;
  try {
    if (!json.is_object()) throw UsageError("a scenario must be a JSON object");
    for (const auto& [key, value] : json.items()) {
      if (key == "model" && value.is_string())
        scenario.engine.model = (file.parent_path() / value.get<std::string>()).string();
      else if (key == "options")
        readOptions(value, scenario.engine);
      else if (key == "requests")
        readRequests(value, scenario.requests);
      else if ((key != "title" && key != "about") || !value.is_string())
        throw UsageError("unknown key \"" + key + "\", or not a string");
    }
    if (scenario.requests.empty()) throw UsageError("\"requests\" is missing");
  } catch (const UsageError& error) {
    throw UsageError(file.string() + ": " + error.what());
  }
  return scenario;
}

}  // namespace vitrine::cli
