// SamplingMode: the usual ways to choose tokens, each a set of knobs: greedy, top-k, top-p (arXiv
// 1904.09751), min-p (2407.01082), typical (2202.00666), beam search, several answers. Thread: any; no state.
// Read next: vitrine/request.h.
#pragma once

#include <QString>
#include <array>
#include <optional>

#include "vitrine/request.h"

namespace vitrine {

enum class SamplingMode { kGreedy, kTopK, kTopP, kMinP, kTypical, kBeams, kAnswers };
inline constexpr std::array kSamplingModes = {
    SamplingMode::kGreedy,  SamplingMode::kTopK,  SamplingMode::kTopP,   SamplingMode::kMinP,
    SamplingMode::kTypical, SamplingMode::kBeams, SamplingMode::kAnswers};

// What a mode sets.
struct SamplingKnobs {
  SamplingOptions sampling;
  int answers = 1, beams = 1;  // Request::sequences and beamWidth

  bool operator==(const SamplingKnobs&) const = default;
};

// Draws that nothing shapes: the defaults, but for penalties and seed, which stay as they were. Modes and
// presets begin here and name what else they set, so that no stage of another one is left over.
SamplingOptions withPenaltiesOf(const SamplingOptions& before);
// A mode's knobs; penalties and seed stay as they were, and so does a temperature above 0 where one is
// needed.
SamplingKnobs knobsOf(SamplingMode mode, const SamplingKnobs& before);
// Of which mode the knobs are, whatever its numbers; none for a mixture.
std::optional<SamplingMode> modeOf(const SamplingKnobs& knobs);
// A request has as many answers and beams as it was submitted with, so such a mode is for new messages.
bool needsNewRequest(SamplingMode mode);

QString samplingModeName(SamplingMode mode);  // "Top-p"
QString samplingModeTip(SamplingMode mode);

}  // namespace vitrine
