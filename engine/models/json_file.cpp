#include "models/json_file.h"

#include <nlohmann/json.hpp>

#include "vitrine/error.h"
#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

[[noreturn]] void corrupt(std::string_view fileName, const std::string& what) {
  throw EngineError(ErrorCode::kFileCorrupt, std::string(fileName) + ": " + what,
                    "Download the model again, or repair the file.");
}

}  // namespace

nlohmann::json parseJsonObject(std::string_view text, std::string_view fileName) {
  const auto fail = [&](const std::string& fault) { corrupt(fileName, fault); };
  nlohmann::json parsed = readJson<nlohmann::json>(text, {}, fail);
  if (!parsed.is_object()) corrupt(fileName, "holds no JSON object");
  return parsed;
}

}  // namespace vitrine
