#include "formats/block_encode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "core/check.h"
#include "formats/quantize.h"
#include "formats/small_floats.h"

namespace vitrine {
namespace {

void put(std::byte* at, std::uint16_t bits) { std::memcpy(at, &bits, 2); }

void encodeQ80(std::span<const float> weights, std::byte* out) {
  float largest = 0;
  for (const float weight : weights) largest = std::max(largest, std::abs(weight));
  const float scale = largest / 127, inverse = scale == 0 ? 0 : 1 / scale;
  put(out, floatToHalf(scale));
  for (std::size_t i = 0; i < weights.size(); ++i)
    out[2 + i] = static_cast<std::byte>(static_cast<std::int8_t>(std::round(weights[i] * inverse)));
}

void packNibbles(const std::uint8_t* low, const std::uint8_t* high, std::size_t count, std::byte* out) {
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<std::byte>(low[i] | high[i] << 4);
}

// The weight of the largest magnitude becomes -8, whatever its sign.
void encodeQ40(std::span<const float> weights, std::byte* out) {
  float largest = 0;
  for (const float weight : weights)
    if (std::abs(weight) > std::abs(largest)) largest = weight;
  const float scale = largest / -8, inverse = scale == 0 ? 0 : 1 / scale;
  put(out, floatToHalf(scale));
  std::array<std::uint8_t, 32> bits;
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = static_cast<std::uint8_t>(std::clamp(std::trunc(weights[i] * inverse + 8.5f), 0.0f, 15.0f));
  packNibbles(bits.data(), bits.data() + 16, 16, out + 2);
}

// weight = scale * value - minimum with values 0..15 and minimum >= 0.
struct Line {
  float scale = 0, minimum = 0, error = 0;
};

std::uint8_t valueOn(float weight, float scale, float minimum) {
  if (scale == 0) return 0;
  return static_cast<std::uint8_t>(std::clamp(std::nearbyint((weight + minimum) / scale), 0.0f, 15.0f));
}

// How much an error of a weight counts: large ones matter more, but not alone.
float importance(float weight, float typical) { return typical + std::abs(weight); }

// The line that fits best, by least squares, to the values that a first guess gives the weights. `typical` is
// the root of their mean square.
Line fitted(std::span<const float> weights, float typical, float scale, float minimum) {
  float n = 0, sumQ = 0, sumQQ = 0, sumW = 0, sumQW = 0;
  for (const float weight : weights) {
    const float q = valueOn(weight, scale, minimum), by = importance(weight, typical);
    n += by, sumQ += by * q, sumQQ += by * q * q, sumW += by * weight, sumQW += by * q * weight;
  }
  const float spread = n * sumQQ - sumQ * sumQ;
  Line line{scale, minimum, 0};
  if (spread > 0) {
    line.scale = (n * sumQW - sumQ * sumW) / spread;
    line.minimum = -(sumW - line.scale * sumQ) / n;
    if (line.minimum < 0) line = {sumQQ > 0 ? sumQW / sumQQ : 0, 0, 0};
    if (line.scale <= 0) line = {scale, minimum, 0};
  }
  for (const float weight : weights) {
    const float q = valueOn(weight, line.scale, line.minimum);
    const float off = line.scale * q - line.minimum - weight;
    line.error += importance(weight, typical) * off * off;
  }
  return line;
}

Line bestLine(std::span<const float> weights) {
  const auto [least, most] = std::ranges::minmax(weights);
  const float low = std::min(least, 0.0f);
  if (most <= low) return {0, -low, 0};
  float squares = 0;
  for (const float weight : weights) squares += weight * weight;
  const float typical = std::sqrt(squares / static_cast<float>(weights.size()));
  Line best{0, 0, INFINITY};
  for (int step = -10; step <= 20; ++step) {  // wider and narrower than the whole range
    const Line line = fitted(weights, typical, (most - low) / (15 + static_cast<float>(step) * 0.1f), -low);
    if (line.error < best.error) best = line;
  }
  return best;
}

// The eight scales or minimums in 6 bits each, and what they are multiplied by.
std::uint16_t sixBits(const std::array<float, 8>& numbers, std::array<std::uint8_t, 8>& bits) {
  const float largest = std::ranges::max(numbers);
  const std::uint16_t half = floatToHalf(largest / 63);
  const float unit = halfToFloat(half);
  for (std::size_t i = 0; i < 8; ++i)
    bits[i] =
        static_cast<std::uint8_t>(unit == 0 ? 0 : std::clamp(std::nearbyint(numbers[i] / unit), 0.0f, 63.0f));
  return half;
}

void packGroupScales(const std::array<std::uint8_t, 8>& scales, const std::array<std::uint8_t, 8>& minimums,
                     std::byte* out) {
  for (std::size_t i = 0; i < 4; ++i) {
    out[i] = static_cast<std::byte>(scales[i] | (scales[4 + i] >> 4) << 6);
    out[4 + i] = static_cast<std::byte>(minimums[i] | (minimums[4 + i] >> 4) << 6);
    out[8 + i] = static_cast<std::byte>((scales[4 + i] & 15) | (minimums[4 + i] & 15) << 4);
  }
}

void encodeQ4K(std::span<const float> weights, std::byte* out) {
  std::array<float, 8> scales, minimums;
  for (std::size_t group = 0; group < 8; ++group) {
    const Line line = bestLine(weights.subspan(group * 32, 32));
    scales[group] = line.scale;
    minimums[group] = line.minimum;
  }
  std::array<std::uint8_t, 8> scaleBits, minimumBits;
  const std::uint16_t scale = sixBits(scales, scaleBits), minimum = sixBits(minimums, minimumBits);
  put(out, scale);
  put(out + 2, minimum);
  packGroupScales(scaleBits, minimumBits, out + 4);
  std::array<std::uint8_t, 256> bits;
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = valueOn(weights[i], halfToFloat(scale) * scaleBits[i / 32],
                      halfToFloat(minimum) * minimumBits[i / 32]);
  for (std::size_t pair = 0; pair < 4; ++pair)
    packNibbles(bits.data() + pair * 64, bits.data() + pair * 64 + 32, 32, out + 16 + pair * 32);
}

void encodeFloats(BlockType type, std::span<const float> weights, std::byte* out) {
  if (type == BlockType::kF32)
    return static_cast<void>(std::memcpy(out, weights.data(), weights.size_bytes()));
  for (std::size_t i = 0; i < weights.size(); ++i)
    put(out + 2 * i, type == BlockType::kF16 ? floatToHalf(weights[i]) : floatToBf16(weights[i]));
}

}  // namespace

bool canEncode(BlockType type) {
  return isFloat(type) || type == BlockType::kQ80 || type == BlockType::kQ40 || type == BlockType::kQ4K;
}

void encodeBlocks(BlockType type, std::span<const float> weights, std::byte* out) {
  VITRINE_CHECK(canEncode(type));
  if (isFloat(type)) return encodeFloats(type, weights, out);
  const BlockTypeInfo& info = blockTypeInfo(type);
  const auto length = static_cast<std::size_t>(info.length);
  VITRINE_CHECK(weights.size() % length == 0);
  for (; !weights.empty(); weights = weights.subspan(length), out += info.bytes) {
    const auto block = weights.first(length);
    if (type == BlockType::kQ80) encodeQ80(block, out);
    if (type == BlockType::kQ40) encodeQ40(block, out);
    if (type == BlockType::kQ4K) encodeQ4K(block, out);
  }
}

void encodeGroups(BlockType type, std::span<const float> weights, std::byte* out) {
  VITRINE_CHECK(type == BlockType::kQ80 || type == BlockType::kQ40);
  const BlockTypeInfo& info = blockTypeInfo(type);
  VITRINE_CHECK(info.length == kQuantGroup && std::ssize(weights) % kQuantGroup == 0);
  for (; !weights.empty(); weights = weights.subspan(kQuantGroup), out += info.bytes) {
    std::int8_t values[kQuantGroup];
    put(out, floatToHalf(bf16ToFloat(
                 quantizeGroup(weights.first(kQuantGroup), type == BlockType::kQ80 ? 8 : 4, values))));
    if (type == BlockType::kQ80) {
      std::memcpy(out + 2, values, sizeof values);
      continue;
    }
    std::uint8_t bits[kQuantGroup];
    for (std::size_t i = 0; i < kQuantGroup; ++i) bits[i] = static_cast<std::uint8_t>(values[i] + 8);
    packNibbles(bits, bits + 16, 16, out + 2);
  }
}

}  // namespace vitrine
