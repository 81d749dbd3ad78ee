// The kernels of the CPU backend, as plain functions over rows of float32.
//
// Every *_kernels.cpp is compiled once for each instruction set (Google Highway); its table holds the
// functions for the best one this machine has. A kernel runs on one thread, allocates nothing and adds in one
// order: cpu/README.md says which and why. Read next: linear_kernels.cpp; attention/attention.h.
#pragma once

#include <cstdint>
#include <string>

#include "backends/backend.h"
#include "formats/block_types.h"

namespace vitrine::cpu {

// Output columns of a panel of packed weights, and the lanes in which a row's sum of squares or probabilities
// is kept: a constant of the format, not of the machine, so that wide and narrow vectors add alike.
constexpr std::int64_t kPanelColumns = 32;
constexpr std::int64_t kSumLanes = 16;
// Floats a kernel may read (never use) past the end of the KV cache.
constexpr std::int64_t kReadPadding = 64;

struct RowKernels {
  const char* (*targetName)();
  // out[n] = x[n] / sqrt(mean(x²) + eps) * weight[n]; out may be x
  void (*rmsNorm)(const float* x, const float* weight, float eps, std::int64_t n, float* out);
  // x[n] += delta[n]
  void (*add)(float* x, const float* delta, std::int64_t n);
  // x[2 * half] in place; cos, sin [half]
  void (*rotary)(float* x, const float* cos, const float* sin, std::int64_t half);
  // out[n] = silu(gate[n]) * up[n]; out may be gate
  void (*gate)(const float* gate, const float* up, std::int64_t n, float* out);
};
const RowKernels& rowKernels();

// Where a product goes: out [rows, outFeatures].
struct ProductOutput {
  std::int64_t outFeatures = 0;
  const float* bias = nullptr;  // [outFeatures], or null
  float* out = nullptr;
  std::int64_t outStride = 0;  // floats from row to row
};

// out = x [rows, inFeatures] · weightᵀ + bias
struct LinearTask : ProductOutput {
  const float* x =
      nullptr;  // packed: [ceil(rows / tileRows)][inFeatures][rows of the tile]; a single row is itself
  const void* panels =
      nullptr;  // [ceil(outFeatures / 32)][inFeatures][32], PackedWeight says how in each format
  const void* scales = nullptr;  // of each panel, as the format keeps them
  std::int64_t inFeatures = 0;
};
struct LinearKernels {
  std::int64_t tileRows;  // divides kLinearRows
  // Rows [rowBegin, rowEnd) of panels [panelBegin, panelEnd); at most kLinearRows rows at once, from a
  // multiple of it.
  using Function = void (*)(const LinearTask& task, std::int64_t panelBegin, std::int64_t panelEnd,
                            std::int64_t rowBegin, std::int64_t rowEnd);
  Function of[kWeightFormats];  // by WeightFormat
};
constexpr std::int64_t kLinearRows = 48;
// Rows of x that a product in int8 or bf16 may read (never use) behind the last.
constexpr std::int64_t kSpareRows = 15;
// Rows from one step of the inputs to the next, where x lies step after step. Steps a power of two apart
// would share a few sets of the caches and push each other out, so many rows are filled up to an odd number.
constexpr std::int64_t rowStride(std::int64_t rows) {
  return rows < 32 ? rows : (rows + 31) / 32 * 32 + kSpareRows;
}
const LinearKernels& linearKernels();

// The same over blocks of a GGUF file in panels (block_panels.h); null for floats, which are above.
struct BlockKernels {
  LinearKernels::Function of[kBlockTypes];  // by BlockType
};
const BlockKernels& blockKernels();

// What the machine can do at most (vitrine/machine_roof.h).
struct RoofKernels {
  std::int64_t multiplyAddsPerTurn;
  // So many turns of multiply-adds that touch no memory; returns a number that depends on all of them.
  float (*multiplyAdd)(std::int64_t turns);
  // The sum of x[n], n a multiple of kStreamFloats.
  float (*sum)(const float* x, std::int64_t n);
};
constexpr std::int64_t kStreamFloats = 64;
const RoofKernels& roofKernels();

std::string instructionSet();  // of all these tables, for people: "AVX-512"

}  // namespace vitrine::cpu
