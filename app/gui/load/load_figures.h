// LoadFigures: the load of a server at one moment of its history, as the table and the plots show it. Thread:
// values. Read next: connect/engine_load.h, load_model.h.
#pragma once

#include <cstddef>
#include <optional>

#include "connect/engine_load.h"

namespace vitrine {

// A figure that is not there is not told by the server.
struct LoadFigures {
  std::optional<double> running, waiting;  // requests; a Vitrine's: sequences
  std::optional<double> cacheShare;        // of the KV cache that is in use: 0 to 1
  // Of the prompts' tokens of the last minute, found in the prefix cache: 0 to 1; none: there was no prompt.
  std::optional<double> hitShare;
  std::optional<double> generatedPerSecond, promptPerSecond;  // tokens, over the last ten seconds
  std::optional<double> preemptions;                          // since the engine's start

  bool operator==(const LoadFigures&) const = default;
};

// Requires moment < history.moments().size().
LoadFigures loadFigures(const connect::LoadHistory& history, std::size_t moment);

}  // namespace vitrine
