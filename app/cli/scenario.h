// Scenarios: a small JSON file with an engine's options and requests, {"model", "options": {..}, "requests":
// [..]}; the requests are written as for `run`. Those that ship with Vitrine are known by name. Read next:
// scenario.cpp.
#pragma once

#include "requests.h"

namespace vitrine::cli {

struct Scenario {
  EngineArguments engine;
  std::vector<RequestLine> requests;
};

// Throws UsageError that names the key, EngineError(kFileNotFound) with the names there are.
Scenario readScenario(const std::string& nameOrFile);

}  // namespace vitrine::cli
