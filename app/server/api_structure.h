// What a request of OpenAI's or vLLM's API says of the form of its answer: response_format, vLLM's
// structured_outputs, and its older guided_json, guided_regex, guided_choice and guided_grammar.
//
// Thread: pure functions. Read next: api_plan.h; vitrine/request.h, which has what they become.
#pragma once

#include <string>

#include "server/api_error.h"
#include "vitrine/request.h"

namespace vitrine::server {

// Whether the field is one of these; its form is then in the request. Throws ApiError(400) naming the field.
// Whether a grammar or a schema itself is right, the engine says.
bool takeStructure(const std::string& key, const Json& value, Request& request);

}  // namespace vitrine::server
