#include "scenarios/scenario_edits.h"

#include <algorithm>

namespace vitrine {
namespace {

const std::string& nameOf(const Scenario& scenario, std::size_t request) {
  return scenario.requests[request].arguments.request.name;
}

}  // namespace

bool hasRequest(const Scenario& scenario, const std::string& name) {
  return std::ranges::any_of(scenario.requests,
                             [&](const RequestLine& line) { return line.arguments.request.name == name; });
}

void replaceRequest(Scenario& scenario, std::size_t request, RequestLine line) {
  const std::string before = nameOf(scenario, request);
  scenario.requests[request] = std::move(line);
  const std::string& now = nameOf(scenario, request);
  for (Command& command : scenario.commands)
    if (command.cancel == before) command.cancel = now;
  for (ExpectedEvent& expected : scenario.expected)
    if (expected.request == before) expected.request = now;
}

void removeRequest(Scenario& scenario, std::size_t request) {
  const std::string name = nameOf(scenario, request);
  std::erase_if(scenario.commands, [&](const Command& command) { return command.cancel == name; });
  std::erase_if(scenario.expected, [&](const ExpectedEvent& expected) { return expected.request == name; });
  scenario.requests.erase(scenario.requests.begin() + static_cast<std::ptrdiff_t>(request));
}

std::optional<int> cancelStepOf(const Scenario& scenario, std::size_t request) {
  std::optional<int> first;
  for (const Command& command : scenario.commands)
    if (command.cancel == nameOf(scenario, request) && (!first || command.step < *first))
      first = command.step;
  return first;
}

void setCancelStep(Scenario& scenario, std::size_t request, std::optional<int> step) {
  if (step == cancelStepOf(scenario, request)) return;
  const std::string name = nameOf(scenario, request);
  std::erase_if(scenario.commands, [&](const Command& command) { return command.cancel == name; });
  if (step) scenario.commands.push_back({*step, name});
}

std::string freeRequestName(const Scenario& scenario) {
  for (std::size_t number = scenario.requests.size() + 1;; ++number)
    if (std::string name = "R" + std::to_string(number); !hasRequest(scenario, name)) return name;
}

}  // namespace vitrine
