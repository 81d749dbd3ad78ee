#include "backends/cpu/block_panels.h"

#include <array>
#include <cstring>

#include "core/check.h"

namespace vitrine::cpu {
namespace {

constexpr std::size_t kColumns = static_cast<std::size_t>(kPanelColumns);
using Opened = std::array<OpenedBlock, kColumns>;

bool isK45(BlockType type) { return type == BlockType::kQ4K || type == BlockType::kQ5K; }

// Bits of a weight that stand together, and how many more stand behind them.
int lowerBits(BlockType type) { return type == BlockType::kQ2K || type == BlockType::kQ3K ? 2 : 4; }
int upperBits(BlockType type) { return static_cast<int>(panelBytes(type).row) / 4 - lowerBits(type); }

// Groups of a block whose scales are signed bytes; 0: they are none.
std::size_t signedScales(BlockType type) {
  switch (type) {
    case BlockType::kQ3K:
    case BlockType::kQ6K:
      return 16;
    case BlockType::kIq4Xs:
      return 8;
    default:
      return 0;
  }
}

// Turns 8 rows of 8 bytes, `stride` bytes apart, into 8 columns: halves, quarters and bytes of words change
// places. Byte after byte, loading a model took a third longer.
void turnBytes(const std::uint8_t* rows, std::size_t stride, std::uint8_t* columns) {
  std::uint64_t x[8];
  for (std::size_t i = 0; i < 8; ++i) std::memcpy(&x[i], rows + i * stride, 8);
  const auto exchange = [&](std::size_t i, std::size_t k, int shift, std::uint64_t mask) {
    const std::uint64_t different = (x[i] >> shift ^ x[k]) & mask;
    x[i] ^= different << shift;
    x[k] ^= different;
  };
  for (const std::size_t i : {0, 1, 2, 3}) exchange(i, i + 4, 32, 0x00000000FFFFFFFF);
  for (const std::size_t i : {0, 1, 4, 5}) exchange(i, i + 2, 16, 0x0000FFFF0000FFFF);
  for (const std::size_t i : {0, 2, 4, 6}) exchange(i, i + 1, 8, 0x00FF00FF00FF00FF);
  for (std::size_t i = 0; i < 8; ++i) std::memcpy(columns + i * kColumns, &x[i], 8);
}

// `count` bits of each column, one or two, from bit `first` on: column c's from bit `count` times c on.
void packBits(const std::uint8_t* bits, int first, int count, std::uint8_t* out) {
  std::uint64_t word = 0;
  for (std::size_t c = 0; c < kColumns; ++c)
    word |= static_cast<std::uint64_t>(bits[c] >> first & ((1 << count) - 1))
            << (c * static_cast<std::size_t>(count));
  std::memcpy(out, &word, static_cast<std::size_t>(4 * count));
}
int packedBits(const std::uint8_t* packed, int count, std::size_t column) {
  std::uint64_t word = 0;
  std::memcpy(&word, packed, static_cast<std::size_t>(4 * count));
  return static_cast<int>(word >> (column * static_cast<std::size_t>(count)) & ((1u << count) - 1));
}

// `bits` are an input's of all columns.
void packInput(BlockType type, const std::uint8_t* bits, std::uint8_t* out) {
  if (type == BlockType::kQ80) return static_cast<void>(std::memcpy(out, bits, kColumns));
  const int lower = lowerBits(type), upper = upperBits(type);
  if (lower == 2)
    packBits(bits, 0, 2, out);
  else
    for (std::size_t c = 0; c < 16; ++c)
      out[c] = static_cast<std::uint8_t>((bits[c] & 15) | bits[c + 16] << 4);
  if (upper > 0) packBits(bits, lower, upper, out + 4 * lower);
}

void storeHalf(std::uint8_t* halves, std::size_t column, std::uint16_t value) {
  std::memcpy(halves + 2 * column, &value, 2);
}
std::uint16_t loadHalf(const std::uint8_t* halves, std::size_t column) {
  std::uint16_t value;
  std::memcpy(&value, halves + 2 * column, 2);
  return value;
}

void packScales(BlockType type, const OpenedBlock& block, std::size_t column, std::uint8_t* record) {
  storeHalf(record, column, block.scale);
  for (std::size_t g = 0; g < signedScales(type); ++g)
    record[64 + g * kColumns + column] = block.groupScales[g];
  if (!blockTypeInfo(type).hasOffset) return;
  storeHalf(record + 64, column, block.minimum);
  if (type == BlockType::kQ2K) {
    for (std::size_t g = 0; g < 16; ++g)
      record[128 + g * kColumns + column] =
          static_cast<std::uint8_t>(block.groupScales[g] | block.groupMinimums[g] << 4);
  } else if (isK45(type)) {
    for (std::size_t g = 0; g < 8; ++g) {
      record[128 + 2 * g * kColumns + column] = block.groupScales[g];
      record[128 + (2 * g + 1) * kColumns + column] = block.groupMinimums[g];
    }
  }
}

// The scales of a record as the block had them; packScales() the other way.
void openScales(BlockType type, const std::uint8_t* record, std::size_t column, OpenedBlock& block) {
  block.scale = loadHalf(record, column);
  for (std::size_t g = 0; g < signedScales(type); ++g)
    block.groupScales[g] = record[64 + g * kColumns + column];
  if (!blockTypeInfo(type).hasOffset) return;
  block.minimum = loadHalf(record + 64, column);
  if (type == BlockType::kQ2K) {
    for (std::size_t g = 0; g < 16; ++g) {
      block.groupScales[g] = record[128 + g * kColumns + column] & 15;
      block.groupMinimums[g] = record[128 + g * kColumns + column] >> 4;
    }
  } else if (isK45(type)) {
    for (std::size_t g = 0; g < 8; ++g) {
      block.groupScales[g] = record[128 + 2 * g * kColumns + column];
      block.groupMinimums[g] = record[128 + (2 * g + 1) * kColumns + column];
    }
  }
}

std::uint8_t bitsOf(BlockType type, const std::uint8_t* row, std::size_t column) {
  if (type == BlockType::kQ80) return row[column];
  const int lower = lowerBits(type), upper = upperBits(type);
  const int low = lower == 2    ? packedBits(row, 2, column)
                  : column < 16 ? row[column] & 15
                                : row[column - 16] >> 4;
  const int high = upper > 0 ? packedBits(row + 4 * lower, upper, column) : 0;
  return static_cast<std::uint8_t>(low | high << lower);
}

}  // namespace

void packBlockPanel(BlockType type, std::span<const std::byte* const> rows, std::int64_t inFeatures,
                    std::uint8_t* weights, std::uint8_t* scales) {
  const BlockTypeInfo& info = blockTypeInfo(type);
  const PanelBytes bytes = panelBytes(type);
  VITRINE_CHECK(rows.size() <= kColumns && inFeatures % info.length == 0 && info.length == bytes.span);
  Opened blocks{};  // columns without a row stay zero
  std::array<std::uint8_t, kColumns* static_cast<std::size_t>(kLongestBlock)> turned;  // [input][column]
  for (std::int64_t first = 0; first < inFeatures; first += info.length) {
    for (std::size_t c = 0; c < rows.size(); ++c) {
      openBlock(type, rows[c] + first / info.length * info.bytes, blocks[c]);
      packScales(type, blocks[c], c, scales);
    }
    scales += bytes.record;
    for (std::size_t column = 0; column < kColumns; column += 8)
      for (std::size_t i = 0; i < static_cast<std::size_t>(info.length); i += 8)
        turnBytes(blocks[column].bits.data() + i, sizeof(OpenedBlock), turned.data() + i * kColumns + column);
    for (std::int64_t i = 0; i < info.length; ++i, weights += bytes.row)
      packInput(type, turned.data() + static_cast<std::size_t>(i) * kColumns, weights);
  }
}

void unpackBlockColumn(BlockType type, const std::uint8_t* weights, const std::uint8_t* scales,
                       std::int64_t column, std::span<float> out) {
  const BlockTypeInfo& info = blockTypeInfo(type);
  const PanelBytes bytes = panelBytes(type);
  const auto c = static_cast<std::size_t>(column), group = static_cast<std::size_t>(info.group);
  OpenedBlock block;
  GroupScale by;
  for (std::size_t i = 0; i < out.size(); ++i, weights += bytes.row) {
    const std::size_t within = i % static_cast<std::size_t>(info.length);
    if (within == 0) {
      openScales(type, scales, c, block);
      scales += bytes.record;
    }
    if (i % group == 0) by = groupScale(type, block, static_cast<std::int64_t>(within / group));
    out[i] = by.scale * static_cast<float>(valueOf(type, bitsOf(type, weights, c)));
    if (info.hasOffset) out[i] += by.offset;
  }
}

}  // namespace vitrine::cpu
