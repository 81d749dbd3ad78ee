#include "backends/cuda/block_tiles.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "backends/cuda/block_formats.h"
#include "core/check.h"
#include "core/first_error.h"

namespace vitrine::cuda {
namespace {

// What multiplies a block's two float16 for a group of it: K types have bytes, the others one group.
struct Multipliers {
  int scale, minimum;
};
Multipliers multipliersOf(BlockType type, const OpenedBlock& block, std::int64_t group) {
  const auto g = static_cast<std::size_t>(group);
  switch (type) {
    case BlockType::kQ2K:
    case BlockType::kQ4K:
    case BlockType::kQ5K:
      return {block.groupScales[g], block.groupMinimums[g]};
    case BlockType::kQ3K:
    case BlockType::kQ6K:
      return {static_cast<std::int8_t>(block.groupScales[g]), 0};
    default:
      return {1, blockTypeInfo(type).hasOffset ? 1 : 0};
  }
}

// A K type subtracts its minimum, and the others add theirs.
std::uint16_t minimumOf(BlockType type, const OpenedBlock& block) {
  constexpr std::uint16_t kSign = 0x8000;
  const BlockTypeInfo& info = blockTypeInfo(type);
  if (!info.hasOffset) return 0;
  return info.length == kLongestBlock ? block.minimum : block.minimum ^ kSign;
}

// Writes the rows of one type into tiles whose memory is zero.
class BlockTiles {
 public:
  BlockTiles(TileFormat format, BlockType type)
      : m_format(format),
        m_layout(blockTileLayout(format)),
        m_type(type),
        m_info(blockTypeInfo(type)),
        m_added(valueOf(type, 0) + m_layout.bias) {}

  // output: of a tile's eight; tiles: of all inputs.
  void put(const std::byte* blocks, std::int64_t inputs, int output, std::byte* tiles) {
    for (std::int64_t input = 0; input < inputs; input += m_info.length, blocks += m_info.bytes) {
      openBlock(m_type, blocks, m_block);
      for (std::int64_t begin = 0; begin < m_info.length; begin += kTileInputs, tiles += m_layout.bytes()) {
        putCodes(m_block.bits.data() + begin, output, tiles);
        putScales(begin, output, tiles + m_layout.codeBytes());
      }
    }
  }

 private:
  // Bits and values of a type differ by a constant, modulo 256.
  void putCodes(const std::uint8_t* bits, int output, std::byte* tile) const {
    constexpr int kUpperAt = kTileOutputs * kTileInputs / 2;
    for (int input = 0; input < kTileInputs; ++input) {
      const int lane = output * 4 + input % kSquare / 2, square = input / kSquare, word = square / 2,
                inPair = input % 2, byte = inPair * 2 + square % 2;
      const auto code = static_cast<std::byte>(bits[input] + m_added);
      if (m_layout.bits == 8) {
        tile[lane * 8 + word * 4 + byte] = code;
        continue;
      }
      tile[lane * 4 + byte] |= (code & std::byte{15}) << (4 * word);
      if (m_layout.bits == 6)
        tile[kUpperAt + lane * 2 + square % 2] |= (code >> 4) << (4 * word + 2 * inPair);
    }
  }

  // begin: of the tile's inputs in the block.
  void putScales(std::int64_t begin, int output, std::byte* scales) const {
    if (m_format == TileFormat::kScaled8 || m_format == TileFormat::kScaled4)
      return static_cast<void>(std::memcpy(scales + 2 * output, &m_block.scale, 2));
    const std::uint16_t minimum = minimumOf(m_type, m_block);
    std::memcpy(scales + 4 * output, &m_block.scale, 2);
    std::memcpy(scales + 4 * output + 2, &minimum, 2);
    std::byte* const bytes = scales + 4 * kTileOutputs;
    const Multipliers first = multipliersOf(m_type, m_block, begin / m_info.group);
    if (m_format == TileFormat::kOffset4) {
      bytes[2 * output] = static_cast<std::byte>(first.scale);
      bytes[2 * output + 1] = static_cast<std::byte>(first.minimum);
      return;
    }
    const Multipliers second = multipliersOf(m_type, m_block, (begin + kTileInputs / 2) / m_info.group);
    const int all[] = {first.scale + kByteBias, second.scale + kByteBias, first.minimum, second.minimum};
    for (int i = 0; i < 4; ++i) bytes[4 * output + i] = static_cast<std::byte>(all[i]);
  }

  const TileFormat m_format;
  const BlockTileLayout m_layout;
  const BlockType m_type;
  const BlockTypeInfo& m_info;
  const int m_added;
  OpenedBlock m_block;
};

// One row of tiles.
void fillTileRow(std::span<const WeightRows> parts, TileFormat format, std::int64_t number,
                 std::span<std::byte> tiles, std::vector<std::byte>& blocks) {
  std::ranges::fill(tiles, std::byte{0});
  std::int64_t begin = number * kTileOutputs;  // of the eight outputs in the part
  for (const WeightRows& part : parts) {
    const std::int64_t first = std::max<std::int64_t>(begin, 0),
                       end = std::min<std::int64_t>(begin + kTileOutputs, part.outFeatures);
    if (first < end) {
      BlockTiles writer(format, part.type);
      const std::int64_t each = part.rowBytes();
      blocks.resize(static_cast<std::size_t>((end - first) * each));
      part.read(first, blocks);
      for (std::int64_t row = first; row < end; ++row)
        writer.put(blocks.data() + (row - first) * each, part.inFeatures, static_cast<int>(row - begin),
                   tiles.data());
    }
    begin -= part.outFeatures;
  }
}

}  // namespace

std::optional<TileFormat> tileFormatOf(std::span<const WeightRows> parts) {
  return smallestFormat([&](TileFormat format) {
    return std::ranges::all_of(parts, [&](const WeightRows& part) { return holds(format, part.type); });
  });
}

void fillBlockTiles(std::span<const WeightRows> parts, TileFormat format, std::int64_t first,
                    std::span<std::byte> tiles, ThreadPool& pool) {
  VITRINE_CHECK(!parts.empty());
  const auto rowBytes =
      static_cast<std::size_t>(parts[0].inFeatures / kTileInputs * blockTileLayout(format).bytes());
  VITRINE_CHECK(tiles.size() % rowBytes == 0);
  FirstError error;
  pool.parallelFor(
      static_cast<std::int64_t>(tiles.size() / rowBytes), 1, [&](std::int64_t begin, std::int64_t end, int) {
        error.guard([&] {
          std::vector<std::byte> blocks;
          for (std::int64_t row = begin; row < end && !error; ++row)
            fillTileRow(parts, format, first + row,
                        tiles.subspan(static_cast<std::size_t>(row) * rowBytes, rowBytes), blocks);
        });
      });
  error.rethrow();
}

}  // namespace vitrine::cuda
