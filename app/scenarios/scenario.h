// Scenarios: a small JSON file with an experiment, which vitrine-cli and the window run in the same way:
//
//   {"title", "about", "group", "order", "model": a folder beside the file, "options": {the engine's, in
//   snake_case},
//    "requests": [{as a line for `run`, "arrival_step" included}],
//    "commands": [{"step", "cancel": a request}],
//    "look_at": [{"words", "panel", "event", "request", "with": {a field of the event: its value}}],
//    "in": {a language, "zh_CN": {"title", "about", "look_at": [the words of each]}}}
//
// Read next: timetable.h, expectations.h, resources/scenarios/.
#pragma once

#include "scenarios/expectations.h"
#include "scenarios/timetable.h"
#include "vitrine/files.h"
#include "vitrine/names.h"

namespace vitrine {

// What a scenario is about: the sections of the course, in its order.
enum class ScenarioGroup {
  kFirstSteps,
  kBatching,
  kMemory,
  kSharing,
  kOrder,
  kAnswers,
  kSpeculation,
  kOther
};
VITRINE_NAMES(ScenarioGroup, "first steps", "batching", "memory", "sharing", "order", "answers",
              "speculation", "other");

struct Scenario {
  std::string name, title, about;
  ScenarioGroup group = ScenarioGroup::kOther;
  int order = 0;  // its position in the course
  EngineArguments engine;
  std::vector<RequestLine> requests;
  std::vector<Command> commands;
  std::vector<ExpectedEvent> expected;
};

// Throws UsageError with the name of the key, EngineError(kFileNotFound) with the names of all scenarios. A
// pipe (`kind`) is waited for, so the window asks for a file. Its texts are those of the language where it
// has them.
Scenario readScenario(const std::string& nameOrFile, InputKind kind = InputKind::kFileOrPipe,
                      const std::string& language = {});

// Whether a text is an experiment, well written or not: a JSON object with requests. Never throws.
bool looksLikeScenario(std::string_view text);

// Requires requests, gives names to those without one, and requires that names differ and that commands and
// expected events refer to them. Throws UsageError.
void checkScenario(Scenario& scenario);

// The scenarios that ship with Vitrine, in the order of the course; those that cannot be read come last.
std::vector<std::string> shippedScenarioNames();

}  // namespace vitrine
