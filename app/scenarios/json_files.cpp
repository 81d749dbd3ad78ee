#include "scenarios/json_files.h"

#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

namespace vitrine {

std::string readFile(const std::filesystem::path& file) {
  std::error_code failure;
  if (!std::filesystem::exists(file, failure))
    throw EngineError(ErrorCode::kFileNotFound, "there is no file " + file.string());
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!std::filesystem::is_directory(file, failure) && in) text << in.rdbuf();
  if (std::filesystem::is_directory(file, failure) || !in || in.bad())
    throw EngineError(ErrorCode::kFileUnreadable, "cannot read " + file.string());
  return text.str();
}

Json parseJsonFile(const std::filesystem::path& file) {
  try {
    return Json::parse(readFile(file));
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(file.string() + " is not JSON: " + error.what());
  }
}

int wholeNumber(const std::string& key, const Json& value) {
  if (!value.is_number_integer() || value < 0 || value > std::numeric_limits<int>::max())
    throw UsageError("\"" + key + "\" must be a whole number of 0 or more");
  return value.get<int>();
}

std::string stringValue(const std::string& key, const Json& value) {
  if (!value.is_string()) throw UsageError("\"" + key + "\" must be a string");
  return value.get<std::string>();
}

}  // namespace vitrine
