#include "scenarios/json_files.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "vitrine/files.h"
#include "vitrine/json_fault.h"

namespace vitrine {

std::string readFile(const std::filesystem::path& file) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  return readWholeFile(file, kMostBytes, InputKind::kFileOrPipe);
}

Json parseJson(std::string_view text) {
  // Json keeps the order of an object's members and looks through all of them for each new one.
  constexpr JsonBounds kBounds{.members = 256, .repeats = JsonBounds::Repeats::kRefused};
  if (const std::string fault = jsonFault(text, kBounds); !fault.empty()) throw UsageError(fault);
  return Json::parse(text);
}

Json parseJsonFile(const std::filesystem::path& file) {
  const std::string text = readFile(file);
  try {
    return parseJson(text);
  } catch (const UsageError& error) {
    throw UsageError(file.string() + ": " + error.what());
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
