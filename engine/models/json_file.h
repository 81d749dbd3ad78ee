// The JSON of model files, read with its bounds. Errors name the file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "vitrine/message_text.h"

namespace vitrine {

// The object in `text`. Throws EngineError(kFileCorrupt) for a text that is not JSON, not within the default
// JsonBounds, or not an object.
nlohmann::json parseJsonObject(std::string_view text, std::string_view fileName);

}  // namespace vitrine
