// `vitrine-cli trace compare`: what differs in the machine between two steps of a recorded run. Read next:
// vitrine/state_difference.h.
#pragma once

#include <string>

namespace vitrine::cli {

struct ComparisonArguments {
  std::string file;
  int from = 0, to = 0;  // steps; each is the machine when the step has finished
};

// Returns the exit status. Throws UsageError for a step that the trace does not have.
int compareSteps(const ComparisonArguments& arguments, bool json);

}  // namespace vitrine::cli
