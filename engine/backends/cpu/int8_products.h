// Products of int8 and int4 weights and of blocks in whole numbers: activations are quantized too, for each
// row and group of inputs, and what a group sums up is exact.
//
// w ≈ s value and x ≈ t q, so Σ w x ≈ Σ_groups s t Σ value q (LLM.int8(), arXiv 2208.07339, with groups of
// both; the arithmetic of llama.cpp's Q8_0 x Q8_0). Four neighbouring inputs of a column lie together, a
// *quad*, since the processors' instructions multiply four pairs of bytes and add them to a number of 32 bits
// (VNNI's VPDPBUSD; a tile of AMX is rows of quads, too). They take bytes without a sign on one side: weights
// are kept as value + kZero, and the sum starts at -kZero Σ q.
//
// The law needs less care here than with floats: whole numbers may be added in any order. What is left has
// one order, whatever the rows and the instructions: out = Σ over groups, ascending, from zero, of
// fma(float(Σ value q), s t, sum), with s t rounded once; then the bias.
// Thread: any. Read next: int8-inl.h.
#pragma once

#include <cstdint>
#include <span>

#include "backends/backend.h"
#include "backends/cpu/block_panels.h"
#include "backends/cpu/kernels.h"
#include "formats/quantize.h"

namespace vitrine::cpu {

// Inputs of a scale, of weights and of x: a multiple of the depth of an AMX tile, and wide enough that
// scaling is a tenth of the work. Groups of 32 cost a fifth more time, and lose a half of it in int8 and a
// third in int4 on the built-in model (README.md).
inline constexpr std::int64_t kProductGroup = 128;
constexpr std::int64_t productGroups(std::int64_t inputs) {
  return (inputs + kProductGroup - 1) / kProductGroup;
}
inline constexpr std::int64_t kGroupQuads = kProductGroup / kQuad;
inline constexpr std::int64_t kInt8Zero = 128, kInt4Zero = 8;  // what is added to a value to leave no sign

// Bytes of a group of a panel, [quads][32 columns][4 inputs]. int4 has pairs of quads in the halves of bytes,
// the first in the lower.
constexpr std::int64_t quadGroupBytes(WeightFormat format) {
  return kProductGroup * kPanelColumns / (format == WeightFormat::kInt8 ? 1 : 2);
}

// Inputs of a scale of x beside blocks, which have one for 16 or 32 inputs anyway: a finer x costs nothing
// there, and moves logits two thirds as far (engine/README.md).
inline constexpr std::int64_t kBlockGroup = 32;

// Rows of x as the products read them: a group of all rows, then the next. Inputs behind the last one are
// zero.
struct QuantizedRows {
  std::int64_t rows = 0, stride = 0;  // stride: rowStride(rows)
  std::int64_t groups = 0;
  std::int64_t ofScale = kProductGroup;  // inputs of a scale: kBlockGroup beside blocks
  std::int8_t* values = nullptr;         // [groups][stride][kProductGroup], and kSpareRows rows more
  float* scales = nullptr;               // [groups][stride][kProductGroup / ofScale]
  std::int32_t* sums = nullptr;          // as scales: of the numbers that have it
  std::int64_t valueCount() const { return (groups * stride + kSpareRows) * kProductGroup; }
  std::int64_t scaleCount() const { return groups * stride * (kProductGroup / ofScale); }
};

// out = x · weightᵀ + bias
struct Int8Task : ProductOutput {
  QuantizedRows x;
  const std::uint8_t* panels = nullptr;   // [ceil(outFeatures / 32)][x.groups] of quadGroupBytes()
  const std::uint16_t* scales = nullptr;  // bfloat16 [ceil(outFeatures / 32)][x.groups][32]
};

// The same with blocks of a GGUF file, whose parts, 16 or 32 inputs, have a scale s and perhaps an offset o:
// out = Σ over parts, ascending, from zero, of fma(u, o, fma(float(Σ value q), s t, sum)), where u = t Σ q of
// the part; s t and u are rounded once. Then the bias. Without offsets there is no outer fma.
struct Int8BlockTask : ProductOutput {
  // A part of a row of x.
  struct RowPart {
    float scale;  // t
    union {
      std::int32_t start;  // of the sum of whole numbers
      float offset;        // u, where the type has offsets; then sums start at zero
    };
  };
  QuantizedRows x;                 // ofScale: kBlockGroup
  const RowPart* parts = nullptr;  // [x.groups][x.stride][kProductGroup / part]
  BlockType type = BlockType::kQ80;
  const std::uint8_t *panels = nullptr, *records = nullptr;  // block_panels.h
  std::int64_t inputs = 0;
};

struct Int8Kernels {
  const char* name;         // of the instructions
  std::int64_t rowsAtOnce;  // of int8 and int4: at most so many rows in a call, from a multiple of it
  // Fills row `row` of out from x [inFeatures]. For the inputs of each scale t = max |x| / 127, and q =
  // x · (127 / max |x|) to the nearest whole number, to the even one of two. Inputs with a NaN or an infinity
  // have a NaN for a scale.
  void (*quantize)(const float* x, std::int64_t inFeatures, const QuantizedRows& out, std::int64_t row);
  // As LinearKernels::Function.
  using Function = void (*)(const Int8Task& task, std::int64_t panelBegin, std::int64_t panelEnd,
                            std::int64_t rowBegin, std::int64_t rowEnd);
  Function int8, int4;
  // The most that the instructions do (vitrine/machine_roof.h): so many turns of multiply-adds of int8, with
  // the sums in registers. Returns a number that depends on all of them. At most 2^20 turns.
  std::int64_t multiplyAddsPerTurn;
  float (*multiplyAdds)(std::int64_t turns);
  // Fills what a row has of Int8BlockTask::parts, for weights of that type.
  void (*partRow)(const QuantizedRows& x, std::int64_t row, BlockType type, Int8BlockTask::RowPart* parts);
  void (*blocks)(const Int8BlockTask& task, std::int64_t panelBegin, std::int64_t panelEnd,
                 std::int64_t rowBegin, std::int64_t rowEnd);
};
// Those that this machine has the instructions for, the fastest first. All of them give the same bits.
std::span<const Int8Kernels* const> int8Kernels();

}  // namespace vitrine::cpu
