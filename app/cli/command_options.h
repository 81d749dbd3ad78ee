// The shared options of a request and of the engine (vitrine/option_schema.h) declared for a command.
#pragma once

#include <functional>

#include "common/arguments.h"
#include "program.h"

namespace vitrine::cli {

// An option that is a whole number; what is not one, or lies outside, is refused with the range.
template <class T>
struct WholeNumber {
  std::string name;  // "--batch"
  T least, most;
  std::string help;
};
CLI::Option* addNumber(CLI::App& command, int& value, const WholeNumber<int>& option);
CLI::Option* addSeed(CLI::App& command, std::uint64_t& value, const char* help);

void addRequestOptions(CLI::App& command, RequestArguments& arguments);
void addSamplingOptions(CLI::App& command, RequestArguments& arguments);  // those that shape a distribution
// Both return what copies the options that were given into another set (a scenario's).
std::function<void(EngineArguments&)> addEngineOptions(CLI::App& command, EngineArguments& arguments);
void addTemplateOption(CLI::App& command, EngineArguments& arguments);  // for commands with conversations
void addToolsOption(CLI::App& command, std::string& file);              // for the same
// The tools in that file, checked; empty for no file. Throws UsageError that names the file.
std::string readTools(const std::string& file);
std::function<void(EngineArguments&)> addEngineSeed(CLI::App& command, EngineArguments& arguments);

}  // namespace vitrine::cli
