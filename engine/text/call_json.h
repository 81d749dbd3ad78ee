// The JSON of calls: a tool's name and arguments in an object, and values of parameters that are text.
// Thread: pure functions. Read next: call_reader.h.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "vitrine/tool_call.h"

namespace vitrine {

// {"name", "arguments"}; Llama says "parameters". Some models write the arguments as text that is JSON.
// Nothing: the object is no call.
std::optional<ToolCall> callIn(const nlohmann::ordered_json& object);

struct CallPlaces {
  TextRange name, arguments;  // the values, as they are written; without arguments an empty range
};
// Of an object that callIn() reads as a call; it begins at this byte of the text.
CallPlaces placesInCall(std::string_view text, std::size_t begin);

// JSON, or Python's words for the three values that it spells otherwise.
std::optional<nlohmann::ordered_json> argumentIn(std::string_view text);
// Text, unless the tool's schema wants another type and it is that.
nlohmann::ordered_json typedArgument(std::string_view text, const std::vector<std::string>& types);
// Text, unless the tool's schema wants another type and it is JSON of any: what GLM writes that is no text.
nlohmann::ordered_json jsonArgument(std::string_view text, const std::vector<std::string>& types);

}  // namespace vitrine
