// The products of pairs over panels, for any instructions; bf16_*.cpp include it, one for each set.
//
// `Simd` is a struct of the set: vectors of kLanes sums (Floats), of as many pairs of weights (Pairs) and of
// one pair of x (Pair), and what is done with them. The sums of a tile stay in registers for a whole block of
// x, and wait in memory between blocks, unrounded, being float32 already. Read next: bf16_avx512.cpp.
#pragma once

#include <cstring>

#include "backends/cpu/bf16_products.h"
#include "backends/cpu/panels-inl.h"

namespace vitrine::cpu {
namespace {

constexpr std::int64_t kPairRow = kPanelColumns * 2;  // numbers of a pair of a panel

// From row `row` of a step on, which has so many inputs.
template <std::int64_t Inputs>
inline std::uint16_t* roundedAt(const RoundedRows& x, std::int64_t row, std::int64_t step) {
  return x.values + (step * x.stride + row) * Inputs;
}

// Written for compilers that turn loops into vectors.
template <std::int64_t Inputs>
void roundRow(const float* x, std::int64_t inFeatures, const RoundedRows& out, std::int64_t row) {
  for (std::int64_t step = 0; step < out.blocks * (kRoundedBlock / Inputs); ++step) {
    const std::int64_t first = lesserOf(step * Inputs, inFeatures),
                       here = lesserOf(inFeatures - first, Inputs);
    const float* const from = x + first;
    std::uint16_t* const to = roundedAt<Inputs>(out, row, step);
    for (std::int64_t i = 0; i < here; ++i) {
      const auto bits = __builtin_bit_cast(std::uint32_t, from[i]);
      const std::uint32_t rounded = (bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16, nan = bits >> 16 | 0x40U;
      to[i] = static_cast<std::uint16_t>((bits & 0x7FFFFFFFU) > 0x7F800000U ? nan : rounded);
    }
    for (std::int64_t i = here; i < Inputs; ++i) to[i] = 0;
  }
}

// sums [R][P * 32] += a block of R rows times P panels, `pairs` pairs of them
template <class Simd, int R, int P>
inline void addPairs(const std::uint16_t* x, const std::uint16_t* weights, std::int64_t panelStride,
                     std::int64_t pairs, float* sums) {
  constexpr int kOfPanel = static_cast<int>(kPanelColumns) / Simd::kLanes, kVectors = P * kOfPanel;
  typename Simd::Floats acc[R][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) acc[r][v] = Simd::loadSums(sums + (r * kVectors + v) * Simd::kLanes);
#pragma GCC unroll 1
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    typename Simd::Pairs w[kVectors];
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) {
      const std::uint16_t* const at =
          weights + pair * kPairRow + v / kOfPanel * panelStride + v % kOfPanel * Simd::kLanes * 2;
      w[v] = Simd::load(at);
      fetchAhead<16, R>(at);
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const auto one = Simd::broadcast(x + r * kRoundedBlock + pair * 2);
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v) acc[r][v] = Simd::dot(acc[r][v], w[v], one);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) Simd::storeSums(acc[r][v], sums + (r * kVectors + v) * Simd::kLanes);
}

template <class Simd>
struct Bf16Tile {
  using Task = Bf16Task;
  static constexpr int kVectors = static_cast<int>(kPanelColumns) / Simd::kLanes, kSums = Simd::kSums,
                       kManyPanels = Simd::kManyPanels, kMostPanels = 4;
  static constexpr std::int64_t kDeep = 1, kOnce = kAllSteps;
  static std::int64_t depth(const Task& task) { return task.x.blocks; }
  template <int P, std::int64_t Steps>
  struct Strip {
    const std::uint16_t* panel;  // from its first input on
    Strip(const Task& task, std::int64_t first, std::int64_t, std::int64_t)
        : panel(task.panels + first * task.inputs * kPanelColumns) {}
  };
  template <int R, int P, class Strip>
  static void add(const Task& task, const Strip& strip, std::int64_t row, std::int64_t block,
                  std::int64_t blocks, float* sums) {
    for (; blocks > 0; --blocks, ++block) {
      const std::int64_t first = block * kRoundedBlock, inputs = lesserOf(kRoundedBlock, task.inputs - first);
      addPairs<Simd, R, P>(roundedAt<kRoundedBlock>(task.x, row, block), strip.panel + first * kPanelColumns,
                           task.inputs * kPanelColumns, inputs / 2, sums);
    }
  }
};

// What the products do between two loads, as Int8Peak (int8-inl.h). A float's sum depends on the order, so
// the compiler computes none of it beforehand.
template <class Simd>
struct Bf16Peak {
  static constexpr std::int64_t kMultiplyAdds = std::int64_t{Simd::kSums} * Simd::kLanes * 2;

  static float run(std::int64_t turns) {
    alignas(64) std::uint16_t numbers[Simd::kLanes * 2];
    for (int i = 0; i < Simd::kLanes * 2; ++i)
      numbers[i] = static_cast<std::uint16_t>(0x3F80 + (turns + i) % 64);  // from 1 on
    const auto weights = Simd::load(numbers);
    const auto x = Simd::broadcast(numbers);
    alignas(64) float lanes[Simd::kSums * Simd::kLanes];
    for (int i = 0; i < Simd::kSums * Simd::kLanes; ++i) lanes[i] = static_cast<float>(i);
    typename Simd::Floats sums[Simd::kSums];
#pragma GCC unroll 32
    for (int i = 0; i < Simd::kSums; ++i) sums[i] = Simd::loadSums(lanes + i * Simd::kLanes);
#pragma GCC unroll 1
    for (std::int64_t turn = 0; turn < turns; ++turn)
#pragma GCC unroll 32
      for (int i = 0; i < Simd::kSums; ++i) sums[i] = Simd::dot(sums[i], weights, x);
#pragma GCC unroll 32
    for (int i = 0; i < Simd::kSums; ++i) Simd::storeSums(sums[i], lanes + i * Simd::kLanes);
    float all = 0;
    for (const float lane : lanes) all += lane;
    return all;
  }
};

template <class Simd>
constexpr Bf16Kernels bf16KernelsOf(const char* name) {
  return {name,
          kLinearRows,
          roundRow<kRoundedBlock>,
          multiplyPanels<Bf16Tile<Simd>>,
          Bf16Peak<Simd>::kMultiplyAdds,
          Bf16Peak<Simd>::run};
}

}  // namespace
}  // namespace vitrine::cpu
