// Blocks of random bits whose weights have about the spread asked for: what a quantizer might have written.
#pragma once

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "formats/block_types.h"
#include "formats/small_floats.h"

namespace vitrine::test {

// `count` weights; any type, floats included.
inline std::vector<std::byte> randomBlocks(BlockType type, std::int64_t count, float spread,
                                           std::mt19937& random) {
  const BlockTypeInfo& info = blockTypeInfo(type);
  std::vector<std::byte> bytes(static_cast<std::size_t>(rowBytes(type, count)));
  std::normal_distribution<float> draw(0, spread);
  const auto put = [](std::byte* at, std::uint16_t bits) { std::memcpy(at, &bits, 2); };
  if (isFloat(type)) {
    for (std::int64_t i = 0; i < count; ++i) {
      const float value = draw(random);
      std::byte* const at = bytes.data() + i * info.bytes;
      if (type == BlockType::kF32) std::memcpy(at, &value, 4);
      if (type == BlockType::kF16) put(at, floatToHalf(value));
      if (type == BlockType::kBf16) put(at, floatToBf16(value));
    }
    return bytes;
  }
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  // The root of the mean square of the values, by type; K types: times that of the groups' scales.
  constexpr float kRoots[kBlockTypes] = {1,  1,  1,   74,  4.6f, 4.6f, 9.2f, 9.2f,
                                         14, 43, 257, 517, 1366, 68,   1260, 5};
  for (std::byte* block = bytes.data(); block < bytes.data() + bytes.size(); block += info.bytes) {
    const float scale =
        spread / kRoots[static_cast<std::size_t>(type)] * (0.5f + float(random() % 100) / 100);
    if (type == BlockType::kMxfp4) {
      block[0] = static_cast<std::byte>(128 + std::lround(std::log2(scale)));
    } else if (type == BlockType::kQ6K || type == BlockType::kQ3K) {
      put(block + (type == BlockType::kQ6K ? 208 : 108), floatToHalf(scale));
    } else if (type == BlockType::kQ2K) {
      put(block + 80, floatToHalf(scale));
      put(block + 82, floatToHalf(1.5f * scale));
    } else {
      put(block, floatToHalf(random() % 2 == 0 || info.length == kLongestBlock ? scale : -scale));
      const float middle = type == BlockType::kQ41   ? -7.5f
                           : type == BlockType::kQ51 ? -15.5f
                           : type == BlockType::kQ4K ? 7.5f
                                                     : 15.5f;
      if (info.hasOffset) {
        std::uint16_t signedScale;
        std::memcpy(&signedScale, block, 2);
        put(block + 2, floatToHalf(halfToFloat(signedScale) * middle));
      }
    }
  }
  return bytes;
}

// A weight matrix of such blocks.
struct RandomMatrix {
  BlockType type;
  std::int64_t out, in;
  std::vector<std::byte> bytes;

  RandomMatrix(BlockType kind, std::int64_t outputs, std::int64_t inputs, std::mt19937& random)
      : type(kind), out(outputs), in(inputs), bytes(randomBlocks(kind, outputs * inputs, 0.1f, random)) {}
  WeightRows blocks() const { return rowsOf(BlockMatrix{type, bytes.data(), out, in}); }
};

}  // namespace vitrine::test
