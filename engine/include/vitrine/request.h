// What can be asked of an engine: a request, and how its tokens are chosen.
//
// Plain values with sensible defaults; validate() names what is wrong. Names and meanings follow the command
// line (engine/README.md), which follows the field: vLLM's and OpenAI's sampling parameters, Hugging Face's
// order of the stages. Ranges, units and texts are in option_schema.h. Thread: values. Read next: options.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vitrine/ids.h"
#include "vitrine/names.h"

namespace vitrine {

// How the next token is chosen, in the order the stages run.
struct SamplingOptions {
  // > 0; divides positive logits of tokens seen in prompt or output (CTRL, 1909.05858)
  double repetitionPenalty = 1.0;
  double presencePenalty = 0.0;   // subtracted once from a token already in the output
  double frequencyPenalty = 0.0;  // subtracted once for each time a token stands in the output
  double temperature = 0.0;       // >= 0; 0 is greedy: the largest logit, the smaller id on a tie
  int topK = 0;                   // keep the k most likely; 0 keeps all
  double topP = 1.0;              // (0, 1]; nucleus: the fewest tokens whose mass reaches p (1904.09751)
  double minP = 0.0;  // [0, 1]; drop what is less likely than minP times the most likely (2407.01082)
  // (0, 1]; keep the tokens of surprisal nearest to the entropy until their mass reaches p (2202.00666)
  double typicalP = 1.0;
  std::uint64_t seed = 0;

  void validate() const;  // throws EngineError(kInvalidArgument)
  bool operator==(const SamplingOptions&) const = default;
};

// When a beam search ends, as transformers defines it: when beamWidth answers are complete; when by their
// length so far no beam can win any more; or when none can at any length.
enum class EarlyStopping { kYes, kHeuristic, kNever };
VITRINE_NAMES(EarlyStopping, "true", "heuristic", "never");
inline constexpr int kMaxBeams = 16;

struct Request {
  std::string name = {};               // the caller's own id; empty: the engine gives "r1", "r2", ...
  std::string prompt = {};             // text, used when tokenIds is empty
  std::vector<TokenId> tokenIds = {};  // the prompt as ids; wins over prompt
  bool addSpecialTokens = true;        // when the prompt is text
  // The forced beginning of each answer, as ids. What follows is what the request would write if it had drawn
  // these tokens itself: they are output to penalties, random numbers, stop strings and maxTokens.
  std::vector<TokenId> outputIds = {};
  SamplingOptions sampling = {};
  int maxTokens = 128;  // of each answer; 0: as many as the context holds, whose end stops any answer
  bool ignoreEos = false;
  std::vector<std::string> stop = {};  // strings that end the text and are not part of it
  // What the whole answer has to be; at most one of them. The sampler draws only tokens that it allows
  // (sampling/stages.h).
  std::string grammar = {};              // in GBNF (grammar/gbnf.h)
  std::string regex = {};                // (grammar/regex_grammar.h)
  std::string jsonSchema = {};           // a JSON text (grammar/schema_grammar.h)
  std::vector<std::string> choice = {};  // one of these texts
  int sequences = 1;                     // n answers from one prompt, sharing its blocks
  int bestOf = 0;              // draw so many and give the `sequences` of the best score; 0: as many
  int beamWidth = 1;           // above 1: beam search instead of sampling, 1..kMaxBeams; wants temperature 0
  double lengthPenalty = 1.0;  // score = cumulative logprob / output tokens^penalty; at 1 the mean logprob
  EarlyStopping earlyStopping = EarlyStopping::kHeuristic;
  int priority = 0;             // for Policy::kPriority: the larger goes first
  double deadlineMs = 0;        // for Policy::kDeadline: wished end, since submission; 0: none
  int logprobs = 0;             // how many alternatives to report for each token; 0 none
  std::uint64_t cacheSalt = 0;  // requests share cached prefixes only with the same salt

  // Whether a grammar, however it is written, says what the answer has to be.
  bool hasGrammar() const {
    return !grammar.empty() || !regex.empty() || !jsonSchema.empty() || !choice.empty();
  }

  bool searches() const { return beamWidth > 1; }  // with beams: it draws nothing

  // Sequences of this request: each takes a slot in the running set and has a KV cache that shares what it
  // can.
  int sequenceSlots() const { return searches() ? beamWidth : bestOf > sequences ? bestOf : sequences; }

  void validate() const;
};

}  // namespace vitrine
