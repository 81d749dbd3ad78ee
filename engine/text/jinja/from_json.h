// Values of JSON: what a conversation is before it is rendered.
#pragma once

#include <nlohmann/json.hpp>

#include "text/jinja/marked_text.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

// Every text and container in it gets the mark. A text that is not UTF-8 is repaired. A tree that was read
// with JsonBounds::keepsDigits has whole numbers of any size. Throws EngineError(kInvalidArgument) for more
// than 100 levels.
Value fromJson(const nlohmann::ordered_json& json, const Mark& mark = {});

}  // namespace vitrine::jinja
