// Products of bfloat16 weights with activations rounded to bfloat16, as PyTorch rounds them: the processors'
// instructions multiply two such pairs and add them to a float32, twice as many multiply-adds as with floats.
//
// Two neighbouring inputs of a column lie together, a *pair* (AVX-512's VDPBF16PS takes 16 of them; a row of
// an AMX tile of weights is pairs of 16 columns). The law holds within an instruction set, where the sum over
// the inputs has one order whatever the rows; but the instructions round in ways of their own, so the sets of
// the list below have not the same bits:
//   plain: one fused multiply-add an input, ascending
//   AVX-512: one VDPBF16PS a pair, ascending
//   AMX: one TDPBF16PS for 32 inputs, ascending, also for a single row
//   BFDOT of AArch64: one BFDOT a pair, ascending
// AVX2's and NEON's are plain. These instructions take subnormal numbers as zero. Thread: any. Read next:
// bf16-inl.h.
#pragma once

#include <cstdint>
#include <span>

#include "backends/cpu/kernels.h"

namespace vitrine::cpu {

// Inputs of a block of x. A panel's inputs are filled up with zeros to a multiple of kPairedInputs.
inline constexpr std::int64_t kRoundedBlock = 128, kPairedInputs = 32;
constexpr std::int64_t pairedInputs(std::int64_t inputs) {
  return (inputs + kPairedInputs - 1) / kPairedInputs * kPairedInputs;
}

// Rows of x as a set's products read them: some inputs of all rows, then the next, [step][stride][inputs of
// a step]. A step is a block, or in AMX a tile's depth. Inputs behind the last one are zero.
struct RoundedRows {
  std::int64_t rows = 0, stride = 0;  // stride: rowStride(rows)
  std::int64_t blocks = 0;
  std::uint16_t* values = nullptr;  // valueCount() of them
  std::int64_t valueCount() const { return (blocks * stride + kSpareRows) * kRoundedBlock; }
};

// out = x · weightᵀ + bias
struct Bf16Task : ProductOutput {
  RoundedRows x;
  const std::uint16_t* panels = nullptr;  // [ceil(outFeatures / 32)][inputs / 2][32][2]
  std::int64_t inputs = 0;                // a multiple of kPairedInputs
};

struct Bf16Kernels {
  const char* name;         // of the instructions
  std::int64_t rowsAtOnce;  // at most so many rows in a call, from a multiple of it
  // Fills row `row` of out from x [inFeatures]: to the nearest, ties to even; a NaN stays one.
  void (*round)(const float* x, std::int64_t inFeatures, const RoundedRows& out, std::int64_t row);
  // As LinearKernels::Function.
  void (*multiply)(const Bf16Task& task, std::int64_t panelBegin, std::int64_t panelEnd,
                   std::int64_t rowBegin, std::int64_t rowEnd);
  // As Int8Kernels, of bf16.
  std::int64_t multiplyAddsPerTurn;
  float (*multiplyAdds)(std::int64_t turns);
};
// Those that this machine has the instructions for, the fastest first.
std::span<const Bf16Kernels* const> bf16Kernels();

}  // namespace vitrine::cpu
