// Words for scenarios in the window: what an expected event is called, what to look for, the names of groups.
// Thread: the window's.
#pragma once

#include <QString>

#include "scenarios/scenario.h"

namespace vitrine {

// An event in a word or two: "preemption" for sequence_preempted. A scenario of a user's own may expect any
// event, by its name in a trace.
QString eventWords(const std::string& event);
// The same for an event with the fields that are looked for: a resumed sequence is not called an admission.
QString expectedWords(const ExpectedEvent& expected);
// "a request waits, preemption, admission": what the scenario promises, in order; empty for nothing.
QString expectedInWords(const Scenario& scenario);
QString groupTitle(ScenarioGroup group);

}  // namespace vitrine
