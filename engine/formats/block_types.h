// Weights in blocks, as GGUF files hold them: a block of 32 or 256 neighbouring inputs of one output is a few
// bits for each weight, with scales, some with minimums.
//
// weight = scale * value, or scale * value + offset, each operation rounded to float32. The types are ggml's
// (github.com/ggml-org/ggml, whose gguf-py decodes the goldens of tests/golden/gguf). A K type has a scale
// for 256 weights and small whole numbers that multiply it for each 16 or 32 of them, and so does IQ4_XS;
// IQ4_NL, IQ4_XS and MXFP4 (OCP Microscaling) look their values up in a table of 16. Thread: any.
// Read next: gguf.h; backends/cpu/block_panels.h, which keeps them packed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "core/tensor.h"

namespace vitrine {

enum class BlockType : std::uint8_t {
  kF32,
  kF16,
  kBf16,
  kQ80,
  kQ40,
  kQ41,
  kQ50,
  kQ51,
  kQ2K,
  kQ3K,
  kQ4K,
  kQ5K,
  kQ6K,
  kIq4Nl,
  kIq4Xs,
  kMxfp4
};
inline constexpr int kBlockTypes = 16;
inline constexpr std::int64_t kLongestBlock = 256;  // weights

struct BlockTypeInfo {
  const char* name;     // "Q4_K", as in file names
  std::uint32_t id;     // in a GGUF file
  std::int64_t length;  // weights in a block; 1 for floats
  std::int64_t bytes;   // of a block
  std::int64_t group;   // weights that share a scale and an offset
  bool hasOffset;
};
const BlockTypeInfo& blockTypeInfo(BlockType type);
constexpr bool isFloat(BlockType type) { return type <= BlockType::kBf16; }

// Of floats.
constexpr BlockType blockTypeOf(DType type) {
  return type == DType::kF16 ? BlockType::kF16 : type == DType::kBf16 ? BlockType::kBf16 : BlockType::kF32;
}
constexpr DType dtypeOf(BlockType floats) {
  return floats == BlockType::kF16 ? DType::kF16 : floats == BlockType::kBf16 ? DType::kBf16 : DType::kF32;
}
// The type with that number in a GGUF file; none for one that this engine does not read.
std::optional<BlockType> blockTypeOf(std::uint32_t id);
// ggml's name of any number: "IQ3_S", or "number 99".
std::string blockTypeName(std::uint32_t id);
// Every name of the table above: "F32, F16, BF16, Q8_0, ...".
std::string knownBlockTypes();

// Bytes of a row of `count` weights; requires a multiple of the block's length.
std::int64_t rowBytes(BlockType type, std::int64_t count);

// What one block says, before any arithmetic. Not for floats.
struct OpenedBlock {
  std::array<std::uint8_t, kLongestBlock> bits;  // of each weight, as stored (Q8_0: of a signed byte)
  std::uint16_t scale = 0, minimum = 0;          // float16; MXFP4's scale: bfloat16
  // Of types with 256 weights. Q2_K: 4 bits; Q4_K, Q5_K: 6 bits; Q3_K, Q6_K, IQ4_XS: of a signed byte.
  std::array<std::uint8_t, 16> groupScales;
  std::array<std::uint8_t, 16> groupMinimums;  // Q2_K: 4 bits; Q4_K, Q5_K: 6 bits
};
void openBlock(BlockType type, const std::byte* block, OpenedBlock& out);

// The scale and the offset of a group of the block, and the value that bits stand for (a whole number).
struct GroupScale {
  float scale = 0, offset = 0;
};
GroupScale groupScale(BlockType type, const OpenedBlock& block, std::int64_t group);
int valueOf(BlockType type, std::uint8_t bits);

// The 16 levels of IQ4_NL and IQ4_XS, or of MXFP4, signed bytes at a multiple of 16.
const std::uint8_t* blockLevels(BlockType type);

// The float32 weights of `out.size()` inputs; requires a multiple of the block's length.
void decodeBlocks(BlockType type, const std::byte* blocks, std::span<float> out);

// A matrix in blocks that lies elsewhere: the weights of one output after those of another.
struct BlockMatrix {
  BlockType type = BlockType::kF32;
  const std::byte* rows = nullptr;
  std::int64_t outFeatures = 0, inFeatures = 0;
  const std::byte* row(std::int64_t i) const { return rows + i * rowBytes(type, inFeatures); }
};

// A matrix in blocks, or of floats, whose rows are read when they are wanted: packing one passes over the
// file once, a few rows at a time, and keeps none of them.
struct WeightRows {
  BlockType type = BlockType::kF32;
  std::int64_t outFeatures = 0, inFeatures = 0;
  // Fills `rows`, whole ones, from row `first` on. Thread: any, several at once. Throws what reading throws.
  std::function<void(std::int64_t first, std::span<std::byte> rows)> read;

  std::int64_t rowBytes() const { return vitrine::rowBytes(type, inFeatures); }
};
WeightRows rowsOf(const BlockMatrix& matrix);  // `matrix` lies there as long as they are read

// The first block of `count` weights with a scale that is not finite, or so large that a weight might not be;
// -1 when there is none. Not for floats.
std::int64_t firstUnfitBlock(BlockType type, const std::byte* blocks, std::int64_t count);

}  // namespace vitrine
