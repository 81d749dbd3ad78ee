// Scenarios: a small JSON file with an experiment, which vitrine-cli and the window run in the same way:
//
//   {"title", "about", "model": a folder beside the file, "options": {the engine's, in snake_case},
//    "requests": [{as a line for `run`, "arrival_step" included}],
//    "commands": [{"step", "cancel": a request}],
//    "look_at": [{"words", "panel", "event", "request", "with": {a field of the event: its value}}]}
//
// Read next: timetable.h, expectations.h, resources/scenarios/.
#pragma once

#include "scenarios/expectations.h"
#include "scenarios/timetable.h"
#include "vitrine/files.h"

namespace vitrine {

struct Scenario {
  std::string name, title, about;
  int order = 0;  // its position in the course
  EngineArguments engine;
  std::vector<RequestLine> requests;
  std::vector<Command> commands;
  std::vector<LookAt> lookAt;
};

// Throws UsageError with the name of the key, EngineError(kFileNotFound) with the names of all scenarios. A
// pipe (`kind`) is waited for, so the window asks for a file.
Scenario readScenario(const std::string& nameOrFile, InputKind kind = InputKind::kFileOrPipe);

// The scenarios that ship with Vitrine, in the order of the course; those that cannot be read come last.
std::vector<std::string> shippedScenarioNames();

}  // namespace vitrine
