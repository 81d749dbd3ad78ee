// What tests of whole engines over the golden models share: the engine with several chunks and small blocks,
// and how its numbers compare. Stands before Qt's headers, whose macros take the name `slots`.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "support/golden.h"
#include "vitrine/engine.h"

// Whether there is a reference was settled when this was configured: one that was built must load.
#ifdef VITRINE_TORCH_BUILT
#define NEEDS_TORCH()
#else
#define NEEDS_TORCH() QSKIP("configured without libtorch (package libtorch-dev): there is no reference")
#endif

namespace vitrine::test {

inline std::vector<TokenId> tokensOf(const Golden& golden, const char* name) {
  const auto& values = golden.integers(name).values;
  return {values.begin(), values.end()};
}

// NaN counts as worst, another number of values as infinite.
inline double worstDifference(std::span<const float> mine, std::span<const float> theirs) {
  double worst = mine.size() == theirs.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(mine.size(), theirs.size()); ++i) {
    const double difference = std::abs(static_cast<double>(mine[i]) - theirs[i]);
    worst = difference <= worst ? worst : difference;
  }
  return worst;
}

inline EngineOptions goldenOptions() {
  EngineOptions options;
  options.threads = 1;
  options.blockSize = 5;
  options.numBlocks = 40;
  options.tokenBudget = 7;
  return options;
}

inline std::unique_ptr<Engine> loadGolden(const std::filesystem::path& model, Kernels kernels,
                                          EventSink& sink, const std::string& attention = {}) {
  EngineOptions options = goldenOptions();
  options.kernels = kernels;
  options.attention = attention;
  return Engine::load(model, options, sink);
}

inline std::vector<TokenId> greedyTokens(Engine& engine, const std::vector<TokenId>& prompt, int count) {
  Request request;
  request.tokenIds = prompt;
  request.maxTokens = count;
  request.ignoreEos = true;
  const RequestId id = engine.submit(request);
  engine.run();
  return engine.takeResult(id).sequences.at(0).tokenIds;
}

}  // namespace vitrine::test
