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

void validateBeams(const Request& request) {
  const auto forbid = [](bool wrong, const std::string& message, const char* hint) {
    if (wrong) throw EngineError(ErrorCode::kInvalidArgument, message, hint);
  };
  forbid(request.sequences > request.beamWidth,
         "a beam search with --beam-width " + std::to_string(request.beamWidth) + " cannot give -n " +
             std::to_string(request.sequences) + " answers",
         "make --beam-width at least -n");
  forbid(request.bestOf > 0, "--best-of draws answers, and a beam search draws none",
         "use --beam-width and -n alone");
  forbid(request.sampling.temperature > 0, "a beam search draws nothing, so --temperature must be 0",
         "leave out --temperature, or --beam-width");
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
  requireWithin("best-of", bestOf, 0, 1024);
  requireWithin("beam-width", beamWidth, 1, kMaxBeams);
  require(std::abs(lengthPenalty) <= 10, "length-penalty", lengthPenalty, "from -10 to 10");
  require(std::isfinite(deadlineMs) && deadlineMs >= 0, "deadline-ms", deadlineMs,
          "a number of 0 (none) or more");
  if (bestOf > 0 && bestOf < sequences) refuse("best-of", bestOf, "0 or at least -n, the answers to give");
  if (beamWidth > 1) validateBeams(*this);
  for (const std::string& text : stop)
    if (text.empty()) throw EngineError(ErrorCode::kInvalidArgument, "--stop must not be empty");
}

void EngineOptions::validate() const {
  requireWithin("threads", threads, 0, 1024);
  requireWithin("block-size", blockSize, 1, 256);
  requireWithin("num-blocks", numBlocks, 0, kMaxBlocks);
  requireAtLeast("kv-memory", kvMemoryBytes, 0);
  requireWithin("max-sequences", maxSequences, 0, 65536);
  requireWithin("token-budget", tokenBudget, 1, 1 << 24);
  require(windowMs >= 0 && windowMs <= 60000, "window-ms", windowMs, "from 0 to 60000");
  requireWithin("aging-steps", agingSteps, 0, kMaxAgingSteps);
  requireAtLeast("host-swap", hostSwapBytes, 0);
  requireAtLeast("disk-swap", diskSwapBytes, 0);
  requireWithin("sink-tokens", sinkTokens, 0, 1 << 20);
  requireWithin("window-tokens", windowTokens, 1, 1 << 24);
  requireWithin("heavy-tokens", heavyTokens, 0, 1 << 24);
  requireWithin("draft-length", speculation.draftLength, 1, 16);
  requireAtLeast("exit-layer", speculation.exitLayer, 0);
  requireWithin("ngram-length", speculation.ngramLength, 1, 16);
  if (speculation.drafter == DraftMethod::kModel && speculation.draftModel.empty())
    throw EngineError(ErrorCode::kInvalidArgument, "--draft model needs a second model",
                      "name its directory with --draft-model");
  if (!kvCache && speculation.drafter != DraftMethod::kNone)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--draft needs the KV cache that --no-kv-cache does without", "choose one of the two");
  if (!kvCache && preemption == Preemption::kSwap)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--preemption swap has nothing to swap under --no-kv-cache", "choose one of the two");
  if (eviction == Eviction::kNone) return;
  // A chunk ends where a block is evicted, and a draft would have to be verified across that position. A
  // table that has closed ranks is not swapped.
  const auto refuseWith = [](const char* other) {
    throw EngineError(ErrorCode::kInvalidArgument,
                      std::string("--eviction and ") + other + " do not go together",
                      "choose one of the two");
  };
  if (!chunkedPrefill) refuseWith("--no-chunked-prefill");
  if (speculation.drafter != DraftMethod::kNone) refuseWith("--draft");
  if (preemption == Preemption::kSwap) refuseWith("--preemption swap");
}

}  // namespace vitrine
