// Variation: options of the engine that are to be changed, so that the same scenario runs a second time.
//
// Options are spelled as in a scenario's file or on the command line: preemption=swap, no_prefix_cache=true,
// prefix-cache=off. Thread: values. Read next: contrast.h, scenarios/scenario.h.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/scenario.h"
#include "vitrine/run_contrast.h"

namespace vitrine::compare {

struct Variation {
  std::vector<std::pair<std::string, std::string>> options;  // key and value

  bool operator==(const Variation&) const = default;
};

// "preemption=swap&host_swap=300000". Throws UsageError for a text without "=".
Variation variationFromText(std::string_view text);
std::string variationToText(const Variation& variation);

// The scenario with these options. Throws UsageError: an unknown option, a value that it does not take, or
// options that do not go together.
Scenario varied(const Scenario& scenario, const Variation& variation);

// The engine's options in which two scenarios or runs differ, the model included, in the schema's order.
std::vector<OptionChange> changedOptions(const Scenario& one, const Scenario& other);
std::vector<OptionChange> changedOptions(const EngineOptions& one, const EngineOptions& other);

// Whether these changes may change tokens: weights, arithmetic, what is evicted. Batching, chunks, blocks,
// preemption, prefix cache, order and drafts do not.
bool mayChangeAnswers(const EngineOptions& one, const EngineOptions& other);

// What one usually compares the scenario with, one change each: static batching, small blocks, preemption by
// swapping, ... Those that change nothing or do not go with the scenario's other options are left out.
std::vector<Variation> usualVariations(const Scenario& scenario);

}  // namespace vitrine::compare
