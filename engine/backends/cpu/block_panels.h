// Blocks of a GGUF file in panels of 32 output columns: the same bits in another order, so that a step of a
// product reads neighbouring columns (packed_weight.h), in float32 and in int8 (int8_products.h).
//
// The weights of 32 inputs are a *chunk*. Four neighbouring inputs of a column are a quad, and the bits of a
// weight are cut into planes: the lower two or four of each weight (all eight of Q8_0) are the first, the
// fifth bit, the fifth and sixth or Q3_K's third the second. A plane of b bits has rows of 128 bytes,
// [32 columns][4 inputs], and each byte holds b bits of 8 / b quads, the first one's lowest. So a shift and a
// mask make a row of bits a row of quads, one byte for each weight. The scales stand apart, in a record for
// each block:
//   Q8_0, Q4_0, Q5_0, IQ4_NL, MXFP4   scale [32]                     float16; MXFP4: bfloat16
//   Q4_1, Q5_1                        scale [32], minimum [32]
//   Q2_K                              scale [32], minimum [32], 16 times { scale [32] in the lower halves
//                                     of bytes, minimum [32] in the upper }
//   Q4_K, Q5_K                        scale [32], minimum [32], 8 times { scale [32], minimum [32] } bytes
//   Q3_K, Q6_K, IQ4_XS                scale [32], 16 times (IQ4_XS: 8) { scale [32] } signed bytes
// Nothing is rounded and nothing lost. The six bits of a K type's scales become a byte, and MXFP4's eight of
// an exponent a bfloat16: at most 4 and 6 % more than the file has. Thread: any.
// Read next: block_kernels.cpp, which widens them in registers.
#pragma once

#include <span>

#include "backends/cpu/kernels.h"
#include "formats/block_types.h"

namespace vitrine::cpu {

inline constexpr std::int64_t kChunk = 32;                       // inputs
inline constexpr std::int64_t kQuad = 4;                         // inputs
inline constexpr std::int64_t kQuadRow = kPanelColumns * kQuad;  // bytes of a quad of each column
inline constexpr std::int64_t kHalfRow = kPanelColumns * 2;      // of a float16 of each column

struct PanelBits {
  int lower = 0, upper = 0;  // of a weight, in the first and the second plane
  std::int64_t span = 32;    // inputs of a record
  std::int64_t record = 0;   // bytes, for so many inputs: the scales of 32 columns

  constexpr std::int64_t chunkBytes() const { return kQuadRow * (lower + upper); }
  // Of the first plane of a chunk, behind which the second lies.
  constexpr std::int64_t lowerBytes() const { return kQuadRow * lower; }
};

constexpr PanelBits panelBits(BlockType type) {
  switch (type) {
    case BlockType::kQ80:
      return {8, 0, 32, kHalfRow};
    case BlockType::kQ40:
    case BlockType::kIq4Nl:
    case BlockType::kMxfp4:
      return {4, 0, 32, kHalfRow};
    case BlockType::kQ41:
      return {4, 0, 32, 2 * kHalfRow};
    case BlockType::kQ50:
      return {4, 1, 32, kHalfRow};
    case BlockType::kQ51:
      return {4, 1, 32, 2 * kHalfRow};
    case BlockType::kQ2K:
      return {2, 0, 256, 2 * kHalfRow + 16 * kPanelColumns};
    case BlockType::kQ3K:
      return {2, 1, 256, kHalfRow + 16 * kPanelColumns};
    case BlockType::kQ4K:
      return {4, 0, 256, 2 * kHalfRow + 16 * kPanelColumns};
    case BlockType::kQ5K:
      return {4, 1, 256, 2 * kHalfRow + 16 * kPanelColumns};
    case BlockType::kQ6K:
      return {4, 2, 256, kHalfRow + 16 * kPanelColumns};
    case BlockType::kIq4Xs:
      return {4, 0, 256, kHalfRow + 8 * kPanelColumns};
    default:
      return {};
  }
}

// Fills a panel, whose memory is zero, from rows of `inFeatures` weights: one for each column, at most 32.
void packBlockPanel(BlockType type, std::span<const std::byte* const> rows, std::int64_t inFeatures,
                    std::uint8_t* weights, std::uint8_t* scales);

// The float32 weights of one column of a panel: what decodeBlocks() gives for its row, to the bit.
void unpackBlockColumn(BlockType type, const std::uint8_t* weights, const std::uint8_t* scales,
                       std::int64_t column, std::span<float> out);

}  // namespace vitrine::cpu
