// Values of JSON: what a conversation is before it is rendered.
#pragma once

#include <nlohmann/json.hpp>

#include "text/jinja/marked_text.h"
#include "text/jinja/value.h"

namespace vitrine::jinja {

// Every text and container in it gets the mark. A text that is not UTF-8 is repaired. Throws EngineError
// (kInvalidArgument) for a number that does not fit into 64 bits, and for more than 100 levels.
Value fromJson(const nlohmann::ordered_json& json, const Mark& mark = {});

}  // namespace vitrine::jinja
