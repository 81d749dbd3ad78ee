// The matrix product. out[r][c] = Σ_k x[r][k] w[c][k], every sum alone in its lane, k ascending, one fused
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
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/linear_kernels.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include <algorithm>

#include "backends/cpu/simd-inl.h"
#include "core/quantize.h"
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

HWY_INLINE Vec widenBf16(const std::uint16_t* p) {
  return hn::BitCast(F32(), hn::ShiftLeft<16>(hn::PromoteTo(U32(), hn::LoadU(U16(), p))));
}

// How a format keeps the 32 weights of an input in a panel, and vector v of them as float32 (kScaled: times a
// scale).
struct F32Weights {
  static constexpr std::int64_t kRowBytes = 128;
  static constexpr bool kScaled = false;
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) {
    return hn::LoadU(F32(), reinterpret_cast<const float*>(row) + v * int{kLanes});
  }
};
struct Bf16Weights {  // the upper half of a float32
  static constexpr std::int64_t kRowBytes = 64;
  static constexpr bool kScaled = false;
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) {
    return widenBf16(reinterpret_cast<const std::uint16_t*>(row) + v * int{kLanes});
  }
};
struct F16Weights {
  static constexpr std::int64_t kRowBytes = 64;
  static constexpr bool kScaled = false;
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) {
    return hn::PromoteTo(F32(),
                         hn::LoadU(F16(), reinterpret_cast<const hwy::float16_t*>(row) + v * int{kLanes}));
  }
};
struct Int8Weights {
  static constexpr std::int64_t kRowBytes = 32;
  static constexpr bool kScaled = true;
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) {
    const auto bytes = hn::LoadU(I8(), reinterpret_cast<const std::int8_t*>(row) + v * int{kLanes});
    return hn::ConvertTo(F32(), hn::PromoteTo(I32(), bytes));
  }
};
struct Int4Weights {  // byte i: weight i + 8 in the lower half, weight i + 16, + 8 too, in the upper
  static constexpr std::int64_t kRowBytes = 16;
  static constexpr bool kScaled = true;
  static HWY_INLINE Vec widen(const std::uint8_t* row, int v) {
    const U32 d;
    const int column = v * int{kLanes};
    const auto pairs = hn::PromoteTo(d, hn::LoadU(U8(), row + column % 16));
    const auto halves = column < 16 ? pairs : hn::ShiftRight<4>(pairs);
    // As the last bits of 2^23, where a unit is one: cheaper than a conversion, and as exact.
    const auto shifted = hn::OrAnd(hn::Set(d, 0x4B000000), halves, hn::Set(d, 15));
    return hn::Sub(hn::BitCast(F32(), shifted), hn::Set(F32(), 0x1p23f + 8));
  }
};

// P neighbouring panels from some input on, a multiple of kQuantGroup.
struct Strip {
  const std::uint8_t* weights;
  std::int64_t weightStride;    // bytes from panel to panel
  const std::uint16_t* scales;  // bfloat16 [inputs / kQuantGroup][32]; null without
  std::int64_t scaleStride;     // scales from panel to panel
};

// sums [R][P * 32] += x [depth][R] · P panels [depth][32]
template <int R, int P, class Format>
HWY_INLINE void tile(const float* x, const Strip& strip, std::int64_t depth, float* sums) {
  const F32 d;
  constexpr int kVectors = P * kPanelVectors;
  Vec acc[R][kVectors], scale[kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v) acc[r][v] = hn::LoadU(d, sums + (r * kVectors + v) * int{kLanes});
  const std::int64_t step = Format::kScaled ? kQuantGroup : depth;
  for (std::int64_t group = 0; group < depth; group += step) {
    if constexpr (Format::kScaled)
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v)
        scale[v] = widenBf16(strip.scales + group + v / kPanelVectors * strip.scaleStride +
                             v % kPanelVectors * int{kLanes});
    const std::int64_t end = std::min(group + step, depth);
    for (std::int64_t k = group; k < end; ++k) {
      const std::uint8_t* const row = strip.weights + k * Format::kRowBytes;
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v) {
        const std::uint8_t* const panel = row + v / kPanelVectors * strip.weightStride;
        if (v % kPanelVectors == 0)
#pragma GCC unroll 2
          for (std::int64_t line = 0; line < Format::kRowBytes; line += 64)
            hwy::Prefetch(panel + kAhead + line);
        Vec w = Format::widen(panel, v % kPanelVectors);
        if constexpr (Format::kScaled) w = hn::Mul(w, scale[v]);
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
  const std::int64_t scales = quantGroups(task.inFeatures) * kPanelColumns;
  return {static_cast<const std::uint8_t*>(task.panels) + panel * stride, stride,
          Format::kScaled ? task.scales + panel * scales : nullptr, scales};
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
    const std::uint8_t* row = strip.weights + panel * strip.weightStride;
    for (std::int64_t group = 0; group < depth; group += kQuantGroup) {
      Vec scale[kPanelVectors];
      for (int v = 0; v < kPanelVectors; ++v)
        scale[v] = widenBf16(strip.scales + panel * strip.scaleStride + group + v * int{kLanes});
      const std::int64_t end = std::min(group + kQuantGroup, depth);
      for (std::int64_t k = group; k < end; ++k, row += Format::kRowBytes) {
        hwy::Prefetch(row + kAhead);
        float* const to = out + (panel * depth + k) * kPanelColumns;
#pragma GCC unroll 32
        for (int v = 0; v < kPanelVectors; ++v)
          hn::StoreU(hn::Mul(Format::widen(row, v), scale[v]), F32(), to + v * int{kLanes});
      }
    }
  }
  return {reinterpret_cast<const std::uint8_t*>(out), depth * F32Weights::kRowBytes, nullptr, 0};
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
      strip.scales += kDepth;  // of kDepth / kQuantGroup groups
    } else {
      tiles<kTileRows, P, Format>(x, task.inFeatures, k, strip, depth, 0, rows, sums);
    }
    strip.weights += kDepth * Format::kRowBytes;
  }
  finish(task, panel, P, rowBegin, rows, sums);
}

template <class Format>
void linear(const LinearTask& task, std::int64_t panel, std::int64_t panelEnd, std::int64_t rowBegin,
            std::int64_t rowEnd) {
  static_assert(kDepth % kQuantGroup == 0 && kQuantGroup == kPanelColumns);
  static_assert(kLinearRows % kTileRows == 0);
  const std::int64_t rows = rowEnd - rowBegin;
  if (rows <= kTileRows) return few<kTileRows, Format>(task, panel, panelEnd, rowBegin, rows);
  for (; panel + kManyPanels <= panelEnd; panel += kManyPanels)
    many<kManyPanels, Format>(task, panel, rowBegin, rows);
  for (; panel < panelEnd; ++panel) many<1, Format>(task, panel, rowBegin, rows);
}

}  // namespace

const LinearKernels* linearTable() {
  static constexpr LinearKernels table = {kTileRows,
                                          {linear<F32Weights>, linear<Bf16Weights>, linear<F16Weights>,
                                           linear<Int8Weights>, linear<Int4Weights>}};
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
