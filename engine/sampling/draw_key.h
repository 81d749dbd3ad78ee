// DrawKey: which random number a draw takes.
//
// A number is a pure function of (request's seed, answer's index, position, use), so a token does not depend
// on when and with which others it is drawn (core/philox.h). Thread: values. Read next: sampler.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/mix.h"
#include "core/philox.h"

namespace vitrine {

// The use of each of a position's random numbers; they are independent. With DraftAcceptance::kSameDraw the
// drafter takes the model's own, kSample.
enum class DrawUse : std::uint32_t { kSample, kDraft, kAccept, kResidual };

// One seed of the engine's and a request's, so that neighbouring seeds are far apart.
constexpr std::uint64_t mixSeeds(std::uint64_t engine, std::uint64_t request) {
  return mixBits(engine * kGoldenRatio + request);
}

struct DrawKey {
  std::uint64_t seed;
  std::uint32_t sequence, position;

  // Uniform in [0, 1).
  double uniform(DrawUse use) const {
    return uniformDraw(seed, sequence, position, static_cast<std::uint32_t>(use));
  }
  DrawKey after(std::size_t tokens) const {
    return {seed, sequence, position + static_cast<std::uint32_t>(tokens)};
  }
};

}  // namespace vitrine
