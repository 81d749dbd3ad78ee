#include "scenarios/scenario_of_run.h"

#include <map>

namespace vitrine {
namespace {

Request requestOf(const RequestSubmitted& submitted) {
  Request request;
  request.name = submitted.name;
  request.prompt = submitted.prompt;
  request.tokenIds = submitted.tokenIds;
  request.sampling = submitted.sampling;
  request.maxTokens = submitted.maxTokens;
  request.ignoreEos = submitted.ignoreEos;
  request.stop = submitted.stop;
  request.sequences = submitted.sequences;
  request.bestOf = submitted.bestOf;
  request.beamWidth = submitted.beamWidth;
  request.lengthPenalty = submitted.lengthPenalty;
  request.earlyStopping = submitted.earlyStopping;
  request.priority = submitted.priority;
  request.deadlineMs = submitted.deadlineMs;
  request.logprobs = submitted.logprobs;
  request.cacheSalt = submitted.cacheSalt;
  return request;
}

}  // namespace

Scenario scenarioOfRun(const Recording& run, EngineArguments engine) {
  Scenario scenario;
  scenario.engine = std::move(engine);
  std::map<RequestId, std::string> names;
  run.forEach([&](const Event& event) {
    if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
      names[submitted->request] = submitted->name;
      scenario.requests.push_back({{requestOf(*submitted), false}, event.step});
    } else if (const auto* cancelled = bodyOf<RequestCancelled>(event)) {
      scenario.commands.push_back({event.step, names[cancelled->request]});
    }
  });
  return scenario;
}

}  // namespace vitrine
