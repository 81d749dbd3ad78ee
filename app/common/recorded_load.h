// How a recorded run was loaded, so that it can be resumed: read from its script. Thread: any.
#pragma once

#include <filesystem>

#include "vitrine/options.h"
#include "vitrine/run_script.h"

namespace vitrine {

struct RecordedLoad {
  std::filesystem::path model;  // as recorded; it may no longer be there
  EngineOptions options;
};

RecordedLoad recordedLoad(const RunScript& script);

// Whether every engine option has the same value in both.
bool sameOptions(const EngineOptions& a, const EngineOptions& b);

}  // namespace vitrine
