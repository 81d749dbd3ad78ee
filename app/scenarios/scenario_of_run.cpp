#include "scenarios/scenario_of_run.h"

#include <map>

namespace vitrine {

Scenario scenarioOfRun(const Recording& run, EngineArguments engine) {
  Scenario scenario;
  scenario.engine = std::move(engine);
  std::map<RequestId, std::string> names;
  run.forEach([&](const Event& event) {
    if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
      names[submitted->request] = submitted->asked.name;
      scenario.requests.push_back({{submitted->asked, false}, event.step});
    } else if (const auto* cancelled = bodyOf<RequestCancelled>(event)) {
      scenario.commands.push_back({event.step, names[cancelled->request]});
    }
  });
  return scenario;
}

}  // namespace vitrine
