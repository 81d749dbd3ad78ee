#include "backends/cpu/block_panels.h"

#include <array>
#include <cstring>

#include "core/check.h"

namespace vitrine::cpu {
namespace {

constexpr std::size_t kColumns = static_cast<std::size_t>(kPanelColumns);
using Opened = std::array<OpenedBlock, kColumns>;

bool isK45(BlockType type) { return type == BlockType::kQ4K || type == BlockType::kQ5K; }

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

// A plane of Bits bits, from bit `first` of each weight on. quads [kChunk / kQuad] rows of a byte for each.
// The panel's memory is written and never read: the system would give it a page of zeros to read, and another
// when it is written.
template <int Bits>
void packPlane(const std::uint8_t* quads, int first, std::uint8_t* out) {
  constexpr int kQuads = 8 / Bits, kMask = (1 << Bits) - 1;
  for (int row = 0; row < Bits; ++row, out += kQuadRow) {
    std::uint8_t bytes[kQuadRow] = {};
    for (int quad = 0; quad < kQuads; ++quad, quads += kQuadRow)
      for (std::int64_t i = 0; i < kQuadRow; ++i)
        bytes[i] = static_cast<std::uint8_t>(bytes[i] | (quads[i] >> first & kMask) << (Bits * quad));
    std::memcpy(out, bytes, sizeof bytes);
  }
}
void packPlane(const std::uint8_t* quads, int first, int bits, std::uint8_t* out) {
  switch (bits) {
    case 1:
      return packPlane<1>(quads, first, out);
    case 2:
      return packPlane<2>(quads, first, out);
    case 4:
      return packPlane<4>(quads, first, out);
    default:
      return packPlane<8>(quads, first, out);
  }
}

// Bits of a column's weight in a plane of a chunk.
int planeBits(const std::uint8_t* plane, int bits, std::int64_t column, std::int64_t input) {
  const std::int64_t quad = input / kQuad, quads = 8 / bits;
  return plane[quad / quads * kQuadRow + column * kQuad + input % kQuad] >> (quad % quads * bits) &
         ((1 << bits) - 1);
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

std::uint8_t bitsOf(const PanelBits& bits, const std::uint8_t* chunk, std::int64_t column,
                    std::int64_t input) {
  const int low = planeBits(chunk, bits.lower, column, input);
  if (bits.upper == 0) return static_cast<std::uint8_t>(low);
  const int high = planeBits(chunk + bits.lowerBytes(), bits.upper, column, input);
  return static_cast<std::uint8_t>(low | high << bits.lower);
}

}  // namespace

void packBlockPanel(BlockType type, std::span<const std::byte* const> rows, std::int64_t inFeatures,
                    std::uint8_t* weights, std::uint8_t* scales) {
  const BlockTypeInfo& info = blockTypeInfo(type);
  const PanelBits bits = panelBits(type);
  VITRINE_CHECK(rows.size() <= kColumns && inFeatures % info.length == 0 && info.length == bits.span);
  Opened blocks{};  // columns without a row stay zero
  std::array<std::uint8_t, kChunk / kQuad * kQuadRow> quads;
  for (std::int64_t first = 0; first < inFeatures; first += info.length) {
    for (std::size_t c = 0; c < rows.size(); ++c) {
      openBlock(type, rows[c] + first / info.length * info.bytes, blocks[c]);
      packScales(type, blocks[c], c, scales);
    }
    scales += bits.record;
    for (std::int64_t chunk = 0; chunk < info.length; chunk += kChunk, weights += bits.chunkBytes()) {
      for (std::int64_t quad = 0; quad < kChunk / kQuad; ++quad)
        for (std::int64_t c = 0; c < kPanelColumns; ++c)
          std::memcpy(quads.data() + quad * kQuadRow + c * kQuad,
                      blocks[static_cast<std::size_t>(c)].bits.data() + chunk + quad * kQuad, kQuad);
      packPlane(quads.data(), 0, bits.lower, weights);
      if (bits.upper > 0) packPlane(quads.data(), bits.lower, bits.upper, weights + bits.lowerBytes());
    }
  }
}

void unpackBlockColumn(BlockType type, const std::uint8_t* weights, const std::uint8_t* scales,
                       std::int64_t column, std::span<float> out) {
  const BlockTypeInfo& info = blockTypeInfo(type);
  const PanelBits bits = panelBits(type);
  OpenedBlock block;
  GroupScale by;
  const auto inputs = static_cast<std::int64_t>(out.size());
  for (std::int64_t i = 0; i < inputs; ++i) {
    const std::int64_t within = i % info.length;
    if (within == 0) {
      openScales(type, scales, static_cast<std::size_t>(column), block);
      scales += bits.record;
    }
    if (i % info.group == 0) by = groupScale(type, block, within / info.group);
    const std::uint8_t stored = bitsOf(bits, weights + i / kChunk * bits.chunkBytes(), column, i % kChunk);
    float& value = out[static_cast<std::size_t>(i)];
    value = by.scale * static_cast<float>(valueOf(type, stored));
    if (info.hasOffset) value += by.offset;
  }
}

}  // namespace vitrine::cpu
