// scanModels(): the models on this computer, one after another.
//
// Thread: any, in one go; model_scanner.h runs it beside the window. Read next: model_finder.h, what counts
// as a model; model_reading.h, what is said of it.
#pragma once

#include <functional>

#include "catalog/found_model.h"
#include "catalog/model_roots.h"

namespace vitrine {

struct ScanLimits {
  int depth = 8;          // folders below a root
  int entries = 200'000;  // files and folders looked at, all roots together
  int models = 5'000;
};

// Called on the thread of the scan.
struct ScanSink {
  std::function<void(const FoundModel&)> found;
  std::function<void(const LeftOut&)> leftOut;
  std::function<void(const ModelRoot&)> entered;  // the search of this root begins
  std::function<bool()> cancelled;                // asked often
};

struct ScanReport {
  int models = 0, leftOut = 0;
  bool wasCancelled = false;
  bool reachedLimit = false;  // there may be more models
};

// Roots that are not there have no models. A model that is reached in several ways (links, hard links, roots
// within each other) is found once. Throws nothing.
ScanReport scanModels(const ModelRoots& roots, const ScanLimits& limits, const ScanSink& sink);

}  // namespace vitrine
