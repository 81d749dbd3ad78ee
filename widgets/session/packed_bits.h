// A number of bits, of surprise or of entropy, in two bytes: a run keeps one for each token that it sampled.
// Thread: pure functions. Read next: text_model.h, uncertainty_model.h.
#pragma once

#include <algorithm>
#include <cstdint>

namespace vitrine {

inline constexpr double kPackedUnits = 1024;  // in a bit, so up to 63 bits
inline constexpr std::uint16_t kBitsUnknown = 65535;

inline std::uint16_t packedBits(double bits) {
  return static_cast<std::uint16_t>(std::clamp(bits * kPackedUnits, 0.0, kBitsUnknown - 1.0));
}
// -1 when they are unknown.
inline float unpackedBits(std::uint16_t packed) {
  return packed == kBitsUnknown ? -1 : static_cast<float>(packed / kPackedUnits);
}

}  // namespace vitrine
