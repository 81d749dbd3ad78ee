#include "common/json_files.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>

#include "vitrine/json_reader.h"

namespace vitrine {

std::string readFile(const std::filesystem::path& file, InputKind kind) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  return readWholeFile(file, kMostBytes, kind);
}

Json parseJson(std::string_view text, bool keepsDigits) {
  // Json keeps an object's members in order, and looks through all of them for each new one.
  const JsonBounds bounds{
      .members = 256, .repeats = JsonBounds::Repeats::kRefused, .keepsDigits = keepsDigits};
  return readJson<Json>(text, bounds, [](const std::string& fault) { throw UsageError(fault); });
}

Json parseJsonFile(const std::filesystem::path& file, InputKind kind) {
  const std::string text = readFile(file, kind);
  try {
    return parseJson(text);
  } catch (const UsageError& error) {
    throw error.at(file.string() + ": ");
  }
}

std::string asKeys(std::string_view message) {
  std::string text;
  for (std::size_t at = 0; at < message.size(); ++at) {
    const bool begins = at == 0 || message[at - 1] == ' ';
    const std::size_t name = message.find_first_not_of('-', at);
    if (!begins || message[at] != '-' || name == std::string_view::npos ||
        !std::islower(static_cast<unsigned char>(message[name]))) {
      text += message[at];
      continue;
    }
    std::size_t end = name;
    while (end < message.size() &&
           (std::islower(static_cast<unsigned char>(message[end])) || message[end] == '-'))
      ++end;
    std::string key(message.substr(name, end - name));
    std::ranges::replace(key, '-', '_');
    text += '"' + key + '"';
    at = end - 1;
  }
  return text;
}

int wholeNumber(const std::string& key, const Json& value) {
  if (!value.is_number_integer() || value < 0 || value > std::numeric_limits<int>::max())
    throw UsageError("\"" + key + "\" must be a whole number from 0 to " +
                     std::to_string(std::numeric_limits<int>::max()));
  return value.get<int>();
}

std::string stringValue(const std::string& key, const Json& value) {
  if (!value.is_string()) throw UsageError("\"" + key + "\" must be a string");
  return value.get<std::string>();
}

}  // namespace vitrine
