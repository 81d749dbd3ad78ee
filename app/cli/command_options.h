// The shared options of a request and of the engine (scenarios/option_tables.h) declared for a command.
#pragma once

#include <functional>

#include "program.h"
#include "scenarios/option_tables.h"

namespace vitrine::cli {

void addRequestOptions(CLI::App& command, RequestArguments& arguments);
void addSamplingOptions(CLI::App& command, RequestArguments& arguments);  // those that shape a distribution
// Both return what copies the options that were given into another set (a scenario's).
std::function<void(EngineArguments&)> addEngineOptions(CLI::App& command, EngineArguments& arguments);
std::function<void(EngineArguments&)> addEngineSeed(CLI::App& command, EngineArguments& arguments);

}  // namespace vitrine::cli
