#include "models/json_file.h"

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

}  // namespace vitrine
