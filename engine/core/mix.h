// mixBits(): spreads every bit of a number over all 64, so that near numbers give far ones: the finisher of
// SplitMix64 (Steele, Lea, Flood 2014). For hashes and seeds that need no secrecy. Thread: any.
#pragma once

#include <cstdint>

namespace vitrine {

// SplitMix64's step, the golden ratio in 64 bits. Adding it first keeps 0 from staying 0.
inline constexpr std::uint64_t kGoldenRatio = 0x9E3779B97F4A7C15u;

constexpr std::uint64_t mixBits(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
  return bits ^ (bits >> 31);
}

}  // namespace vitrine
