#include "vitrine/sampling_preview.h"

#include "sampling/sampler.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

DrawKey keyOf(const DrawPlace& place, std::uint64_t requestSeed) {
  return {mixSeeds(place.engineSeed, requestSeed), static_cast<std::uint32_t>(place.answer),
          static_cast<std::uint32_t>(place.position)};
}

// A bit for each token of the vocabulary.
std::vector<std::uint64_t> maskOf(std::span<const TokenId> tokens, std::size_t vocabulary) {
  std::vector<std::uint64_t> bits((vocabulary + AllowedTokens::kBits - 1) / AllowedTokens::kBits);
  for (const TokenId token : tokens) {
    const auto index = static_cast<std::size_t>(token);
    if (token < 0 || index >= vocabulary)
      throw EngineError(ErrorCode::kInvalidArgument, "a grammar allows a token that has no logit");
    bits[index / AllowedTokens::kBits] |= std::uint64_t{1} << index % AllowedTokens::kBits;
  }
  return bits;
}

}  // namespace

double drawnNumber(const DrawPlace& place, std::uint64_t requestSeed) {
  return keyOf(place, requestSeed).uniform(DrawUse::kSample);
}

PreviewedDraw previewDraw(const PreviewInput& input, const SamplingOptions& sampling, int candidates) {
  sampling.validate();
  const auto promptTokens = static_cast<std::size_t>(input.promptTokens);
  if (input.logits.empty())
    throw EngineError(ErrorCode::kInvalidArgument, "there are no logits to draw from");
  if (input.promptTokens < 0 || promptTokens > input.tokens.size())
    throw EngineError(ErrorCode::kInvalidArgument, "more prompt tokens than tokens");
  if (input.allowed && input.allowed->empty())
    throw EngineError(ErrorCode::kInvalidArgument, "a grammar that allows no token leaves none to draw");
  const std::vector<std::uint64_t> mask =
      maskOf(input.allowed.value_or(std::span<const TokenId>()), input.logits.size());
  const AllowedTokens allowed{mask, {}};
  const SamplerInput chain{input.logits,
                           {input.tokens.first(promptTokens), input.tokens.subspan(promptTokens)},
                           sampling,
                           input.allowed ? &allowed : nullptr};
  const DrawPlace place{input.engineSeed, input.answer, static_cast<int>(input.tokens.size())};
  PreviewedDraw draw;
  draw.chosen = Sampler().choose(chain, keyOf(place, sampling.seed), {&draw.stages, candidates});
  if (sampling.temperature > 0) draw.number = drawnNumber(place, sampling.seed);
  return draw;
}

}  // namespace vitrine
