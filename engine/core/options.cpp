// Validation of options: each option within its range, and the combinations that exclude each other. A
// message names the option as the command line spells it, since that is its best known name.
#include "vitrine/options.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "vitrine/error.h"
#include "vitrine/option_schema.h"

namespace vitrine {
namespace {

template <typename T>
[[noreturn]] void refuse(std::string option, T value, const std::string& range) {
  std::ranges::replace(option, '_', '-');
  std::ostringstream message;
  message << "--" << option << " must be " << range << ", not " << value;
  throw EngineError(ErrorCode::kInvalidArgument, message.str());
}

// "from 1 to 256", "a number of 0 (greedy) or more".
template <typename Value>
std::string rangeOf(const OptionInfo<Value>& info) {
  using Bound = typename OptionInfo<Value>::Bound;
  std::ostringstream least, most;
  least << info.least;
  if (info.least == 0 && *info.zero != '\0') least << " (" << info.zero << ")";
  most << info.most;
  const std::string kind = std::is_floating_point_v<Value> ? "a number " : "";
  if (info.least == std::numeric_limits<Bound>::lowest()) return "a finite number";
  if (info.most == std::numeric_limits<Bound>::max())
    return kind +
           (info.above ? "above " + least.str() : (kind.empty() ? "" : "of ") + least.str() + " or more");
  return info.above ? "above " + least.str() + " and at most " + most.str()
                    : "from " + least.str() + " to " + most.str();
}

constexpr auto requireRange = [](const auto& info, const auto& value) {
  using Value = std::remove_cvref_t<decltype(value)>;
  if constexpr (Numeric<Value>)
    if (!holds(info, value)) refuse(info.key, value, rangeOf(info));
};

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
  forbid(!request.outputIds.empty(), "a beam search chooses its answers whole, and --output-ids begins one",
         "use one of the two");
}

}  // namespace

void SamplingOptions::validate() const { visitSamplingOptions(*this, requireRange); }

void Request::validate() const {
  visitRequestOptions(*this, requireRange);
  if (bestOf > 0 && bestOf < sequences) refuse("best-of", bestOf, "0 or at least -n, the answers to give");
  if (searches()) validateBeams(*this);
  if (maxTokens > 0 && std::ssize(outputIds) >= maxTokens)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--output-ids has " + std::to_string(outputIds.size()) +
                          " tokens, and the whole answer may have " + std::to_string(maxTokens),
                      "raise --max-tokens, or begin with fewer");
  const int grammars =
      int{!grammar.empty()} + int{!regex.empty()} + int{!jsonSchema.empty()} + int{!choice.empty()};
  if (grammars > 1)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--grammar, --regex, --json-schema and --choice each say what the whole answer is",
                      "use one of them");
  for (const std::string& text : choice)
    if (text.empty()) throw EngineError(ErrorCode::kInvalidArgument, "--choice must not be empty");
  for (const std::string& text : stop)
    if (text.empty()) throw EngineError(ErrorCode::kInvalidArgument, "--stop must not be empty");
}

void EngineOptions::validate() const {
  visitEngineOptions(*this, requireRange);
  if (speculation.drafter == DraftMethod::kModel && speculation.draftModel.empty())
    throw EngineError(ErrorCode::kInvalidArgument, "--draft model needs a second model",
                      "name its directory with --draft-model");
  if (device == Device::kCuda && kernels == Kernels::kReference)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--kernels reference computes on the CPU, and --device cuda does not",
                      "choose one of the two");
  if (!kvCache && speculation.drafter != DraftMethod::kNone)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--draft needs the KV cache that --no-kv-cache does without", "choose one of the two");
  if (!kvCache && preemption == Preemption::kSwap)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--preemption swap has nothing to swap under --no-kv-cache", "choose one of the two");
  if (eviction == Eviction::kNone) return;
  // A chunk ends where a block is evicted, and a draft would have to be verified across that position. A
  // block table from which a block was evicted is not swapped.
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
