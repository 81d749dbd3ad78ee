// The sampler's stages, in one table: each has a name, says whether the options switch it on, and has a
// function that changes the candidates. Sampler::sample(), distribution() and probabilities() walk the table.
//
// Each stage means what it means in transformers; presence and frequency penalties are OpenAI's. To add a
// stage: an option, a function here, and a line in the table (stages.cpp), where stages run in order. Thread:
// any; the functions have no state but SamplerState's memory. Read next: stages.cpp, candidates.h.
#pragma once

#include <span>

#include "sampling/allowed_tokens.h"
#include "sampling/candidates.h"
#include "sampling/token_counts.h"
#include "vitrine/options.h"

namespace vitrine {

// What a token is chosen from. The spans and the options must outlive the call.
struct SamplerInput {
  LogitsRow logits;  // [vocabulary], at least one
  TokenHistory history;
  const SamplingOptions& options;
  const AllowedTokens* allowed = nullptr;  // null: any
};

// What the stages work on, and memory that they reuse.
struct SamplerState {
  Candidates candidates;
  TokenCounts counts;
};

// What a stage needs of a row of logits: kWhole, or a part at its top, which can be enough (wishOf()).
enum class RowPart { kTop, kWhole };

struct SamplerStage {
  const char* name;  // as in events, traces and the command line
  // An inactive stage changes nothing and is not run.
  bool (*isActive)(const SamplingOptions& options, const AllowedTokens* allowed);
  void (*apply)(const SamplerInput& input, SamplerState& state);
  RowPart needs = RowPart::kWhole;
  bool isAlwaysListed = false;  // while inactive too, as scripts expect of the first five
};

// In the order they run. Temperature is always active.
std::span<const SamplerStage> samplerStages();

// What the stages and the draw need of a row of logits, mostly: with a digest of that they give the same
// token as with the row, and fetch it rarely.
RowWish wishOf(const SamplingOptions& options);

// Whether a penalty changes logits.
bool penalises(const SamplingOptions& options);
// Changes the logits of tokens in the history.
void applyPenalties(const SamplerInput& input, SamplerState& state);

// Keeps the k most likely tokens, and those that tie with the k-th. Requires k > 0.
void keepTopK(Candidates& candidates, int k);
// Nucleus sampling (arXiv 1904.09751): keeps the fewest tokens whose probability reaches p; the token that
// crosses the boundary stays.
void keepTopP(Candidates& candidates, double p);
// Drops tokens that are less likely than p times the most likely one (arXiv 2407.01082).
void keepMinP(Candidates& candidates, double p);
// Locally typical sampling (Meister et al., arXiv 2202.00666): takes the tokens whose surprisal -log p is
// nearest to the entropy of the distribution, until their probability reaches `mass`; then those that are
// equally near as the last one, too.
void keepTypical(Candidates& candidates, double mass);

}  // namespace vitrine
