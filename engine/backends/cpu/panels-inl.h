// How tiles of sums pass over panels, the same for every product that a file for each instruction set makes
// (int8-inl.h, bf16-inl.h). The files are compiled for different instructions: all of it has internal
// linkage, and no function of the library is used, since the linker could take a copy made for these
// instructions for all of the program.
//
// `Tile` is a product: its Task (a ProductOutput with more), how many Vectors of sums a panel has, kSums of
// them in registers, kManyPanels side by side when there are many rows; depth(task), the steps along the
// inputs, of which kDeep fit the first-level cache, and kOnce are taken together when all rows fit a tile,
// with kMostPanels or as many as there are registers for;
// Strip<P, S>(task, panel, step, steps), the weights of P panels in those steps, at most S, as a tile reads
// them; and add<R, P>(task, strip, row, step, steps, sums), which adds those steps of R rows times the strip
// to sums [R][P * 32] in memory. Read next: int8-inl.h.
#pragma once

#include "backends/cpu/kernels.h"

namespace vitrine::cpu {
namespace {

constexpr std::int64_t lesserOf(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

// Asks for weights of so many bits, which so many rows share, some bytes ahead. Those of a byte and more, and
// those of fewer bits for a row or two, pass so fast that two kilobytes come too late, and that the
// first-level cache, which waits for a dozen lines only, would make the rest wait.
constexpr std::int64_t kFetchAhead = 2048;  // as in linear-inl.h
template <int Bits, int Rows>
inline void fetchAhead(const void* weights) {
  const char* const at = static_cast<const char*>(weights);
  if constexpr (Bits >= 8 || Rows <= 2)
    __builtin_prefetch(at + 2 * kFetchAhead, 0, 2);
  else
    __builtin_prefetch(at + kFetchAhead);
}
constexpr std::int64_t kAllSteps = std::int64_t{1} << 40;

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

// As high a tile as the registers allow, or as there are rows: of many rows, and of those that fit a tile one
// panel wide.
template <class Tile>
constexpr int kTileRows = Tile::kSums / Tile::kVectors / Tile::kManyPanels;
template <class Tile>
constexpr int kNarrowRows = Tile::kSums / Tile::kVectors;
template <class Tile, int R>
constexpr int kTilePanels = static_cast<int>(lesserOf(Tile::kMostPanels, Tile::kSums / (R * Tile::kVectors)));

// Rows [row, rows) behind rowBegin over some steps.
template <class Tile, int R, int P, class Strip>
inline void addTiles(const typename Tile::Task& task, const Strip& strip, std::int64_t step,
                     std::int64_t steps, std::int64_t rowBegin, std::int64_t row, std::int64_t rows,
                     float* sums) {
  for (; row + R <= rows; row += R)
    Tile::template add<R, P>(task, strip, rowBegin + row, step, steps, sums + row * P * kPanelColumns);
  if constexpr (R > 1)
    if (row < rows) addTiles<Tile, R - 1, P>(task, strip, step, steps, rowBegin, row, rows, sums);
}

// sums [rows][P * 32] += all steps, kAtOnce at a time
template <class Tile, int R, int P, std::int64_t kAtOnce>
inline void addSteps(const typename Tile::Task& task, std::int64_t panel, std::int64_t rowBegin,
                     std::int64_t rows, float* sums) {
  const std::int64_t depth = Tile::depth(task);
  for (std::int64_t step = 0; step < depth; step += kAtOnce) {
    const std::int64_t steps = lesserOf(kAtOnce, depth - step);
    const typename Tile::template Strip<P, kAtOnce> strip(task, panel, step, steps);
    addTiles<Tile, R, P>(task, strip, step, steps, rowBegin, 0, rows, sums);
  }
}

template <class Tile, int P>
void multiplySide(const typename Tile::Task& task, std::int64_t panel, std::int64_t rowBegin,
                  std::int64_t rows) {
  alignas(64) float sums[P * kLinearRows * kPanelColumns];
  for (std::int64_t i = 0; i < P * rows * kPanelColumns; ++i) sums[i] = 0;
  addSteps<Tile, kTileRows<Tile>, P, Tile::kDeep>(task, panel, rowBegin, rows, sums);
  storeSums(task, panel, P, rowBegin, rows, sums);
}

template <class Tile, int R, int P>
void multiplyOnce(const typename Tile::Task& task, std::int64_t panel, std::int64_t rowBegin) {
  alignas(64) float sums[R * P * kPanelColumns] = {};
  addSteps<Tile, R, P, Tile::kOnce>(task, panel, rowBegin, R, sums);
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

template <class Tile>
void multiplyMany(const typename Tile::Task& task, std::int64_t panel, std::int64_t panelEnd,
                  std::int64_t rowBegin, std::int64_t rows) {
  constexpr int kPanels = Tile::kManyPanels;
  static_assert(kLinearRows % kTileRows<Tile> == 0);
  for (; panel + kPanels <= panelEnd; panel += kPanels)
    multiplySide<Tile, kPanels>(task, panel, rowBegin, rows);
  for (; panel < panelEnd; ++panel) multiplySide<Tile, 1>(task, panel, rowBegin, rows);
}

// As LinearKernels::Function.
template <class Tile>
void multiplyPanels(const typename Tile::Task& task, std::int64_t panel, std::int64_t panelEnd,
                    std::int64_t rowBegin, std::int64_t rowEnd) {
  const std::int64_t rows = rowEnd - rowBegin;
  if (rows <= kNarrowRows<Tile>)
    return multiplyFew<Tile, kNarrowRows<Tile>>(task, panel, panelEnd, rowBegin, rows);
  multiplyMany<Tile>(task, panel, panelEnd, rowBegin, rows);
}

}  // namespace
}  // namespace vitrine::cpu
