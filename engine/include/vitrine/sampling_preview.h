// What the sampler does at one position, seen apart from a step: the random number that the position draws
// with, and what would be drawn from its logits with other options.
//
// It is the engine's own sampler, and a number is a pure function of seeds, answer and position (Philox;
// Salmon et al., SC 2011). So a preview with a request's own options is the draw that the engine made, and
// one with other options is the draw that the engine makes when these options are in force at that position.
// Exceptions are drafts under DraftAcceptance::kRejection, which draw with numbers of their own, and beams,
// which draw nothing. Thread: any; no state. Read next: engine.h (nextLogits(), allowedNext()),
// events/sampling.h.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vitrine/events/sampling.h"
#include "vitrine/options.h"

namespace vitrine {

struct DrawPlace {
  std::uint64_t engineSeed = 0;  // EngineLoaded::options
  int answer = 0;                // SequenceState::index
  int position = 0;              // of the token in its sequence
};

// Uniform in [0, 1). requestSeed: SamplingOptions::seed in force at the position.
double drawnNumber(const DrawPlace& place, std::uint64_t requestSeed);

// What a token is chosen from. The spans must outlive the call.
struct PreviewInput {
  std::span<const float> logits;    // [vocabulary], at least one
  std::span<const TokenId> tokens;  // of the sequence before the position
  int promptTokens = 0;             // of them; the others are output
  std::uint64_t engineSeed = 0;
  int answer = 0;
  // That the request's grammar allows at the position (Engine::allowedNext()); nothing: any.
  std::optional<std::span<const TokenId>> allowed = {};
};

struct PreviewedDraw {
  std::vector<SamplingStage> stages;  // as in TokenCandidates
  TokenId chosen = 0;
  double number = -1;  // drawn with; -1: greedy draws none

  bool isGreedy() const { return number < 0; }
};

// candidates: how many of each stage, the most likely first; 0: all. Throws EngineError(kInvalidArgument) for
// options out of range, no logits, more prompt tokens than tokens, or a grammar that allows no token or one
// without a logit.
PreviewedDraw previewDraw(const PreviewInput& input, const SamplingOptions& sampling, int candidates);

}  // namespace vitrine
