// The JSON of model files, read with its bounds. Errors name the file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "vitrine/message_text.h"

namespace vitrine {

inline constexpr int kMaxJsonDepth = 32;

// The object `text` holds. Throws EngineError(kFileCorrupt) for what is no JSON, no object, nested deeper
// than kMaxJsonDepth, or has the same top-level key twice (readers would disagree which one counts).
nlohmann::json parseJsonObject(std::string_view text, std::string_view fileName);

}  // namespace vitrine
