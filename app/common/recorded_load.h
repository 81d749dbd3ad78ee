// How a recorded run was loaded, so that it can be resumed: read from its script. Thread: any.
#pragma once

#include <filesystem>
#include <vector>

#include "vitrine/options.h"
#include "vitrine/run_script.h"

namespace vitrine {

// Where models may be: some that are known, and folders that may have others.
struct KnownModels {
  std::vector<std::filesystem::path> models = {}, folders = {};
};

struct RecordedLoad {
  std::filesystem::path model;  // as recorded where it was not found
  EngineOptions options;
};

// A trace names its models alone (place_name.h); one of before has their paths, which count where they still
// lead to something. A model of the same name is looked for among the known ones, and the built-in one is
// known. That it is the same model, Engine::resume() checks.
RecordedLoad recordedLoad(const RunScript& script, const KnownModels& known = {});

// Whether every engine option has the same value in both.
bool sameOptions(const EngineOptions& a, const EngineOptions& b);

}  // namespace vitrine
