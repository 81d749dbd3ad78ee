// Tiny engines that draft, for tests of speculative decoding.
#pragma once

#include "support/tiny_engine.h"

namespace vitrine {

// Of tinyModel()'s shape and with other weights: its drafts are often wrong.
inline const TinyModel& otherTinyModel() {
  static const TinyModel tiny(tinyConfig(), 6);
  return tiny;
}

inline EngineOptions drafting(DraftMethod drafter, int draftLength = 4) {
  EngineOptions options = tinyOptions(64);
  options.speculation.drafter = drafter;
  options.speculation.draftLength = draftLength;
  options.speculation.exitLayer = drafter == DraftMethod::kEarlyExit ? 1 : 0;
  options.speculation.draftModel = "the second one";
  return options;
}

inline std::vector<RequestResult> answer(Engine& engine, const std::vector<Request>& requests) {
  std::vector<RequestId> ids;
  for (const Request& request : requests) ids.push_back(engine.submit(request));
  engine.run();
  std::vector<RequestResult> results;
  for (RequestId id : ids) results.push_back(engine.takeResult(id));
  return results;
}

}  // namespace vitrine
