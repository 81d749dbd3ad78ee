// RunContrast: the figures in which two runs of the same requests differ, and whether their answers do.
//
// The figures are made by a program's compare room (app/compare/contrast.h); their words stand in
// prose/compare_words.h. Thread: values. Read next: prose/compare_words.h, statistics.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "vitrine/names.h"

namespace vitrine {

// In the order of a table. Times and rates are of engine time, as Statistics defines them.
enum class ContrastFigure : std::uint8_t {
  kSteps,            // until every request has finished
  kTokensPerSecond,  // sampled tokens
  kTtftP50,          // time to first token, queue included, ms
  kItlP50,           // between two tokens of one answer, ms
  kItlP95,
  kEndToEndP50,    // from submission to the end, ms
  kRecomputed,     // tokens computed again
  kCached,         // prompt tokens found in the prefix cache
  kPreemptions,    // of sequences
  kSwappedBytes,   // moved by swapping: out of the pool, to the file, and in again
  kWaitSteps,      // steps at whose end a sequence waited, summed over all sequences
  kBlocksAtMost,   // KV blocks in use at the end of a step
  kKvBytesAtMost,  // the same in bytes
  kAcceptance,     // share of the judged draft tokens that were accepted
};
VITRINE_NAMES(ContrastFigure, "steps", "tokens_per_second", "ttft_p50_ms", "itl_p50_ms", "itl_p95_ms",
              "end_to_end_p50_ms", "recomputed_tokens", "cached_tokens", "preemptions", "swapped_bytes",
              "wait_steps", "blocks_at_most", "kv_bytes_at_most", "draft_acceptance");
inline constexpr int kContrastFigureCount = 14;

// Measured: it differs between two runs that do the same.
constexpr bool isTimed(ContrastFigure figure) {
  return figure >= ContrastFigure::kTokensPerSecond && figure <= ContrastFigure::kEndToEndP50;
}

enum class ContrastSide : std::uint8_t { kNeither, kOne, kOther };
VITRINE_NAMES(ContrastSide, "neither", "one", "other");

struct ContrastRow {
  ContrastFigure figure = ContrastFigure::kSteps;
  std::optional<double> one, other;  // nothing: not known, or not yet
  // Neither where both are as good: they are equal, or measured times that are closer than chance.
  ContrastSide better = ContrastSide::kNeither;

  // other : one; nothing without both, and where one of them is 0.
  std::optional<double> ratio() const {
    if (!one || !other || *one == 0 || *other == 0) return std::nullopt;
    return *other / *one;
  }
  bool operator==(const ContrastRow&) const = default;
};

// The first token in which an answer differs.
struct AnswerDifference {
  std::string request;  // by name
  int answer = 0;       // which of its answers: 0, 1, ...
  int token = 0;        // of the answer, behind a forced beginning: 1, 2, ...

  bool operator==(const AnswerDifference&) const = default;
};

struct SameAnswers {
  std::int64_t tokens = 0;  // compared: those that both runs have written
  bool complete = false;    // both runs have written all answers, to the same requests
  // The one that comes first in an answer; the first request's of several.
  std::optional<AnswerDifference> first = {};

  bool areSame() const { return !first; }  // so far
  bool operator==(const SameAnswers&) const = default;
};

// An option of the engine that two runs have with different values, as a file spells them ("true", "false").
struct OptionChange {
  std::string option;  // its key: "prefix_cache"
  std::string one, other;

  bool operator==(const OptionChange&) const = default;
};

}  // namespace vitrine
