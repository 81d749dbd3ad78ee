// One run of vitrine-cli, held to its limits.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "trials/trial.h"

namespace vitrine::trials {

struct Limits {
  std::chrono::seconds time{10};
  std::int64_t residentBytes = std::int64_t{2} << 30;
};

struct Ending {
  int status = -1;  // the exit status; -1 when a signal ended it
  int signal = 0;
  bool late = false;  // it was killed for it
  double seconds = 0;
  std::int64_t residentBytes = 0;  // at most
  std::string out, err;
};

// Runs it in `folder`, with its output in files beside that. A folder of its own for temporary files, no core
// file, and no file larger than 64 MiB. Thread: any; several at once.
Ending runTrial(const std::filesystem::path& program, const Trial& trial, const std::filesystem::path& folder,
                const Limits& limits);

}  // namespace vitrine::trials
