// The matrix product. out[r][c] = Σ_k x[r][k] w[c][k], every sum alone in its lane, k ascending, one fused
// multiply-add a step: so neither the number of rows, nor the tile, nor the width of the vectors can change a
// bit (without FMA hardware, SSE4 and the baseline, each step rounds twice, but in the same order).
//
// A tile of R rows × P panels lives in registers; x is broadcast, weights are read once for R rows. A panel
// is walked in blocks of kDepth so that a block (32 KiB in float32) stays in the first-level cache while
// every tile of rows passes over it; between blocks the sums wait in memory, unrounded, being float32
// already.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/linear_kernels.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include <algorithm>

#include "backends/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr std::int64_t kDepth = 256;
constexpr int kPanelVectors = static_cast<int>(kPanelColumns / static_cast<std::int64_t>(kLanes));
// Sums kept in registers: three quarters of them, the rest hold weights and x.
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kSums = 24;
#else
constexpr int kSums = 12;
#endif
constexpr int kTileRows = std::max(1, kSums / kPanelVectors);
// Panels side by side for a single row: eight independent sums hide the latency of a multiply-add.
constexpr int kWidePanels = std::max(1, 8 / kPanelVectors);

HWY_INLINE Vec loadWeights(const float* p) { return hn::LoadU(F32(), p); }
// bfloat16 is the upper half of a float32.
HWY_INLINE Vec loadWeights(const std::uint16_t* p) {
  const auto wide = hn::PromoteTo(U32(), hn::LoadU(U16(), p));
  return hn::BitCast(F32(), hn::ShiftLeft<16>(wide));
}

// sums [R][P * 32] += x [R, depth] · P panels [depth, 32]
template <int R, int P, class W>
HWY_INLINE void tile(const float* x, std::int64_t xStride, const W* panel, std::int64_t panelStride,
                     std::int64_t depth, float* sums) {
  const F32 d;
  constexpr int kVectors = P * kPanelVectors;
  Vec acc[R][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::LoadU(d, sums + (r * kVectors + v) * int{kLanes});
  for (std::int64_t k = 0; k < depth; ++k) {
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) {
      const std::int64_t at = (v / kPanelVectors) * panelStride + (v % kPanelVectors) * int{kLanes};
      const Vec w = loadWeights(panel + k * kPanelColumns + at);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) acc[r][v] = hn::MulAdd(hn::Set(d, x[r * xStride + k]), w, acc[r][v]);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) hn::StoreU(acc[r][v], d, sums + (r * kVectors + v) * int{kLanes});
}

// Tiles of R rows while they last; what remains is for a smaller R.
template <int R, int P, class W>
HWY_INLINE std::int64_t tilesOf(const float* x, std::int64_t xStride, const W* panel,
                                std::int64_t panelStride, std::int64_t depth, std::int64_t row,
                                std::int64_t rows, float* sums) {
  for (; row + R <= rows; row += R)
    tile<R, P>(x + row * xStride, xStride, panel, panelStride, depth, sums + row * P * kPanelColumns);
  return row;
}

// What remains is one tile of just so many rows: a draft's five are one pass over the weights, not four and one.
template <int R, int P, class W>
HWY_INLINE void restOf(const float* x, std::int64_t xStride, const W* panel, std::int64_t panelStride,
                       std::int64_t depth, std::int64_t row, std::int64_t rows, float* sums) {
  if constexpr (R > 0) {
    if (rows - row == R)
      tile<R, P>(x + row * xStride, xStride, panel, panelStride, depth, sums + row * P * kPanelColumns);
    else
      restOf<R - 1, P>(x, xStride, panel, panelStride, depth, row, rows, sums);
  }
}

void finish(const LinearTask& task, std::int64_t column, std::int64_t columns, std::int64_t rowBegin,
            std::int64_t rows, const float* sums, std::int64_t sumStride) {
  const std::int64_t count = std::min(columns, task.outFeatures - column);
  for (std::int64_t row = 0; row < rows; ++row) {
    float* out = task.out + (rowBegin + row) * task.outStride + column;
    const float* sum = sums + row * sumStride;
    if (task.bias == nullptr)
      std::copy(sum, sum + count, out);
    else
      for (std::int64_t i = 0; i < count; ++i) out[i] = sum[i] + task.bias[column + i];
  }
}

// P neighbouring panels for a few rows.
template <int P, class W>
void panels(const LinearTask& task, std::int64_t panelIndex, std::int64_t rowBegin, std::int64_t rowEnd) {
  HWY_ALIGN float sums[P == 1 ? kLinearRows * kPanelColumns : 2 * P * kPanelColumns] = {};
  const std::int64_t rows = rowEnd - rowBegin, panelStride = task.inFeatures * kPanelColumns;
  const W* panel = static_cast<const W*>(task.panels) + panelIndex * panelStride;
  const float* x = task.x + rowBegin * task.xStride;
  // One tile of rows has nothing to keep a block for.
  const std::int64_t step = rows > kTileRows ? kDepth : task.inFeatures;
  for (std::int64_t k = 0; k < task.inFeatures; k += step) {
    const std::int64_t depth = std::min(step, task.inFeatures - k);
    const W* block = panel + k * kPanelColumns;
    std::int64_t row = 0;
    if constexpr (P == 1) row = tilesOf<kTileRows, P>(x + k, task.xStride, block, panelStride, depth, row, rows, sums);
    restOf<P == 1 ? kTileRows - 1 : 2, P>(x + k, task.xStride, block, panelStride, depth, row, rows, sums);
  }
  finish(task, panelIndex * kPanelColumns, P * kPanelColumns, rowBegin, rows, sums, P * kPanelColumns);
}

template <class W>
void linear(const LinearTask& task, std::int64_t panelBegin, std::int64_t panelEnd, std::int64_t rowBegin,
            std::int64_t rowEnd) {
  std::int64_t panel = panelBegin;
  if (rowEnd - rowBegin <= 2)
    for (; panel + kWidePanels <= panelEnd; panel += kWidePanels)
      panels<kWidePanels, W>(task, panel, rowBegin, rowEnd);
  for (; panel < panelEnd; ++panel) panels<1, W>(task, panel, rowBegin, rowEnd);
}

}  // namespace

const LinearKernels* linearTable() {
  static constexpr LinearKernels table = {linear<float>, linear<std::uint16_t>};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(linearTable);
const LinearKernels& linearKernels() { return *HWY_DYNAMIC_DISPATCH(linearTable)(); }
}  // namespace vitrine::cpu
#endif
