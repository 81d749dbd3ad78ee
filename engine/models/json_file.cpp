#include "models/json_file.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "vitrine/error.h"

namespace vitrine {
namespace {

[[noreturn]] void corrupt(std::string_view fileName, const std::string& what) {
  throw EngineError(ErrorCode::kFileCorrupt, std::string(fileName) + ": " + what,
                    "Download the model again, or repair the file.");
}

}  // namespace

std::string readSmallFile(const std::filesystem::path& path, std::size_t maxBytes) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status))
    throw EngineError(ErrorCode::kFileNotFound, path.string() + " does not exist",
                      "Point --model at a Hugging Face model directory.");
  if (!std::filesystem::is_regular_file(status))
    throw EngineError(ErrorCode::kFileUnreadable, path.string() + " is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw EngineError(ErrorCode::kFileUnreadable, path.string() + " cannot be opened",
                      "Check its permissions.");
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > maxBytes)
    corrupt(path.string(), "longer than the " + std::to_string(maxBytes) + " bytes such a file may have");
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!file) throw EngineError(ErrorCode::kFileUnreadable, path.string() + " cannot be read");
  return text;
}

nlohmann::json parseJsonObject(std::string_view text, std::string_view fileName) {
  using nlohmann::json;
  std::set<std::string> topLevel;
  const auto guard = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > kMaxJsonDepth) corrupt(fileName, "nested deeper than " + std::to_string(kMaxJsonDepth));
    if (event == json::parse_event_t::key && depth == 1 && !topLevel.insert(value.get<std::string>()).second)
      corrupt(fileName, "\"" + forMessage(value.get<std::string>()) + "\" stands there twice");
    return true;
  };
  json parsed;
  try {
    parsed = json::parse(text.begin(), text.end(), guard);
  } catch (const json::exception& error) {
    std::string what = forMessage(error.what());
    for (char& c : what)
      if (static_cast<unsigned char>(c) > 0x7f) c = '?';  // it may quote bytes that are no UTF-8
    corrupt(fileName, "no valid JSON: " + what);
  }
  if (!parsed.is_object()) corrupt(fileName, "holds no JSON object");
  return parsed;
}

std::string forMessage(std::string_view name) {
  constexpr std::size_t kLongest = 160;
  std::size_t length = std::min(name.size(), kLongest);
  while (length < name.size() && length > 0 && (name[length] & 0xc0) == 0x80) --length;  // whole characters
  std::string shown(name.substr(0, length));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return length < name.size() ? shown + "..." : shown;
}

}  // namespace vitrine
