#include "models/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vitrine {
namespace {

// theta^(2i/headDim), the wavelength of pair i over 2π.
float powerOfBase(double theta, int pair, int headDim) {
  return std::pow(static_cast<float>(theta), static_cast<float>(2 * pair) / static_cast<float>(headDim));
}

// Llama 3.1: long waves are stretched by the factor, short ones left alone, those between blended.
float stretchLlama3(float frequency, const RopeConfig& rope) {
  const auto factor = static_cast<float>(rope.factor);
  const auto original = static_cast<float>(rope.originalContextLength);
  const auto low = static_cast<float>(rope.lowFrequencyFactor);
  const float wavelength = static_cast<float>(2 * std::numbers::pi) / frequency;
  if (wavelength > static_cast<float>(rope.originalContextLength / rope.lowFrequencyFactor))
    return frequency / factor;
  if (wavelength < static_cast<float>(rope.originalContextLength / rope.highFrequencyFactor))
    return frequency;
  const float smooth =
      (original / wavelength - low) / static_cast<float>(rope.highFrequencyFactor - rope.lowFrequencyFactor);
  return (1 - smooth) * frequency / factor + smooth * frequency;
}

// Where, among the pairs, a wave turns `rotations` times within the original context (equation 17 of the
// paper).
double correctionPair(double rotations, const RopeConfig& rope, int headDim) {
  return headDim * std::log(rope.originalContextLength / (rotations * 2 * std::numbers::pi)) /
         (2 * std::log(rope.theta));
}

struct YarnRamp {
  double low, high;
  // 1 where a pair keeps its frequency, 0 where it is stretched.
  float keep(int pair) const {
    const float linear =
        (static_cast<float>(pair) - static_cast<float>(low)) / static_cast<float>(high - low);
    return 1 - std::clamp(linear, 0.0f, 1.0f);
  }
};

YarnRamp yarnRamp(const RopeConfig& rope, int headDim) {
  double low = correctionPair(rope.betaFast, rope, headDim),
         high = correctionPair(rope.betaSlow, rope, headDim);
  if (rope.truncate) {
    low = std::floor(low);
    high = std::ceil(high);
  }
  low = std::max(low, 0.0);
  high = std::min(high, static_cast<double>(headDim - 1));
  if (low == high) high += 0.001;  // a ramp needs some width
  return {low, high};
}

double yarnMscale(double factor, double mscale) {
  return factor <= 1 ? 1.0 : 0.1 * mscale * std::log(factor) + 1.0;
}

float yarnAttentionScaling(const RopeConfig& rope) {
  if (rope.attentionFactor != 0) return static_cast<float>(rope.attentionFactor);
  if (rope.mscale == 0 || rope.mscaleAllDim == 0) return static_cast<float>(yarnMscale(rope.factor, 1));
  return static_cast<float>(yarnMscale(rope.factor, rope.mscale) /
                            yarnMscale(rope.factor, rope.mscaleAllDim));
}

void fillYarn(const RopeConfig& rope, int headDim, RopeFrequencies& result) {
  const YarnRamp ramp = yarnRamp(rope, headDim);
  for (int pair = 0; pair < headDim / 2; ++pair) {
    const float power = powerOfBase(rope.theta, pair, headDim);
    const float kept = 1.0f / power, stretched = 1.0f / (static_cast<float>(rope.factor) * power);
    const float keep = ramp.keep(pair);
    result.inverse.push_back(stretched * (1 - keep) + kept * keep);
  }
  result.attentionScaling = yarnAttentionScaling(rope);
}

float longRopeAttentionScaling(const RopeConfig& rope) {
  if (rope.attentionFactor != 0) return static_cast<float>(rope.attentionFactor);
  if (rope.factor <= 1) return 1;
  return static_cast<float>(std::sqrt(1 + std::log(rope.factor) / std::log(rope.originalContextLength)));
}

void fillLongRope(const RopeConfig& rope, int headDim, RopeFrequencies& result) {
  const std::vector<float>& factors = rope.takesLong ? rope.longFactors : rope.shortFactors;
  for (int pair = 0; pair < headDim / 2; ++pair)
    result.inverse.push_back(
        1.0f / (factors[static_cast<std::size_t>(pair)] * powerOfBase(rope.theta, pair, headDim)));
  result.attentionScaling = longRopeAttentionScaling(rope);
}

}  // namespace

RopeFrequencies ropeFrequencies(const RopeConfig& rope, int headDim) {
  RopeFrequencies result;
  if (rope.kind == RopeKind::kYarn) {
    fillYarn(rope, headDim, result);
  } else if (rope.kind == RopeKind::kLongRope) {
    fillLongRope(rope, headDim, result);
  } else {
    for (int pair = 0; pair < headDim / 2; ++pair) {
      float frequency = 1.0f / powerOfBase(rope.theta, pair, headDim);
      if (rope.kind == RopeKind::kLinear) frequency /= static_cast<float>(rope.factor);
      if (rope.kind == RopeKind::kLlama3) frequency = stretchLlama3(frequency, rope);
      result.inverse.push_back(frequency);
    }
  }
  for (std::size_t pair = 0; pair < rope.frequencyFactors.size(); ++pair)
    result.inverse[pair] /= rope.frequencyFactors[pair];
  return result;
}

void fillRopeTable(const RopeFrequencies& frequencies, std::int64_t first, std::span<float> cos,
                   std::span<float> sin) {
  const std::size_t half = frequencies.inverse.size();
  for (std::size_t i = 0; i < cos.size(); ++i) {
    const auto position = static_cast<float>(first + static_cast<std::int64_t>(i / half));
    const float angle = position * frequencies.inverse[i % half];
    cos[i] = std::cos(angle) * frequencies.attentionScaling;
    sin[i] = std::sin(angle) * frequencies.attentionScaling;
  }
}

}  // namespace vitrine
