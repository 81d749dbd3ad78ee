// The matrix product over panels, for every way in which weights are kept; included once for each instruction
// set, hence the guard that flips.
//
// out[r][c] = Σ_k x[r][k] w[c][k], every sum alone in its lane, k ascending, one fused
// multiply-add a step: so neither the number of rows, nor the tile, nor the width of the vectors can change a
// bit (without FMA hardware, SSE4 and the baseline, each step rounds twice, but in the same order).
//
// A tile of R rows × P panels lives in registers; x is broadcast, weights are read once for R rows. x is
// packed first so that a tile's rows lie together: in rows 2048 floats apart all of a step's reads would fall
// into one set of the first-level cache. The more rows the fewer panels, and the registers stay full either
// way: a dozen or two independent sums hide the latency of a multiply-add, and several panels are several
// streams from memory.
//
// Up to kTileRows rows are one pass over the weights. More pass in blocks of kDepth inputs, which stay near
// while every tile passes over them; between blocks the sums wait in memory, unrounded, being float32
// already.
//
// A format is a struct: the bytes of an input's 32 weights (kRowBytes), widen() for a vector of those of
// input k of a panel and, when it is kScaled, scale() and perhaps offset() for each kGroup inputs, whose
// records of kScaleBytes cover kScaleSpan inputs. Up to kMostFew rows are widened in registers as they are
// used; more share what is widened once. Read next: linear_kernels.cpp, block_kernels.cpp.
#if defined(VITRINE_BACKENDS_CPU_LINEAR_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRINE_BACKENDS_CPU_LINEAR_INL_H
#undef VITRINE_BACKENDS_CPU_LINEAR_INL_H
#else
#define VITRINE_BACKENDS_CPU_LINEAR_INL_H
#endif

#include <algorithm>

#include "backends/cpu/simd-inl.h"
#include "hwy/cache_control.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr std::int64_t kDepth = 128;
constexpr int kPanelVectors = static_cast<int>(kPanelColumns / static_cast<std::int64_t>(kLanes));
// Sums kept in registers: three quarters of them, the rest hold weights and x.
#if HWY_TARGET == HWY_AVX3 || HWY_ARCH_ARM_A64
constexpr int kSums = 24;
#else
constexpr int kSums = 12;
#endif
// Panels side by side: as many as a tile of R rows has registers for, at most four.
template <int R>
constexpr int kPanels = std::clamp(kSums / (R * kPanelVectors), 1, 4);
// With many rows a tile is about as high as wide, since then it loads least for each multiply-add.
constexpr int kManyPanels = kPanelVectors <= 2 ? 2 : 1;
constexpr int kTileRows = std::max(1, kSums / (kPanelVectors * kManyPanels));
// Bytes a panel is fetched ahead of its use; what the machine fetches by itself ends with each page.
constexpr std::int64_t kAhead = 2048;

using U8 = hn::Rebind<std::uint8_t, F32>;
using I8 = hn::Rebind<std::int8_t, F32>;
using F16 = hn::Rebind<hwy::float16_t, F32>;

// Vector v of 32 float16.
HWY_INLINE Vec widenHalf(const std::uint8_t* row, int v) {
  return hn::PromoteTo(F32(),
                       hn::LoadU(F16(), reinterpret_cast<const hwy::float16_t*>(row) + v * int{kLanes}));
}
// Vector v of 32 signed bytes.
HWY_INLINE Vec widenBytes(const std::uint8_t* row, int v) {
  const auto bytes = hn::LoadU(I8(), reinterpret_cast<const std::int8_t*>(row) + v * int{kLanes});
  return hn::ConvertTo(F32(), hn::PromoteTo(I32(), bytes));
}
// The bits of `mask`, a number below 2^23, less Bias, as float32: as the last bits of 2^23, where a unit is
// one. Cheaper than a conversion, and as exact.
template <int Bias>
HWY_INLINE Vec wholeNumbers(hn::Vec<U32> bits, std::uint32_t mask) {
  const U32 d;
  const auto shifted = hn::OrAnd(hn::Set(d, 0x4B000000), bits, hn::Set(d, mask));
  return hn::Sub(hn::BitCast(F32(), shifted), hn::Set(F32(), 0x1p23f + Bias));
}

struct Unscaled {
  static constexpr bool kScaled = false, kOffset = false;
  static constexpr int kMostFew = kTileRows;
  static constexpr std::int64_t kGroup = 0;
};
struct F32Weights : Unscaled {
  static constexpr std::int64_t kRowBytes = 128;
  static HWY_INLINE Vec widen(const std::uint8_t* panel, std::int64_t k, int v) {
    return hn::LoadU(F32(), reinterpret_cast<const float*>(panel + k * kRowBytes) + v * int{kLanes});
  }
};

// P neighbouring panels from some input on, a multiple of kQuantGroup.
struct Strip {
  const std::uint8_t* weights;
  std::int64_t weightStride;   // bytes from panel to panel
  const std::uint8_t* scales;  // of whole panels, from their first input; null without
  std::int64_t scaleStride;    // bytes from panel to panel
  std::int64_t first;          // the input that `weights` begins with
};

// sums [R][P * 32] += x [depth][R] · P panels [depth][32]
template <int R, int P, class Format>
HWY_INLINE void tile(const float* x, const Strip& strip, std::int64_t depth, float* sums) {
  const F32 d;
  constexpr int kVectors = P * kPanelVectors;
  Vec acc[R][kVectors], scale[kVectors];
  [[maybe_unused]] Vec offset[kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::LoadU(d, sums + (r * kVectors + v) * int{kLanes});
  const std::int64_t step = Format::kScaled ? Format::kGroup : depth;
  for (std::int64_t group = 0; group < depth; group += step) {
    if constexpr (Format::kScaled)
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v) {
        const std::uint8_t* const scales = strip.scales + v / kPanelVectors * strip.scaleStride;
        scale[v] = Format::scale(scales, strip.first + group, v % kPanelVectors);
        if constexpr (Format::kOffset)
          offset[v] = Format::offset(scales, strip.first + group, v % kPanelVectors);
      }
    const std::int64_t end = std::min(group + step, depth);
    for (std::int64_t k = group; k < end; ++k) {
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v) {
        const std::uint8_t* const panel = strip.weights + v / kPanelVectors * strip.weightStride;
        if (v % kPanelVectors == 0)
#pragma GCC unroll 2
          for (std::int64_t line = 0; line < Format::kRowBytes; line += 64)
            hwy::Prefetch(panel + k * Format::kRowBytes + kAhead + line);
        Vec w = Format::widen(panel, k, v % kPanelVectors);
        if constexpr (Format::kScaled) w = hn::Mul(w, scale[v]);
        if constexpr (Format::kOffset) w = hn::Add(w, offset[v]);
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) acc[r][v] = hn::MulAdd(hn::Set(d, x[k * R + r]), w, acc[r][v]);
      }
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) hn::StoreU(acc[r][v], d, sums + (r * kVectors + v) * int{kLanes});
}

template <class Format>
Strip stripAt(const LinearTask& task, std::int64_t panel) {
  const std::int64_t stride = task.inFeatures * Format::kRowBytes;
  const auto* weights = static_cast<const std::uint8_t*>(task.panels) + panel * stride;
  if constexpr (Format::kScaled) {
    const std::int64_t scales =
        (task.inFeatures + Format::kScaleSpan - 1) / Format::kScaleSpan * Format::kScaleBytes;
    return {weights, stride, static_cast<const std::uint8_t*>(task.scales) + panel * scales, scales, 0};
  }
  return {weights, stride, nullptr, 0, 0};
}

void finish(const LinearTask& task, std::int64_t panel, std::int64_t panels, std::int64_t rowBegin,
            std::int64_t rows, const float* sums) {
  const std::int64_t column = panel * kPanelColumns,
                     count = std::min(panels * kPanelColumns, task.outFeatures - column);
  for (std::int64_t row = 0; row < rows; ++row) {
    float* out = task.out + (rowBegin + row) * task.outStride + column;
    const float* sum = sums + row * panels * kPanelColumns;
    if (task.bias == nullptr)
      std::copy(sum, sum + count, out);
    else
      for (std::int64_t i = 0; i < count; ++i) out[i] = sum[i] + task.bias[column + i];
  }
}

template <int R, int P, class Format>
void once(const LinearTask& task, std::int64_t panel, std::int64_t rowBegin) {
  HWY_ALIGN float sums[R * P * kPanelColumns] = {};
  tile<R, P, Format>(task.x + rowBegin * task.inFeatures, stripAt<Format>(task, panel), task.inFeatures,
                     sums);
  finish(task, panel, P, rowBegin, R, sums);
}

// One tile of just so many rows: a draft's five are one pass over the weights, not four and one.
template <int R, class Format>
void few(const LinearTask& task, std::int64_t panel, std::int64_t panelEnd, std::int64_t rowBegin,
         std::int64_t rows) {
  if constexpr (R > 1)
    if (rows < R) return few<R - 1, Format>(task, panel, panelEnd, rowBegin, rows);
  constexpr int P = kPanels<R>;
  for (; panel + P <= panelEnd; panel += P) once<R, P, Format>(task, panel, rowBegin);
  if constexpr (P > 1)
    for (; panel < panelEnd; ++panel) once<R, 1, Format>(task, panel, rowBegin);
}

// The tiles of `rows` rows from input k on, each as high as the registers allow and the last with what
// remains.
template <int R, int P, class Format>
HWY_INLINE void tiles(const float* x, std::int64_t inFeatures, std::int64_t k, const Strip& strip,
                      std::int64_t depth, std::int64_t row, std::int64_t rows, float* sums) {
  for (; row + R <= rows; row += R)
    tile<R, P, Format>(x + row * inFeatures + k * R, strip, depth, sums + row * P * kPanelColumns);
  if constexpr (R > 1)
    if (row < rows) tiles<R - 1, P, Format>(x, inFeatures, k, strip, depth, row, rows, sums);
}

// Scaled weights as float32 [P][depth][32], widened once for all tiles.
template <int P, class Format>
Strip widened(const Strip& strip, std::int64_t depth, float* out) {
  for (std::int64_t panel = 0; panel < P; ++panel) {
    const std::uint8_t* const weights = strip.weights + panel * strip.weightStride;
    const std::uint8_t* const scales = strip.scales + panel * strip.scaleStride;
    for (std::int64_t group = 0; group < depth; group += Format::kGroup) {
      Vec scale[kPanelVectors];
      [[maybe_unused]] Vec offset[kPanelVectors];
      for (int v = 0; v < kPanelVectors; ++v) {
        scale[v] = Format::scale(scales, strip.first + group, v);
        if constexpr (Format::kOffset) offset[v] = Format::offset(scales, strip.first + group, v);
      }
      const std::int64_t end = std::min(group + Format::kGroup, depth);
      for (std::int64_t k = group; k < end; ++k) {
        hwy::Prefetch(weights + k * Format::kRowBytes + kAhead);
        float* const to = out + (panel * depth + k) * kPanelColumns;
#pragma GCC unroll 32
        for (int v = 0; v < kPanelVectors; ++v) {
          Vec w = hn::Mul(Format::widen(weights, k, v), scale[v]);
          if constexpr (Format::kOffset) w = hn::Add(w, offset[v]);
          hn::StoreU(w, F32(), to + v * int{kLanes});
        }
      }
    }
  }
  return {reinterpret_cast<const std::uint8_t*>(out), depth * F32Weights::kRowBytes, nullptr, 0, 0};
}

template <int P, class Format>
void many(const LinearTask& task, std::int64_t panel, std::int64_t rowBegin, std::int64_t rows) {
  HWY_ALIGN float sums[P * kLinearRows * kPanelColumns];
  std::fill_n(sums, P * rows * kPanelColumns, 0.0f);
  const float* x = task.x + rowBegin * task.inFeatures;
  Strip strip = stripAt<Format>(task, panel);
  for (std::int64_t k = 0; k < task.inFeatures; k += kDepth) {
    const std::int64_t depth = std::min(kDepth, task.inFeatures - k);
    if constexpr (Format::kScaled) {
      HWY_ALIGN float wide[P * kDepth * kPanelColumns];
      tiles<kTileRows, P, F32Weights>(x, task.inFeatures, k, widened<P, Format>(strip, depth, wide), depth, 0,
                                      rows, sums);
    } else {
      tiles<kTileRows, P, Format>(x, task.inFeatures, k, strip, depth, 0, rows, sums);
    }
    strip.weights += kDepth * Format::kRowBytes;
    strip.first += kDepth;
  }
  finish(task, panel, P, rowBegin, rows, sums);
}

template <class Format>
void linear(const LinearTask& task, std::int64_t panel, std::int64_t panelEnd, std::int64_t rowBegin,
            std::int64_t rowEnd) {
  static_assert(kLinearRows % kTileRows == 0);
  const std::int64_t rows = rowEnd - rowBegin;
  constexpr int kFew = std::min(Format::kMostFew, kTileRows);
  if (rows <= kFew) return few<kFew, Format>(task, panel, panelEnd, rowBegin, rows);
  for (; panel + kManyPanels <= panelEnd; panel += kManyPanels)
    many<kManyPanels, Format>(task, panel, rowBegin, rows);
  for (; panel < panelEnd; ++panel) many<1, Format>(task, panel, rowBegin, rows);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#endif  // per target
