// SwapLoad: a load that is too large for its pool, so that sequences are preempted all the time.
#pragma once

#include "support/tiny_engine.h"

namespace vitrine {

inline constexpr std::int64_t kTinyBlockBytes =
    2 * 2 * 2 * 8 * 4 * 4;  // of tinyConfig() and blocks of 4 tokens

// Ten blocks for six answers that need up to nine each; `host` and `disk` in blocks.
inline EngineOptions swapOptions(int host, int disk, const std::string& folder) {
  EngineOptions options = tinyOptions(10, 4, 16);
  options.prefixCache = false;  // so that only swapping can avoid recomputation
  options.preemption = Preemption::kSwap;
  options.hostSwapBytes = host * kTinyBlockBytes;
  options.diskSwapBytes = disk * kTinyBlockBytes;
  options.swapFolder = folder;
  return options;
}

inline std::vector<Request> swapLoad() {
  std::vector<Request> requests;
  for (int r = 0; r < 6; ++r) {
    std::vector<TokenId> tokens;
    for (int i = 0; i < 5 + 2 * r; ++i) tokens.push_back((11 * r + 3 * i) % 61);
    requests.push_back(tinyRequest(tokens, 20));
    requests.back().sampling.temperature = r % 2 == 0 ? 0.0 : 1.3;
    requests.back().sampling.seed = static_cast<std::uint64_t>(r);
    requests.back().logprobs = 1;
  }
  return requests;
}

inline std::vector<RequestId> submitAll(Engine& engine) {
  std::vector<RequestId> ids;
  for (const Request& request : swapLoad()) ids.push_back(engine.submit(request));
  return ids;
}

// Tokens, and log-probabilities to the bit.
using Answers = std::vector<std::pair<std::vector<TokenId>, double>>;

inline Answers takeAnswers(Engine& engine, const std::vector<RequestId>& ids) {
  Answers answers;
  for (RequestId id : ids) {
    const SequenceResult result = engine.takeResult(id).sequences.at(0);
    answers.emplace_back(result.tokenIds, result.cumulativeLogprob);
  }
  return answers;
}

// With room for all: no sequence is preempted.
inline Answers undisturbed(const TinyModel& model) {
  EventFanOut ignored;  // without sinks
  const auto engine = model.engine(tinyOptions(100, 4, 16), ignored);
  const auto ids = submitAll(*engine);
  engine->run();
  return takeAnswers(*engine, ids);
}

}  // namespace vitrine
