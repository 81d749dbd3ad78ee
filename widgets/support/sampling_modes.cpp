#include "widgets/support/sampling_modes.h"

#include "widgets/support/wording.h"

namespace vitrine {
namespace {

constexpr int kTopK = 40, kBeams = 4, kAnswers = 4;
constexpr double kTopP = 0.9, kMinP = 0.05, kTypicalP = 0.9;

}  // namespace

SamplingOptions withPenaltiesOf(const SamplingOptions& before) {
  SamplingOptions sampling;
  sampling.repetitionPenalty = before.repetitionPenalty;
  sampling.presencePenalty = before.presencePenalty;
  sampling.frequencyPenalty = before.frequencyPenalty;
  sampling.seed = before.seed;
  return sampling;
}

SamplingKnobs knobsOf(SamplingMode mode, const SamplingKnobs& before) {
  const double temperature = before.sampling.temperature > 0 ? before.sampling.temperature : 1;
  SamplingKnobs knobs{withPenaltiesOf(before.sampling), 1, 1};
  SamplingOptions& sampling = knobs.sampling;
  sampling.temperature = temperature;
  switch (mode) {
    case SamplingMode::kGreedy:
      sampling.temperature = 0;
      break;
    case SamplingMode::kTopK:
      sampling.topK = kTopK;
      break;
    case SamplingMode::kTopP:
      sampling.topP = kTopP;
      break;
    case SamplingMode::kMinP:
      sampling.minP = kMinP;
      break;
    case SamplingMode::kTypical:
      sampling.typicalP = kTypicalP;
      break;
    case SamplingMode::kBeams:  // draws nothing, so what shapes a draw stays as it was
      sampling = before.sampling;
      knobs.beams = kBeams;
      break;
    case SamplingMode::kAnswers:  // several of what was one
      sampling = before.sampling;
      sampling.temperature = temperature;
      knobs.answers = kAnswers;
      break;
  }
  return knobs;
}

std::optional<SamplingMode> modeOf(const SamplingKnobs& knobs) {
  if (knobs.beams > 1) return SamplingMode::kBeams;
  if (knobs.answers > 1) return SamplingMode::kAnswers;
  const SamplingOptions& sampling = knobs.sampling;
  if (sampling.temperature <= 0) return SamplingMode::kGreedy;
  // One filter alone: with any other one, none of the modes says what the sampler does.
  const auto isAlone = [&](auto filter) {
    SamplingOptions alone = withPenaltiesOf(sampling);
    alone.temperature = sampling.temperature;
    if (alone.*filter == sampling.*filter) return false;
    alone.*filter = sampling.*filter;
    return alone == sampling;
  };
  if (isAlone(&SamplingOptions::topK)) return SamplingMode::kTopK;
  if (isAlone(&SamplingOptions::topP)) return SamplingMode::kTopP;
  if (isAlone(&SamplingOptions::minP)) return SamplingMode::kMinP;
  if (isAlone(&SamplingOptions::typicalP)) return SamplingMode::kTypical;
  return std::nullopt;
}

bool needsNewRequest(SamplingMode mode) {
  return mode == SamplingMode::kBeams || mode == SamplingMode::kAnswers;
}

QString samplingModeName(SamplingMode mode) {
  switch (mode) {
    case SamplingMode::kGreedy:
      return Wording::tr("Greedy");
    case SamplingMode::kTopK:
      return Wording::tr("Top-k");
    case SamplingMode::kTopP:
      return Wording::tr("Top-p");
    case SamplingMode::kMinP:
      return Wording::tr("Min-p");
    case SamplingMode::kTypical:
      return Wording::tr("Typical");
    case SamplingMode::kBeams:
      return Wording::tr("Beams");
    case SamplingMode::kAnswers:
      return Wording::tr("n answers");
  }
  return {};
}

QString samplingModeTip(SamplingMode mode) {
  switch (mode) {
    case SamplingMode::kGreedy:
      return Wording::tr("Temperature 0: always the most likely token");
    case SamplingMode::kTopK:
      return Wording::tr("Draw from the %1 most likely tokens").arg(kTopK);
    case SamplingMode::kTopP:
      return Wording::tr("Draw from the fewest tokens whose probabilities add up to %1").arg(kTopP);
    case SamplingMode::kMinP:
      return Wording::tr("Draw from the tokens that are at least %1 times as likely as the most likely one")
          .arg(kMinP);
    case SamplingMode::kTypical:
      return Wording::tr("Draw from the tokens of the most usual surprise whose probabilities add up to %1")
          .arg(kTypicalP);
    case SamplingMode::kBeams:
      return Wording::tr("New messages are answered by a search with %1 beams. Nothing else changes.")
          .arg(kBeams);
    case SamplingMode::kAnswers:
      return Wording::tr(
                 "New messages get %1 answers each, which share the prompt's blocks. Only a temperature of 0 "
                 "becomes 1: greedy answers would all be the same.")
          .arg(kAnswers);
  }
  return {};
}

}  // namespace vitrine
