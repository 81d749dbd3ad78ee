// A scenario as the text of a file, and as a command line that plays it.
//
// Thread: values. Read next: scenario.h, which reads the file.
#pragma once

#include <filesystem>
#include <string>

#include "scenarios/scenario.h"

namespace vitrine {

// What readScenario() reads as the same scenario, `name` aside. A request, a command and an expected event
// have a line each.
std::string scenarioToText(const Scenario& scenario);

// Throws EngineError(kIo). The file is written whole or not at all.
void writeScenario(const Scenario& scenario, const std::filesystem::path& file);

// A command for a POSIX shell that gives each request the same tokens: `vitrine-cli run` with the engine's
// options as words and the requests in a here-document. Commands need the whole file there, since a request
// line has none.
std::string commandOf(const Scenario& scenario);

}  // namespace vitrine
