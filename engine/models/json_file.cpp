#include "models/json_file.h"

#include <algorithm>

#include "core/bounded_json.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

[[noreturn]] void corrupt(std::string_view fileName, const std::string& what) {
  throw EngineError(ErrorCode::kFileCorrupt, std::string(fileName) + ": " + what,
                    "Download the model again, or repair the file.");
}

}  // namespace

nlohmann::json parseJsonObject(std::string_view text, std::string_view fileName) {
  const auto fail = [&](const std::string& fault) { corrupt(fileName, fault); };
  nlohmann::json parsed = parseBoundedJson<nlohmann::json>(text, {.depth = kMaxJsonDepth}, fail);
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
