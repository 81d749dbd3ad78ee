// The products of quads over panels, for any instructions; int8_*.cpp include it, one for each set.
//
// `Simd` is a struct of the set: vectors of kLanes 32-bit numbers (Ints, Floats), of as many quads of weights
// (Quads) and of one quad of x (Quad), and what is done with them. It also quantizes: largestBits() of a
// group's magnitudes, whose order is that of their bits, with infinities and NaNs behind all numbers; round()
// to the nearest whole numbers, which returns their sum. A tile of R rows x P panels keeps the sums
// of a group in registers, and adds them to float32 sums in memory at the group's end: 32 inputs are eight
// instructions for each vector of sums, so the three of the scaling weigh little, and no register is lost to
// them. Blocks of kDeepGroups groups stay in the first-level cache while all tiles pass over them.
// Read next: int8_vnni.cpp.
#pragma once

#include <cstring>

#include "backends/cpu/int8_products.h"

namespace vitrine::cpu {
namespace {

// Own functions, here and below: one of the library that is not inlined would be compiled for these
// instructions, and the linker could take it for all of the program.
constexpr std::int64_t lesserOf(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

constexpr std::int64_t kDeepGroups = 8;
constexpr std::int64_t kFetchAhead = 2048;  // bytes, as in linear-inl.h

struct Int8Quads {
  static constexpr WeightFormat kFormat = WeightFormat::kInt8;
  static constexpr std::int64_t kZero = kInt8Zero;
  static constexpr int kOfLoad = 1;  // quads of a column in a vector of bytes
};
struct Int4Quads {
  static constexpr WeightFormat kFormat = WeightFormat::kInt4;
  static constexpr std::int64_t kZero = kInt4Zero;
  static constexpr int kOfLoad = 2;
};

// P neighbouring panels from some group on.
struct Int8Strip {
  const std::uint8_t* weights;
  const std::uint16_t* scales;
  std::int64_t weightStride, scaleStride;  // bytes and scales from panel to panel
};

template <class Simd>
constexpr int kVectorsOfPanel = static_cast<int>(kPanelColumns) / Simd::kLanes;

// sums [R][P * 32] += `groups` groups of R rows times P panels
template <class Simd, class Format, int R, int P>
inline void int8Tile(const QuantizedRows& x, const Int8Strip& strip, std::int64_t groups, float* sums) {
  constexpr int kVectors = P * kVectorsOfPanel<Simd>;
  constexpr std::int64_t kRowBytes = kPanelColumns * kQuad;  // of the quads of a panel's columns
  for (std::int64_t group = 0; group < groups; ++group) {
    // The float sums are read from memory for each group. Kept in registers, as the compiler would like, they
    // would push out those of whole numbers, which are used eight times as often.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    typename Simd::Ints acc[R][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const auto start = Simd::ints(static_cast<std::int32_t>(-Format::kZero) * x.sums[group * R + r]);
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v) acc[r][v] = start;
    }
    const std::uint8_t* row = strip.weights + group * quadGroupBytes(Format::kFormat);
    const std::int8_t* quads = x.values + group * kGroupQuads * R * kQuad;
#pragma GCC unroll 1
    for (std::int64_t quad = 0; quad < kGroupQuads; quad += Format::kOfLoad, row += kRowBytes) {
      typename Simd::Quads weights[kVectors];
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v) {
        const std::uint8_t* const at = row + v / kVectorsOfPanel<Simd> * strip.weightStride +
                                       v % kVectorsOfPanel<Simd> * Simd::kLanes * kQuad;
        weights[v] = Simd::load(at);
        __builtin_prefetch(at + kFetchAhead);
      }
#pragma GCC unroll 2
      for (int part = 0; part < Format::kOfLoad; ++part, quads += R * kQuad)
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          const auto one = Simd::broadcast(quads + r * kQuad);
#pragma GCC unroll 32
          for (int v = 0; v < kVectors; ++v)
            acc[r][v] = Simd::dot(acc[r][v],
                                  Format::kOfLoad == 1 ? weights[v]
                                  : part == 0          ? Simd::lowerHalves(weights[v])
                                                       : Simd::upperHalves(weights[v]),
                                  one);
        }
    }
    typename Simd::Floats scales[kVectors];
#pragma GCC unroll 32
    for (int v = 0; v < kVectors; ++v)
      scales[v] = Simd::widenBf16(strip.scales + group * kPanelColumns +
                                  v / kVectorsOfPanel<Simd> * strip.scaleStride +
                                  v % kVectorsOfPanel<Simd> * Simd::kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v)
        Simd::addScaled(sums + (r * kVectors + v) * Simd::kLanes, acc[r][v], scales[v],
                        x.scales[group * R + r]);
  }
}

// From row `first` and group `group` on; the row begins a tile, whose rows are `rows`.
inline QuantizedRows rowsAt(const Int8Task& task, std::int64_t first, std::int64_t group, std::int64_t rows) {
  const std::int64_t groups = first * task.groups + group * rows;
  return {task.x.values + groups * kQuantGroup, task.x.scales + groups, task.x.sums + groups};
}

template <class Format>
Int8Strip int8StripAt(const Int8Task& task, std::int64_t panel, std::int64_t group) {
  constexpr std::int64_t kBytes = quadGroupBytes(Format::kFormat);
  const std::int64_t groups = panel * task.groups + group;
  return {task.panels + groups * kBytes, task.scales + groups * kPanelColumns, task.groups * kBytes,
          task.groups * kPanelColumns};
}

inline void storeSums(const Int8Task& task, std::int64_t panel, std::int64_t panels, std::int64_t rowBegin,
                      std::int64_t rows, const float* sums) {
  const std::int64_t column = panel * kPanelColumns,
                     count = lesserOf(panels * kPanelColumns, task.outFeatures - column);
  for (std::int64_t row = 0; row < rows; ++row) {
    float* const out = task.out + (rowBegin + row) * task.outStride + column;
    const float* const sum = sums + row * panels * kPanelColumns;
    if (task.bias == nullptr)
      for (std::int64_t i = 0; i < count; ++i) out[i] = sum[i];
    else
      for (std::int64_t i = 0; i < count; ++i) out[i] = sum[i] + task.bias[column + i];
  }
}

// As high a tile as the registers allow, or as there are rows.
template <class Simd>
constexpr int kInt8TileRows = Simd::kSums / kVectorsOfPanel<Simd> / Simd::kManyPanels;
template <class Simd, int R>
constexpr int kInt8Panels = static_cast<int>(lesserOf(4, Simd::kSums / (R * kVectorsOfPanel<Simd>)));

// The tiles of `rows` rows over a block of groups.
template <class Simd, class Format, int R, int P>
inline void int8Tiles(const Int8Task& task, const Int8Strip& strip, std::int64_t group, std::int64_t groups,
                      std::int64_t rowBegin, std::int64_t row, std::int64_t rows, float* sums) {
  for (; row + R <= rows; row += R)
    int8Tile<Simd, Format, R, P>(rowsAt(task, rowBegin + row, group, R), strip, groups,
                                 sums + row * P * kPanelColumns);
  if constexpr (R > 1)
    if (row < rows) int8Tiles<Simd, Format, R - 1, P>(task, strip, group, groups, rowBegin, row, rows, sums);
}

template <class Simd, class Format, int P>
void int8Many(const Int8Task& task, std::int64_t panel, std::int64_t rowBegin, std::int64_t rows) {
  alignas(64) float sums[P * kLinearRows * kPanelColumns];
  for (std::int64_t i = 0; i < P * rows * kPanelColumns; ++i) sums[i] = 0;
  for (std::int64_t group = 0; group < task.groups; group += kDeepGroups)
    int8Tiles<Simd, Format, kInt8TileRows<Simd>, P>(task, int8StripAt<Format>(task, panel, group), group,
                                                    lesserOf(kDeepGroups, task.groups - group), rowBegin, 0,
                                                    rows, sums);
  storeSums(task, panel, P, rowBegin, rows, sums);
}

template <class Simd, class Format, int R, int P>
void int8Once(const Int8Task& task, std::int64_t panel, std::int64_t rowBegin) {
  alignas(64) float sums[R * P * kPanelColumns] = {};
  int8Tile<Simd, Format, R, P>(rowsAt(task, rowBegin, 0, R), int8StripAt<Format>(task, panel, 0), task.groups,
                               sums);
  storeSums(task, panel, P, rowBegin, R, sums);
}

template <class Simd, class Format, int R>
void int8Few(const Int8Task& task, std::int64_t panel, std::int64_t panelEnd, std::int64_t rowBegin,
             std::int64_t rows) {
  if constexpr (R > 1)
    if (rows < R) return int8Few<Simd, Format, R - 1>(task, panel, panelEnd, rowBegin, rows);
  constexpr int P = kInt8Panels<Simd, R>;
  for (; panel + P <= panelEnd; panel += P) int8Once<Simd, Format, R, P>(task, panel, rowBegin);
  if constexpr (P > 1)
    for (; panel < panelEnd; ++panel) int8Once<Simd, Format, R, 1>(task, panel, rowBegin);
}

template <class Simd, class Format>
void int8Linear(const Int8Task& task, std::int64_t panel, std::int64_t panelEnd, std::int64_t rowBegin,
                std::int64_t rowEnd) {
  constexpr int kRows = kInt8TileRows<Simd>, kPanels = Simd::kManyPanels;
  static_assert(kLinearRows % kRows == 0);
  const std::int64_t rows = rowEnd - rowBegin;
  if (rows <= kRows) return int8Few<Simd, Format, kRows>(task, panel, panelEnd, rowBegin, rows);
  for (; panel + kPanels <= panelEnd; panel += kPanels)
    int8Many<Simd, Format, kPanels>(task, panel, rowBegin, rows);
  for (; panel < panelEnd; ++panel) int8Many<Simd, Format, 1>(task, panel, rowBegin, rows);
}

// One group of one row.
struct QuantizedGroup {
  alignas(64) std::int8_t values[kQuantGroup];
  float scale;
  std::int32_t sum;
};

template <class Simd>
inline void quantizeInt8(const float* x, QuantizedGroup& group) {
  constexpr std::int32_t kInfinity = 0x7F800000;
  const std::int32_t bits = Simd::largestBits(x);
  const float most = __builtin_bit_cast(float, bits), quotient = 127.0f / most;
  // Where the quotient of the largest number is none, the group is as good as zero.
  const bool isSound = bits < kInfinity && quotient < __builtin_inff();
  group.sum = Simd::round(x, isSound ? quotient : 0.0f, group.values);
  group.scale = isSound ? most / 127.0f : 0.0f;
  if (bits < kInfinity) return;
  group = {};
  group.scale = __builtin_nanf("");
}

template <class Simd>
void quantizeTile(const float* x, std::int64_t stride, std::int64_t inFeatures, std::int64_t first,
                  std::int64_t count, const QuantizedRows& out) {
  const std::int64_t groups = (inFeatures + kQuantGroup - 1) / kQuantGroup, begin = first * groups;
  for (std::int64_t row = 0; row < count; ++row) {
    const float* const from = x + (first + row) * stride;
    for (std::int64_t group = 0; group < groups; ++group) {
      QuantizedGroup one;
      const std::int64_t here = inFeatures - group * kQuantGroup;
      if (here >= kQuantGroup) {
        quantizeInt8<Simd>(from + group * kQuantGroup, one);
      } else {
        float filled[kQuantGroup] = {};
        std::memcpy(filled, from + group * kQuantGroup, static_cast<std::size_t>(here) * sizeof(float));
        quantizeInt8<Simd>(filled, one);
      }
      std::int8_t* to = out.values + begin * kQuantGroup + (group * kGroupQuads * count + row) * kQuad;
      for (std::int64_t quad = 0; quad < kGroupQuads; ++quad, to += count * kQuad)
        std::memcpy(to, one.values + quad * kQuad, kQuad);
      out.scales[begin + group * count + row] = one.scale;
      out.sums[begin + group * count + row] = one.sum;
    }
  }
}

template <class Simd>
constexpr Int8Kernels int8KernelsOf(const char* name) {
  return {name, kInt8TileRows<Simd>, quantizeTile<Simd>, int8Linear<Simd, Int8Quads>,
          int8Linear<Simd, Int4Quads>};
}

}  // namespace
}  // namespace vitrine::cpu
