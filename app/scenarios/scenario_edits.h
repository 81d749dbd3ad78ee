// Changes of a scenario's requests that keep the rest of it in step: commands and expected events call a
// request by its name.
//
// `request` is an index. Thread: values. Read next: scenario.h.
#pragma once

#include <optional>
#include <string>

#include "scenarios/scenario.h"

namespace vitrine {

bool hasRequest(const Scenario& scenario, const std::string& name);
// Requires that a new name is free.
void replaceRequest(Scenario& scenario, std::size_t request, RequestLine line);
// With its commands, and the events expected of it.
void removeRequest(Scenario& scenario, std::size_t request);
// The first step after which the request is cancelled.
std::optional<int> cancelStepOf(const Scenario& scenario, std::size_t request);
void setCancelStep(Scenario& scenario, std::size_t request, std::optional<int> step);
// "R4", or the next that is free.
std::string freeRequestName(const Scenario& scenario);

}  // namespace vitrine
