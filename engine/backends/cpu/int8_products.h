// Products of int8 and int4 weights in whole numbers: activations are quantized too, for each row and group
// of inputs, and what a group sums up is exact.
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
#include "backends/cpu/kernels.h"
#include "formats/quantize.h"

namespace vitrine::cpu {

inline constexpr std::int64_t kQuad = 4;  // inputs
inline constexpr std::int64_t kGroupQuads = kQuantGroup / kQuad;
inline constexpr std::int64_t kInt8Zero = 128, kInt4Zero = 8;  // what is added to a value to leave no sign

// Bytes of a group of a panel, [quads][32 columns][4 inputs]. int4 has pairs of quads in the halves of bytes,
// the first in the lower.
constexpr std::int64_t quadGroupBytes(WeightFormat format) {
  return kQuantGroup * kPanelColumns / (format == WeightFormat::kInt8 ? 1 : 2);
}

// Rows of x as the products read them: tiles of tileRows rows, the last with what remains; in each tile
// [quads][rows][4] bytes, [groups][rows] scales and [groups][rows] sums of a group's numbers. Inputs behind
// the last one are zero.
struct QuantizedRows {
  std::int8_t* values = nullptr;
  float* scales = nullptr;
  std::int32_t* sums = nullptr;
};

// out [rows, outFeatures] = x · weightᵀ + bias
struct Int8Task {
  QuantizedRows x;
  const std::uint8_t* panels = nullptr;   // [ceil(outFeatures / 32)][groups] of quadGroupBytes()
  const std::uint16_t* scales = nullptr;  // bfloat16 [ceil(outFeatures / 32)][groups][32]
  std::int64_t groups = 0, outFeatures = 0;
  const float* bias = nullptr;  // [outFeatures], or null
  float* out = nullptr;
  std::int64_t outStride = 0;  // floats from row to row
};

struct Int8Kernels {
  const char* name;       // of the instructions
  std::int64_t tileRows;  // divides kLinearRows
  // Rows [first, first + count), a tile, of x [rows, inFeatures] with `stride` floats from row to row. For
  // each row and group t = max |x| / 127, and q = x · (127 / max |x|) to the nearest whole number, to the
  // even one of two. A group with a NaN or an infinity has a NaN for a scale.
  void (*quantize)(const float* x, std::int64_t stride, std::int64_t inFeatures, std::int64_t first,
                   std::int64_t count, const QuantizedRows& out);
  // As LinearKernels::Function.
  using Function = void (*)(const Int8Task& task, std::int64_t panelBegin, std::int64_t panelEnd,
                            std::int64_t rowBegin, std::int64_t rowEnd);
  Function int8, int4;
};
// Those that this machine has the instructions for, the fastest first. All of them give the same bits.
std::span<const Int8Kernels* const> int8Kernels();

}  // namespace vitrine::cpu
