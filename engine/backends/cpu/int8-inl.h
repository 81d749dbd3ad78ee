// The products of quads over panels, for any instructions; int8_*.cpp include it, one for each set.
//
// `Simd` is a struct of the set: vectors of kLanes 32-bit numbers (Ints, Floats), of as many quads of weights
// (Quads) and of one quad of x (Quad), and what is done with them. It also quantizes: largestBits() of some
// inputs' magnitudes, whose order is that of their bits, with infinities and NaNs behind all numbers; round()
// to the nearest whole numbers, which returns their sum. A tile of R rows x P panels keeps the sums of a
// group in registers, and adds them to float32 sums in memory at the group's end: 128 inputs are 32
// instructions for each vector of sums, so the three of the scaling weigh little, and no register is lost to
// them. Read next: int8_blocks-inl.h, int8_vnni.cpp.
#pragma once

#include <cstring>

#include "backends/cpu/int8_products.h"
#include "backends/cpu/panels-inl.h"

namespace vitrine::cpu {
namespace {

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

// Neighbouring panels from some group on.
struct Int8Strip {
  const std::uint8_t* weights;
  const std::uint16_t* scales;
  std::int64_t weightStride, scaleStride;  // bytes and scales from panel to panel
};

template <class Simd>
constexpr int kVectorsOfPanel = static_cast<int>(kPanelColumns) / Simd::kLanes;

// sums [R][P * 32] += `groups` groups of R rows times P panels
template <class Simd, class Format, int R, int P>
inline void addGroups(const QuantizedRows& x, const Int8Strip& strip, std::int64_t groups, float* sums) {
  constexpr int kVectors = P * kVectorsOfPanel<Simd>;
  constexpr std::int64_t kRowBytes = kPanelColumns * kQuad;  // of the quads of a panel's columns
  for (std::int64_t group = 0; group < groups; ++group) {
    // The float sums are read from memory for each group. Kept in registers, as the compiler would like, they
    // would push out those of whole numbers, which are used 32 times as often.
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    typename Simd::Ints acc[R][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const auto start = Simd::ints(static_cast<std::int32_t>(-Format::kZero) * x.sums[group * x.stride + r]);
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v) acc[r][v] = start;
    }
    const std::uint8_t* row = strip.weights + group * quadGroupBytes(Format::kFormat);
    const std::int8_t* quads = x.values + group * x.stride * kProductGroup;
#pragma GCC unroll 1
    for (std::int64_t quad = 0; quad < kGroupQuads; quad += Format::kOfLoad, row += kRowBytes) {
      typename Simd::Quads weights[kVectors];
#pragma GCC unroll 32
      for (int v = 0; v < kVectors; ++v) {
        const std::uint8_t* const at = row + v / kVectorsOfPanel<Simd> * strip.weightStride +
                                       v % kVectorsOfPanel<Simd> * Simd::kLanes * kQuad;
        weights[v] = Simd::load(at);
        fetchAhead<8 / Format::kOfLoad, R>(at);
      }
#pragma GCC unroll 2
      for (int part = 0; part < Format::kOfLoad; ++part, quads += kQuad)
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          const auto one = Simd::broadcast(quads + r * kProductGroup);
#pragma GCC unroll 32
          for (int v = 0; v < kVectors; ++v)
            acc[r][v] = Simd::dot(
                acc[r][v], Format::kOfLoad == 1 ? weights[v] : Simd::bits(weights[v], 4 * part, 15), one);
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
                        x.scales[group * x.stride + r]);
  }
}

inline QuantizedRows rowsAt(const QuantizedRows& x, std::int64_t row, std::int64_t group) {
  const std::int64_t at = group * x.stride + row;
  return {x.rows,        x.stride,   x.groups, kProductGroup, x.values + at * kProductGroup,
          x.scales + at, x.sums + at};
}

template <class Format>
Int8Strip int8StripAt(const Int8Task& task, std::int64_t panel, std::int64_t group) {
  constexpr std::int64_t kBytes = quadGroupBytes(Format::kFormat);
  const std::int64_t groups = panel * task.x.groups + group;
  return {task.panels + groups * kBytes, task.scales + groups * kPanelColumns, task.x.groups * kBytes,
          task.x.groups * kPanelColumns};
}

template <class Simd, class Format>
struct Int8Tile {
  using Task = Int8Task;
  static constexpr int kVectors = kVectorsOfPanel<Simd>, kSums = Simd::kSums, kManyPanels = Simd::kManyPanels,
                       kMostPanels = 4;
  static constexpr std::int64_t kDeep = 256 / kProductGroup, kOnce = kAllSteps;
  static std::int64_t depth(const Task& task) { return task.x.groups; }
  template <int P, std::int64_t Steps>
  struct Strip : Int8Strip {
    Strip(const Task& task, std::int64_t panel, std::int64_t group, std::int64_t)
        : Int8Strip(int8StripAt<Format>(task, panel, group)) {}
  };
  template <int R, int P, class Strip>
  static void add(const Task& task, const Strip& strip, std::int64_t row, std::int64_t group,
                  std::int64_t groups, float* sums) {
    addGroups<Simd, Format, R, P>(rowsAt(task.x, row, group), strip, groups, sums);
  }
};

template <class Simd, std::int64_t Count>
inline void quantizeInt8(const float* x, std::int8_t* values, float& scale, std::int32_t& sum) {
  constexpr std::int32_t kInfinity = 0x7F800000;
  const std::int32_t bits = Simd::template largestBits<Count>(x);
  const float most = __builtin_bit_cast(float, bits), quotient = 127.0f / most;
  // Where the quotient of the largest number is none, the group is as good as zero.
  const bool isSound = bits < kInfinity && quotient < __builtin_inff();
  if (isSound) {
    sum = Simd::template round<Count>(x, quotient, values);
    scale = most / 127.0f;
    return;
  }
  for (std::int64_t i = 0; i < Count; ++i) values[i] = 0;
  sum = 0;
  scale = bits < kInfinity ? 0.0f : __builtin_nanf("");
}

template <class Simd, std::int64_t OfScale>
void quantizeGroups(const float* x, std::int64_t inFeatures, const QuantizedRows& out, std::int64_t row) {
  constexpr std::int64_t kScales = kProductGroup / OfScale;
  for (std::int64_t group = 0; group < out.groups; ++group) {
    const std::int64_t here = lesserOf(inFeatures - group * kProductGroup, kProductGroup);
    float filled[kProductGroup];
    const float* from = x + group * kProductGroup;
    if (here < kProductGroup) {
      for (std::int64_t i = 0; i < kProductGroup; ++i) filled[i] = i < here ? from[i] : 0.0f;
      from = filled;
    }
    const std::int64_t at = group * out.stride + row;
    std::int8_t* values = out.values + at * kProductGroup;
    for (std::int64_t i = at * kScales; i < (at + 1) * kScales; ++i, from += OfScale, values += OfScale)
      quantizeInt8<Simd, OfScale>(from, values, out.scales[i], out.sums[i]);
  }
}
template <class Simd>
void quantizeRow(const float* x, std::int64_t inFeatures, const QuantizedRows& out, std::int64_t row) {
  out.ofScale == kBlockGroup ? quantizeGroups<Simd, kBlockGroup>(x, inFeatures, out, row)
                             : quantizeGroups<Simd, kProductGroup>(x, inFeatures, out, row);
}

// What the products do between two loads: multiply-adds of a few quads, with the sums in registers. Weights
// that stay the same are unpacked once, before the turns. The empty instruction may have changed x, for all
// that the compiler knows, so no product is computed once for all turns.
template <class Simd>
struct Int8Peak {
  static constexpr int kWeights = 2, kRows = Simd::kSums / kWeights;
  static constexpr std::int64_t kMultiplyAdds = std::int64_t{kRows} * kWeights * Simd::kLanes * kQuad;

  static float run(std::int64_t turns) {
    alignas(64) std::uint8_t bytes[kWeights * Simd::kLanes * kQuad];
    for (int i = 0; i < kWeights * Simd::kLanes * static_cast<int>(kQuad); ++i)
      bytes[i] = static_cast<std::uint8_t>(turns + 3 * i);
    const std::int8_t quad[kQuad] = {1, -1, 1, 1};  // too small for a sum to overflow
    const auto first = Simd::load(bytes), second = Simd::load(bytes + Simd::kLanes * kQuad);
    auto x = Simd::broadcast(quad);
    typename Simd::Ints sums[kRows][kWeights];
#pragma GCC unroll 32
    for (int r = 0; r < kRows; ++r) sums[r][0] = sums[r][1] = Simd::ints(r);
#pragma GCC unroll 1
    for (std::int64_t turn = 0; turn < turns; ++turn)
#pragma GCC unroll 32
      for (int r = 0; r < kRows; ++r) {
        asm volatile("" : "+m"(x));
        sums[r][0] = Simd::dot(sums[r][0], first, x);
        sums[r][1] = Simd::dot(sums[r][1], second, x);
      }
    std::int32_t lanes[kRows * kWeights * Simd::kLanes];
    static_assert(sizeof lanes == sizeof sums);
    std::memcpy(lanes, sums, sizeof sums);
    float all = 0;
    for (const std::int32_t lane : lanes) all += static_cast<float>(lane);
    return all;
  }
};

}  // namespace
}  // namespace vitrine::cpu
