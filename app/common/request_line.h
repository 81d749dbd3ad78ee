// A request as files write it: {"id", "prompt", "token_ids" or "messages", "output_ids", "tools",
// "arrival_step", and any option in snake_case}.
#pragma once

#include "common/arguments.h"

namespace vitrine {

struct RequestLine {
  RequestArguments arguments;
  int arrivalStep = 0;
};

// One line of a requests file, or one request of a scenario. Throws UsageError that names the key.
RequestLine requestFromJson(const Json& json);

}  // namespace vitrine
