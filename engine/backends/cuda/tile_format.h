// How a tile of a weight matrix, 8 outputs by 32 inputs, is kept. Nothing here is CUDA's: the host writes
// tiles, too (block_tiles.h).
#pragma once

#include <cstdint>

namespace vitrine::cuda {

inline constexpr int kSquare = 8;
inline constexpr int kTileOutputs = kSquare, kTileInputs = 4 * kSquare;  // read together by a warp

// As numbers of the matrix's type, or, for bfloat16, as codes, of which a product makes the same numbers:
// kInt8 and kInt4 are what quantization leaves (formats/quantize.h; code_tile.cuh has their tiles), the
// others blocks of a GGUF file (formats/block_types.h).
enum class TileFormat : std::uint8_t {
  kNumbers,
  kInt8,
  kInt4,
  kScaled8,  // 8.5 bits a weight: a scale for 32 inputs
  kScaled4,  // 4.5
  kOffset4,  // 5.5: a scale and an offset for 32 inputs
  kOffset6   // 8: the same for 16 inputs
};

constexpr bool hasOffsets(TileFormat format) {
  return format == TileFormat::kOffset4 || format == TileFormat::kOffset6;
}

// A tile of a GGUF file's blocks: codes, and behind them the scales of the eight outputs.
//
// weight = scale * (code - bias) + offset, the arithmetic of decodeBlocks(), rounded to bfloat16. A lane has
// the eight codes of output lane / 4 and of each square of eight inputs the pair lane mod 4, and reads them
// as two words of four bytes: square s in word s / 2, there in byte s mod 2 the pair's first and in byte s
// mod 2 + 2 its second.
//   8 bits  the two words, one behind another
//   4 bits  both in four bytes, the first one's codes in the lower halves
//   6 bits  the lower four bits like these, for all lanes; behind them the upper two bits of lane l in bytes
//           2 l and 2 l + 1: of byte b of word w in byte b mod 2, from bit 4 w + b / 2 * 2 on
// Scales, of the eight outputs one behind another:
//   kScaled8 and kScaled4  a float16
//   kOffset4  { float16 scale, float16 minimum }; behind all of these
//             { byte of the scale, byte of the minimum }
//   kOffset6  the same halves; behind all of these
//             { 2 bytes of the scale, plus 128, 2 bytes of the minimum }, one for each half of the inputs
// Where there are bytes, a scale is float16 times byte, and an offset -(float16 times byte).
struct BlockTileLayout {
  int bits, bias;  // of a code
  int scaleBytes;  // of an output
  constexpr int codeBytes() const { return kTileOutputs * kTileInputs * bits / 8; }
  constexpr int bytes() const { return codeBytes() + kTileOutputs * scaleBytes; }
};
inline constexpr int kByteBias = 128;  // of kOffset6, whose bytes of scales have a sign

constexpr BlockTileLayout blockTileLayout(TileFormat format) {
  switch (format) {
    case TileFormat::kScaled8:
      return {8, 128, 2};
    case TileFormat::kScaled4:
      return {4, 8, 2};
    case TileFormat::kOffset4:
      return {4, 0, 6};
    case TileFormat::kOffset6:
      return {6, 32, 8};
    default:
      return {};
  }
}

}  // namespace vitrine::cuda
