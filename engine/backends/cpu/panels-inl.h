// How tiles of sums pass over panels, the same for every product that a file for each instruction set makes
// (int8-inl.h, bf16-inl.h). The files are compiled for different instructions: all of it has internal
// linkage, and no function of the library is used, since the linker could take a copy made for these
// instructions for all of the program.
//
// `Tile` is a product: its Task (a ProductOutput with more), how many Vectors of sums a panel has, kSums of
// them in registers, kManyPanels side by side when there are many rows; depth(task), the steps along the
// inputs, of which kDeep fit the first-level cache; and add<R, P>(task, panel, row, step, steps, sums), which
// adds those steps of R rows times P panels to sums [R][P * 32] in memory. Read next: int8-inl.h.
#pragma once

#include "backends/cpu/kernels.h"

namespace vitrine::cpu {
namespace {

constexpr std::int64_t lesserOf(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

constexpr std::int64_t kFetchAhead = 2048;  // bytes, as in linear-inl.h

inline void storeSums(const ProductOutput& to, std::int64_t panel, std::int64_t panels, std::int64_t rowBegin,
                      std::int64_t rows, const float* sums) {
  const std::int64_t column = panel * kPanelColumns,
                     count = lesserOf(panels * kPanelColumns, to.outFeatures - column);
  for (std::int64_t row = 0; row < rows; ++row) {
    float* const out = to.out + (rowBegin + row) * to.outStride + column;
    const float* const sum = sums + row * panels * kPanelColumns;
    if (to.bias == nullptr)
      for (std::int64_t i = 0; i < count; ++i) out[i] = sum[i];
    else
      for (std::int64_t i = 0; i < count; ++i) out[i] = sum[i] + to.bias[column + i];
  }
}

// As high a tile as the registers allow, or as there are rows.
template <class Tile>
constexpr int kTileRows = Tile::kSums / Tile::kVectors / Tile::kManyPanels;
template <class Tile, int R>
constexpr int kTilePanels = static_cast<int>(lesserOf(4, Tile::kSums / (R * Tile::kVectors)));

// Rows [row, rows) behind rowBegin over some steps.
template <class Tile, int R, int P>
inline void addTiles(const typename Tile::Task& task, std::int64_t panel, std::int64_t step,
                     std::int64_t steps, std::int64_t rowBegin, std::int64_t row, std::int64_t rows,
                     float* sums) {
  for (; row + R <= rows; row += R)
    Tile::template add<R, P>(task, panel, rowBegin + row, step, steps, sums + row * P * kPanelColumns);
  if constexpr (R > 1)
    if (row < rows) addTiles<Tile, R - 1, P>(task, panel, step, steps, rowBegin, row, rows, sums);
}

template <class Tile, int P>
void multiplyMany(const typename Tile::Task& task, std::int64_t panel, std::int64_t rowBegin,
                  std::int64_t rows) {
  alignas(64) float sums[P * kLinearRows * kPanelColumns];
  for (std::int64_t i = 0; i < P * rows * kPanelColumns; ++i) sums[i] = 0;
  const std::int64_t depth = Tile::depth(task);
  for (std::int64_t step = 0; step < depth; step += Tile::kDeep)
    addTiles<Tile, kTileRows<Tile>, P>(task, panel, step, lesserOf(Tile::kDeep, depth - step), rowBegin, 0,
                                       rows, sums);
  storeSums(task, panel, P, rowBegin, rows, sums);
}

template <class Tile, int R, int P>
void multiplyOnce(const typename Tile::Task& task, std::int64_t panel, std::int64_t rowBegin) {
  alignas(64) float sums[R * P * kPanelColumns] = {};
  Tile::template add<R, P>(task, panel, rowBegin, 0, Tile::depth(task), sums);
  storeSums(task, panel, P, rowBegin, R, sums);
}

template <class Tile, int R>
void multiplyFew(const typename Tile::Task& task, std::int64_t panel, std::int64_t panelEnd,
                 std::int64_t rowBegin, std::int64_t rows) {
  if constexpr (R > 1)
    if (rows < R) return multiplyFew<Tile, R - 1>(task, panel, panelEnd, rowBegin, rows);
  constexpr int P = kTilePanels<Tile, R>;
  for (; panel + P <= panelEnd; panel += P) multiplyOnce<Tile, R, P>(task, panel, rowBegin);
  if constexpr (P > 1)
    for (; panel < panelEnd; ++panel) multiplyOnce<Tile, R, 1>(task, panel, rowBegin);
}

// As LinearKernels::Function.
template <class Tile>
void multiplyPanels(const typename Tile::Task& task, std::int64_t panel, std::int64_t panelEnd,
                    std::int64_t rowBegin, std::int64_t rowEnd) {
  constexpr int kRows = kTileRows<Tile>, kPanels = Tile::kManyPanels;
  static_assert(kLinearRows % kRows == 0);
  const std::int64_t rows = rowEnd - rowBegin;
  if (rows <= kRows) return multiplyFew<Tile, kRows>(task, panel, panelEnd, rowBegin, rows);
  for (; panel + kPanels <= panelEnd; panel += kPanels)
    multiplyMany<Tile, kPanels>(task, panel, rowBegin, rows);
  for (; panel < panelEnd; ++panel) multiplyMany<Tile, 1>(task, panel, rowBegin, rows);
}

}  // namespace
}  // namespace vitrine::cpu
