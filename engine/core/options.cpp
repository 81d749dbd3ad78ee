// The ranges of what can be asked. A message names the option as the command line spells it, because that is
// where most people meet it; the lines of a request file and the window use the same words.
#include "vitrine/options.h"

#include <cmath>
#include <sstream>

#include "vitrine/error.h"

namespace vitrine {
namespace {

template <typename T>
[[noreturn]] void refuse(const char* option, T value, const char* range) {
  std::ostringstream message;
  message << "--" << option << " must be " << range << ", not " << value;
  throw EngineError(ErrorCode::kInvalidArgument, message.str());
}

// Written so that NaN, which compares as false with everything, is refused.
void require(bool holds, const char* option, double value, const char* range) {
  if (!holds) refuse(option, value, range);
}

void requireWithin(const char* option, std::int64_t value, std::int64_t least, std::int64_t most) {
  if (value >= least && value <= most) return;
  const std::string range = "from " + std::to_string(least) + " to " + std::to_string(most);
  refuse(option, value, range.c_str());
}

void requireAtLeast(const char* option, std::int64_t value, std::int64_t least) {
  if (value >= least) return;
  const std::string range = std::to_string(least) + " or more";
  refuse(option, value, range.c_str());
}

}  // namespace

void SamplingOptions::validate() const {
  require(std::isfinite(repetitionPenalty) && repetitionPenalty > 0, "repetition-penalty", repetitionPenalty,
          "a number above 0");
  require(std::isfinite(presencePenalty), "presence-penalty", presencePenalty, "a finite number");
  require(std::isfinite(frequencyPenalty), "frequency-penalty", frequencyPenalty, "a finite number");
  require(std::isfinite(temperature) && temperature >= 0, "temperature", temperature,
          "a number of 0 (greedy) or more");
  requireAtLeast("top-k", topK, 0);
  require(topP > 0 && topP <= 1, "top-p", topP, "above 0 and at most 1");
  require(minP >= 0 && minP <= 1, "min-p", minP, "from 0 to 1");
}

void Request::validate() const {
  sampling.validate();
  requireAtLeast("max-tokens", maxTokens, 1);
  requireWithin("n", sequences, 1, 1024);
  requireAtLeast("logprobs", logprobs, 0);
  for (const std::string& text : stop)
    if (text.empty()) throw EngineError(ErrorCode::kInvalidArgument, "--stop must not be empty");
}

void EngineOptions::validate() const {
  requireWithin("threads", threads, 0, 1024);
  requireWithin("block-size", blockSize, 1, 256);
  requireWithin("num-blocks", numBlocks, 0, kMaxBlocks);
  requireAtLeast("kv-memory", kvMemoryBytes, 0);
  requireWithin("max-sequences", maxSequences, 1, 65536);
  requireWithin("token-budget", tokenBudget, 1, 1 << 24);
}

}  // namespace vitrine
