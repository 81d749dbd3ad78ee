#include "formats/block_types.h"

#include <algorithm>

#include <cmath>
#include <cstring>

#include "core/check.h"
#include "formats/small_floats.h"

namespace vitrine {
namespace {

constexpr std::array<BlockTypeInfo, kBlockTypes> kInfos = {{{"F32", 0, 1, 4, 1, false},
                                                            {"F16", 1, 1, 2, 1, false},
                                                            {"BF16", 30, 1, 2, 1, false},
                                                            {"Q8_0", 8, 32, 34, 32, false},
                                                            {"Q4_0", 2, 32, 18, 32, false},
                                                            {"Q4_1", 3, 32, 20, 32, true},
                                                            {"Q5_0", 6, 32, 22, 32, false},
                                                            {"Q5_1", 7, 32, 24, 32, true},
                                                            {"Q2_K", 10, 256, 84, 16, true},
                                                            {"Q3_K", 11, 256, 110, 16, false},
                                                            {"Q4_K", 12, 256, 144, 32, true},
                                                            {"Q5_K", 13, 256, 176, 32, true},
                                                            {"Q6_K", 14, 256, 210, 16, false},
                                                            {"IQ4_NL", 20, 32, 18, 32, false},
                                                            {"IQ4_XS", 23, 256, 136, 32, false},
                                                            {"MXFP4", 39, 32, 17, 32, false}}};

struct OtherType {
  std::uint32_t id;
  const char* name;
};
constexpr std::array<OtherType, 19> kOthers = {{{9, "Q8_1"},
                                                {15, "Q8_K"},
                                                {16, "IQ2_XXS"},
                                                {17, "IQ2_XS"},
                                                {18, "IQ3_XXS"},
                                                {19, "IQ1_S"},
                                                {21, "IQ3_S"},
                                                {22, "IQ2_S"},
                                                {24, "I8"},
                                                {25, "I16"},
                                                {26, "I32"},
                                                {27, "I64"},
                                                {28, "F64"},
                                                {29, "IQ1_M"},
                                                {34, "TQ1_0"},
                                                {35, "TQ2_0"},
                                                {40, "NVFP4"},
                                                {41, "Q1_0"},
                                                {42, "Q2_0"}}};

// The levels of IQ4_NL and IQ4_XS, and MXFP4's (e2m1, doubled so that they are whole numbers).
alignas(16) constexpr std::array<std::int8_t, 16> kNonLinear = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                                1,    13,   25,  38,  53,  69,  89,  113};
alignas(16) constexpr std::array<std::int8_t, 16> kE2m1 = {0, 1,  2,  3,  4,  6,  8,  12,
                                                           0, -1, -2, -3, -4, -6, -8, -12};

std::uint8_t byteAt(const std::byte* bytes, std::int64_t i) {
  return std::to_integer<std::uint8_t>(bytes[i]);
}

std::uint16_t halfAt(const std::byte* bytes) {
  return static_cast<std::uint16_t>(byteAt(bytes, 0) | byteAt(bytes, 1) << 8);
}

// 16 bytes: weight i in the lower half of byte i, weight i + 16 in the upper.
void openNibbles(const std::byte* bytes, std::uint8_t* bits) {
  for (int i = 0; i < 16; ++i) {
    bits[i] = byteAt(bytes, i) & 15;
    bits[i + 16] = byteAt(bytes, i) >> 4;
  }
}

// The fifth bit of weight i is bit i of 4 bytes.
void addFifthBits(const std::byte* bytes, std::uint8_t* bits) {
  for (int i = 0; i < 32; ++i)
    bits[i] = static_cast<std::uint8_t>(bits[i] | (byteAt(bytes, i / 8) >> (i % 8) & 1) << 4);
}

// Q4_K and Q5_K: eight scales and eight minimums of 6 bits in 12 bytes. Bytes 0-3 and 4-7 hold the first four
// of each; the upper two bits of those bytes, with the halves of bytes 8-11, the last four.
void openGroupScales(const std::byte* bytes, OpenedBlock& out) {
  for (int i = 0; i < 4; ++i) {
    const std::uint8_t scale = byteAt(bytes, i), minimum = byteAt(bytes, 4 + i), last = byteAt(bytes, 8 + i);
    out.groupScales[i] = scale & 63;
    out.groupMinimums[i] = minimum & 63;
    out.groupScales[4 + i] = static_cast<std::uint8_t>((last & 15) | (scale >> 6) << 4);
    out.groupMinimums[4 + i] = static_cast<std::uint8_t>(last >> 4 | (minimum >> 6) << 4);
  }
}

// Each 32 bytes hold 64 weights: 32 in the lower halves, the next 32 in the upper. Q5_K's fifth bits: group g
// of 32 in bit g of 32 bytes.
void openK45(const std::byte* block, bool five, OpenedBlock& out) {
  out.scale = halfAt(block);
  out.minimum = halfAt(block + 2);
  openGroupScales(block + 4, out);
  const std::byte* const fifth = block + 16;
  const std::byte* const halves = five ? block + 48 : block + 16;
  for (int group = 0; group < 8; ++group) {
    for (int i = 0; i < 32; ++i) {
      const std::uint8_t pair = byteAt(halves, group / 2 * 32 + i);
      const int lower = group % 2 == 0 ? pair & 15 : pair >> 4;
      const int upper = five ? byteAt(fifth, i) >> group & 1 : 0;
      out.bits[group * 32 + i] = static_cast<std::uint8_t>(lower | upper << 4);
    }
  }
}

// In each half of 128 weights: the lower four bits of weights 0-63 and 64-127 in the halves of 64 bytes, the
// upper two of weights 0-31, 32-63, ... in the quarters of 32 bytes.
void openQ6K(const std::byte* block, OpenedBlock& out) {
  for (int half = 0; half < 2; ++half) {
    const std::byte* const lower = block + half * 64;
    const std::byte* const upper = block + 128 + half * 32;
    for (int i = 0; i < 128; ++i) {
      const int four = i < 64 ? byteAt(lower, i) & 15 : byteAt(lower, i - 64) >> 4;
      const int two = byteAt(upper, i % 32) >> (2 * (i / 32)) & 3;
      out.bits[half * 128 + i] = static_cast<std::uint8_t>(four | two << 4);
    }
  }
  for (int group = 0; group < 16; ++group) out.groupScales[group] = byteAt(block, 192 + group);
  out.scale = halfAt(block + 208);
}

// In each half of 128 weights: two bits of weights 0-31, 32-63, ... in the quarters of 32 bytes.
void openQuarters(const std::byte* bytes, OpenedBlock& out) {
  for (int i = 0; i < 256; ++i)
    out.bits[i] = byteAt(bytes, i / 128 * 32 + i % 32) >> (2 * (i % 128 / 32)) & 3;
}

// Each of 16 bytes holds a scale in its lower half and a minimum in its upper.
void openQ2K(const std::byte* block, OpenedBlock& out) {
  openQuarters(block + 16, out);
  for (int group = 0; group < 16; ++group) {
    out.groupScales[group] = byteAt(block, group) & 15;
    out.groupMinimums[group] = byteAt(block, group) >> 4;
  }
  out.scale = halfAt(block + 80);
  out.minimum = halfAt(block + 82);
}

// The third bits: those of weights 32 n to 32 n + 31 in bit n of 32 bytes. The scales, less 32, in 12 bytes:
// the lower four bits of scales 0-7 and 8-15 in the halves of 8, the upper two of scales 0-3, 4-7, ... in the
// quarters of 4.
void openQ3K(const std::byte* block, OpenedBlock& out) {
  openQuarters(block + 32, out);
  for (int i = 0; i < 256; ++i)
    out.bits[i] = static_cast<std::uint8_t>(out.bits[i] | (byteAt(block, i % 32) >> (i / 32) & 1) << 2);
  const std::byte* const lower = block + 96;
  const std::byte* const upper = block + 104;
  for (int group = 0; group < 16; ++group) {
    const int four = group < 8 ? byteAt(lower, group) & 15 : byteAt(lower, group - 8) >> 4;
    const int two = byteAt(upper, group % 4) >> (2 * (group / 4)) & 3;
    out.groupScales[group] = static_cast<std::uint8_t>((four | two << 4) - 32);
  }
  out.scale = halfAt(block + 108);
}

// The scales, less 32: the upper two bits of scale n in bits 2 n and 2 n + 1 of two bytes, the lower four of
// two scales in each of the next four. Then 16 bytes for each 32 weights, as IQ4_NL has them.
void openIq4Xs(const std::byte* block, OpenedBlock& out) {
  out.scale = halfAt(block);
  const std::uint16_t upper = halfAt(block + 2);
  for (int group = 0; group < 8; ++group) {
    const int four = byteAt(block, 4 + group / 2) >> (4 * (group % 2)) & 15;
    out.groupScales[group] = static_cast<std::uint8_t>((four | (upper >> (2 * group) & 3) << 4) - 32);
    openNibbles(block + 8 + 16 * group, out.bits.data() + 32 * group);
  }
}

// Where the block's scale stands. A minimum follows it.
std::int64_t scalePlace(BlockType type) {
  switch (type) {
    case BlockType::kQ2K:
      return 80;
    case BlockType::kQ3K:
      return 108;
    case BlockType::kQ6K:
      return 208;
    default:
      return 0;
  }
}

// A power of two, 2^(e - 128), as bfloat16; the first two are subnormal there.
std::uint16_t powerScale(std::uint8_t e) {
  return static_cast<std::uint16_t>(e < 2 ? 0x20 << e : (e - 1) << 7);
}

}  // namespace

const BlockTypeInfo& blockTypeInfo(BlockType type) { return kInfos[static_cast<std::size_t>(type)]; }

std::optional<BlockType> blockTypeOf(std::uint32_t id) {
  for (std::size_t i = 0; i < kInfos.size(); ++i)
    if (kInfos[i].id == id) return static_cast<BlockType>(i);
  return {};
}

std::string blockTypeName(std::uint32_t id) {
  if (const auto known = blockTypeOf(id)) return blockTypeInfo(*known).name;
  for (const OtherType& other : kOthers)
    if (other.id == id) return other.name;
  return "number " + std::to_string(id);
}

std::string knownBlockTypes() {
  std::string names;
  for (const BlockTypeInfo& info : kInfos) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return names;
}

std::int64_t rowBytes(BlockType type, std::int64_t count) {
  const BlockTypeInfo& info = blockTypeInfo(type);
  VITRINE_CHECK(count % info.length == 0);
  return count / info.length * info.bytes;
}

void openBlock(BlockType type, const std::byte* block, OpenedBlock& out) {
  VITRINE_CHECK(!isFloat(type));
  if (type == BlockType::kQ4K || type == BlockType::kQ5K) return openK45(block, type == BlockType::kQ5K, out);
  if (type == BlockType::kQ2K) return openQ2K(block, out);
  if (type == BlockType::kQ3K) return openQ3K(block, out);
  if (type == BlockType::kQ6K) return openQ6K(block, out);
  if (type == BlockType::kIq4Xs) return openIq4Xs(block, out);
  if (type == BlockType::kMxfp4) {
    out.scale = powerScale(byteAt(block, 0));
    return openNibbles(block + 1, out.bits.data());
  }
  out.scale = halfAt(block);
  const bool five = type == BlockType::kQ50 || type == BlockType::kQ51;
  const std::byte* rest = block + 2;
  if (type == BlockType::kQ80) return static_cast<void>(std::memcpy(out.bits.data(), rest, 32));
  if (blockTypeInfo(type).hasOffset) {
    out.minimum = halfAt(rest);
    rest += 2;
  }
  openNibbles(five ? rest + 4 : rest, out.bits.data());
  if (five) addFifthBits(rest, out.bits.data());
}

GroupScale groupScale(BlockType type, const OpenedBlock& block, std::int64_t group) {
  if (type == BlockType::kMxfp4) return {bf16ToFloat(block.scale), 0};
  const float scale = halfToFloat(block.scale);
  const auto g = static_cast<std::size_t>(group);
  switch (type) {
    case BlockType::kQ2K:
    case BlockType::kQ4K:
    case BlockType::kQ5K:
      return {scale * static_cast<float>(block.groupScales[g]),
              -(halfToFloat(block.minimum) * static_cast<float>(block.groupMinimums[g]))};
    case BlockType::kQ3K:
    case BlockType::kQ6K:
    case BlockType::kIq4Xs:
      return {scale * static_cast<float>(static_cast<std::int8_t>(block.groupScales[g])), 0};
    default:
      return {scale, blockTypeInfo(type).hasOffset ? halfToFloat(block.minimum) : 0};
  }
}

const std::uint8_t* blockLevels(BlockType type) {
  return reinterpret_cast<const std::uint8_t*>((type == BlockType::kMxfp4 ? kE2m1 : kNonLinear).data());
}

int valueOf(BlockType type, std::uint8_t bits) {
  switch (type) {
    case BlockType::kQ80:
      return static_cast<std::int8_t>(bits);
    case BlockType::kQ40:
      return bits - 8;
    case BlockType::kQ50:
      return bits - 16;
    case BlockType::kQ3K:
      return bits - 4;
    case BlockType::kQ6K:
      return bits - 32;
    case BlockType::kIq4Nl:
    case BlockType::kIq4Xs:
      return kNonLinear[bits];
    case BlockType::kMxfp4:
      return kE2m1[bits];
    default:
      return bits;
  }
}

namespace {

void decodeFloats(BlockType type, const std::byte* floats, std::span<float> out) {
  if (type == BlockType::kF32) return static_cast<void>(std::memcpy(out.data(), floats, out.size_bytes()));
  for (float& value : out) {
    const std::uint16_t bits = halfAt(floats);
    value = type == BlockType::kF16 ? halfToFloat(bits) : bf16ToFloat(bits);
    floats += 2;
  }
}

}  // namespace

void decodeBlocks(BlockType type, const std::byte* blocks, std::span<float> out) {
  if (isFloat(type)) return decodeFloats(type, blocks, out);
  const BlockTypeInfo& info = blockTypeInfo(type);
  const auto length = static_cast<std::size_t>(info.length), group = static_cast<std::size_t>(info.group);
  VITRINE_CHECK(out.size() % length == 0);
  OpenedBlock opened;
  for (; !out.empty(); out = out.subspan(length), blocks += info.bytes) {
    openBlock(type, blocks, opened);
    for (std::size_t begin = 0; begin < length; begin += group) {
      const GroupScale by = groupScale(type, opened, static_cast<std::int64_t>(begin / group));
      for (std::size_t i = begin; i < begin + group; ++i) {
        out[i] = by.scale * static_cast<float>(valueOf(type, opened.bits[i]));
        if (info.hasOffset) out[i] += by.offset;
      }
    }
  }
}

WeightRows rowsOf(const BlockMatrix& matrix) {
  return {matrix.type, matrix.outFeatures, matrix.inFeatures,
          [matrix](std::int64_t first, std::span<std::byte> rows) {
            std::copy_n(matrix.row(first), rows.size(), rows.data());
          }};
}

std::int64_t firstUnfitBlock(BlockType type, const std::byte* blocks, std::int64_t count) {
  VITRINE_CHECK(!isFloat(type));
  constexpr std::uint16_t kExponent = 0x7c00;        // of a float16; all ones: infinite, or not a number
  constexpr std::uint8_t kLargestPower = 128 + 124;  // 12 * 2^124 is a float32
  const BlockTypeInfo& info = blockTypeInfo(type);
  const std::int64_t scaleAt = scalePlace(type);
  const auto fits = [](const std::byte* half) { return (halfAt(half) & kExponent) != kExponent; };
  for (std::int64_t i = 0; i < count / info.length; ++i, blocks += info.bytes) {
    const bool fit = type == BlockType::kMxfp4
                         ? byteAt(blocks, 0) <= kLargestPower
                         : fits(blocks + scaleAt) && (!info.hasOffset || fits(blocks + scaleAt + 2));
    if (!fit) return i;
  }
  return -1;
}

}  // namespace vitrine
