// A recorded run as a scenario: its requests at the steps at which they came, and its cancellations.
//
// Played again, it gives the same tokens, unless options or sampling were changed during the run: a scenario
// has no words for that. Requests keep the ids of their prompt, so that no tokenizer reads them differently.
// Thread: that of the recording. Read next: scenario.h.
#pragma once

#include "scenarios/scenario.h"
#include "vitrine/recording.h"

namespace vitrine {

// `engine`: the run's model and the options it was loaded with.
Scenario scenarioOfRun(const Recording& run, EngineArguments engine);

}  // namespace vitrine
