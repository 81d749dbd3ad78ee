// `vitrine-cli trace resume`: a recorded run goes on from one of its steps, and is compared with itself; or
// it goes on with other options. Read next: vitrine/run_script.h.
#pragma once

#include <functional>
#include <string>

#include "common/arguments.h"

namespace vitrine::cli {

struct ResumeArguments {
  std::string file, out;  // traces; out may be empty
  int step = 0;
  // Copies the options that the command line gives.
  std::function<void(EngineArguments&)> copyGiven;
};

// Returns the exit status: 1 when the run differs from the recorded one though nothing was changed.
int resumeTrace(const ResumeArguments& arguments, bool json);

}  // namespace vitrine::cli
