// Blocks of a GGUF file in panels of 32 output columns: the same bits in another order, so that a step of the
// product reads 32 neighbouring weights (packed_weight.h).
//
// For each input of a panel: 4 bits of each column in 16 bytes (column c in the lower half of byte c for
// c < 16, in the upper half of byte c - 16 otherwise), behind them a fifth bit of each in 4 bytes (column c
// is bit c) or a fifth and sixth in 8 (column c in bits 2c and 2c + 1). Q2_K has two bits of each in 8 bytes,
// Q3_K a third bit behind them in 4, and Q8_0 has 32 bytes. The scales stand apart, in a record for each
// block:
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

struct PanelBytes {
  std::int64_t row = 0;     // for an input: its 32 weights
  std::int64_t span = 32;   // inputs of a record
  std::int64_t record = 0;  // for so many inputs: the scales of 32 columns
};

constexpr PanelBytes panelBytes(BlockType type) {
  switch (type) {
    case BlockType::kQ80:
      return {32, 32, 64};
    case BlockType::kQ40:
    case BlockType::kIq4Nl:
    case BlockType::kMxfp4:
      return {16, 32, 64};
    case BlockType::kQ41:
      return {16, 32, 128};
    case BlockType::kQ50:
      return {20, 32, 64};
    case BlockType::kQ51:
      return {20, 32, 128};
    case BlockType::kQ2K:
      return {8, 256, 640};
    case BlockType::kQ3K:
      return {12, 256, 576};
    case BlockType::kQ4K:
      return {16, 256, 640};
    case BlockType::kQ5K:
      return {20, 256, 640};
    case BlockType::kQ6K:
      return {24, 256, 576};
    case BlockType::kIq4Xs:
      return {16, 256, 320};
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
