#include "core/checksum64.h"

#include <bit>
#include <cstring>

namespace vitrine {
namespace {

constexpr std::uint64_t kOdd1 = 0x9E3779B185EBCA87, kOdd2 = 0xC2B2AE3D27D4EB4F;

// One to one in the lane and in the word, so that a word that differs always leaves a lane that differs.
std::uint64_t stir(std::uint64_t lane, std::uint64_t word) {
  return std::rotl(lane + word * kOdd2, 31) * kOdd1;
}

std::uint64_t wordAt(const std::byte* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

std::uint64_t checksum64(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t lanes[4] = {seed + kOdd1 + kOdd2, seed + kOdd2, seed, seed - kOdd1};
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  for (; left >= 32; left -= 32, at += 32)
    for (std::size_t i = 0; i < 4; ++i) lanes[i] = stir(lanes[i], wordAt(at + 8 * i));
  for (; left >= 8; left -= 8, at += 8) lanes[0] = stir(lanes[0], wordAt(at));
  for (; left > 0; --left, ++at) lanes[1] = stir(lanes[1], std::to_integer<std::uint64_t>(*at));
  std::uint64_t sum = bytes.size();
  for (const std::uint64_t lane : lanes) sum = stir(sum, lane);
  sum = (sum ^ sum >> 33) * kOdd2;
  return sum ^ sum >> 29;
}

}  // namespace vitrine
