// With AMX: TDPBSUD multiplies 16 rows of 64 bytes by 64 bytes of 16 columns, 16,384 multiply-adds in 16
// cycles, where VNNI does 64 in an instruction. A panel's quads lie as its tiles want them: a row of a tile
// is a quad of 16 columns.
//
// A task's rows and two panels pass through the groups together, so that what is loaded lies in the
// first-level cache: the next group's weights are asked for meanwhile. 32 rows by a panel are two by two
// tiles of sums. After each group, two tiles deep, they go to memory and are scaled there with AVX-512, while
// the next tiles are multiplied: the matrix unit works by itself. int4 is spread to bytes first, once for all
// rows. Few rows would leave most of a tile empty, and go to VNNI: whole numbers have the same sums there.
// Compiled for these instructions, and called where the machine has them. Read next: vnni-inl.h, amx.h.
#include "backends/cpu/amx-inl.h"
#include "backends/cpu/int8-inl.h"
#include "backends/cpu/int8_sets.h"
#include "backends/cpu/vnni-inl.h"

namespace vitrine::cpu {
namespace {

constexpr std::int64_t kFewRows = 4;
static_assert(kProductGroup % kBytesOfTile == 0 && kQuad == 4);

struct Int8Dot {
  // The tiles' numbers are a part of the instruction.
  template <int Sum, int X, int Weights>
  static void dot() {
    if constexpr (Sum == 0) _tile_dpbsud(0, 4, 6);
    if constexpr (Sum == 1) _tile_dpbsud(1, 4, 7);
    if constexpr (Sum == 2) _tile_dpbsud(2, 5, 6);
    if constexpr (Sum == 3) _tile_dpbsud(3, 5, 7);
    static_assert(X == 4 + Sum / 2 && Weights == 6 + Sum % 2);
  }
};

// Sums of a group, [rows of the tiles][32 columns].
using Whole = std::int32_t[kPairRows * kPanelColumns];

inline Vnni::Ints wholeAt(const Whole& whole, std::int64_t at, std::int32_t start) {
  return Vnni::Ints(_mm512_load_si512(whole + at)) + start;
}

// sums [rows][32] += the group's, scaled
template <std::int64_t Zero>
inline void scaleGroup(const Whole& whole, const QuantizedRows& x, const std::uint16_t* scales,
                       std::int64_t rows, float* sums) {
  const __m512 ofColumns[] = {Vnni::widenBf16(scales), Vnni::widenBf16(scales + kColumnsOfTile)};
  for (std::int64_t row = 0; row < rows; ++row)
#pragma GCC unroll 2
    for (int v = 0; v < 2; ++v) {
      const std::int64_t at = row * kPanelColumns + v * kColumnsOfTile;
      Vnni::addScaled(sums + at, wholeAt(whole, at, static_cast<std::int32_t>(-Zero) * x.sums[row]),
                      ofColumns[v], x.scales[row]);
    }
}

// A group of int4 as int8 lies: a row of pairs becomes two of quads.
inline void spread(const std::uint8_t* halves, std::uint8_t* bytes) {
  for (std::int64_t pair = 0; pair < kGroupQuads / 2; ++pair)
    for (std::int64_t at = 0; at < kPanelBytes; at += kBytesOfTile) {
      const __m512i both = Vnni::load(halves + pair * kPanelBytes + at);
      Vnni::store(Vnni::bits(both, 0, 15), bytes + 2 * pair * kPanelBytes + at);
      Vnni::store(Vnni::bits(both, 4, 15), bytes + (2 * pair + 1) * kPanelBytes + at);
    }
}

// Asks for half of a group of int8 weights, which is as many lines as wait while a pair of tiles is
// multiplied.
inline void fetchHalf(const std::uint8_t* quads, std::int64_t half) {
  constexpr std::int64_t kHalf = kGroupQuads / 2 * kPanelBytes;
  for (std::int64_t at = 0; at < kHalf; at += kBytesOfTile) __builtin_prefetch(quads + half * kHalf + at);
}

// P neighbouring panels; at most kRowsAtOnce rows.
template <class Format, int P>
void amxPanels(const Int8Task& task, std::int64_t panel, std::int64_t rowBegin, std::int64_t rows) {
  alignas(64) float sums[P][kRowsAtOnce * kPanelColumns];
  alignas(64) Whole whole[2];
  alignas(64) std::uint8_t bytes[P][kGroupQuads * kPanelBytes];
  for (int p = 0; p < P; ++p)
    for (std::int64_t i = 0; i < rows * kPanelColumns; ++i) sums[p][i] = 0;
  // The tiles that were multiplied last, whose sums wait to be scaled.
  struct Waiting {
    std::int64_t group = 0, first = 0, rows = 0;
    int panel = 0, whole = 0;
  } waiting;
  const auto scale = [&] {
    const Int8Strip strip = int8StripAt<Format>(task, panel + waiting.panel, waiting.group);
    scaleGroup<Format::kZero>(whole[waiting.whole], rowsAt(task.x, rowBegin + waiting.first, waiting.group),
                              strip.scales, waiting.rows,
                              sums[waiting.panel] + waiting.first * kPanelColumns);
  };
  for (std::int64_t group = 0; group < task.x.groups; ++group) {
    const std::uint8_t* quads[P];
    for (int p = 0; p < P; ++p) {
      quads[p] = int8StripAt<Format>(task, panel + p, group).weights;
      if constexpr (Format::kOfLoad == 2) {
        spread(quads[p], bytes[p]);
        quads[p] = bytes[p];
      }
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);  // the compiler does not know that loading a tile reads them
    for (int p = 0; p < P; ++p)
      forEachPair(rows, [&]<int Tiles>(std::int64_t first, std::int64_t here) {
        const std::int8_t* const values = rowsAt(task.x, rowBegin + first, group).values;
        if constexpr (Format::kOfLoad == 1)
          if (group + 1 < task.x.groups)
            fetchHalf(int8StripAt<Format>(task, panel + p, group + 1).weights, first / kPairRows);
        zeroTiles<Tiles>();
        for (std::int64_t depth = 0; depth < kProductGroup; depth += kBytesOfTile)
          multiplyTiles<Int8Dot, Tiles>(values + depth, kProductGroup,
                                        quads[p] + depth / kQuad * kPanelBytes);
        if (waiting.rows > 0) scale();
        waiting = {group, first, here, p, 1 - waiting.whole};
        storeTiles<Tiles>(whole[waiting.whole]);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
      });
  }
  scale();
  for (int p = 0; p < P; ++p) storeSums(task, panel + p, 1, rowBegin, rows, sums[p]);
}

template <class Format>
void amxLinear(const Int8Task& task, std::int64_t panel, std::int64_t panelEnd, std::int64_t rowBegin,
               std::int64_t rowEnd) {
  const std::int64_t rows = rowEnd - rowBegin;
  if (rows <= kFewRows)
    return (Format::kOfLoad == 1 ? kVnniKernels.int8 : kVnniKernels.int4)(task, panel, panelEnd, rowBegin,
                                                                          rowEnd);
  _tile_loadconfig(&kShapes);
  for (; panel + 2 <= panelEnd; panel += 2) amxPanels<Format, 2>(task, panel, rowBegin, rows);
  if (panel < panelEnd) amxPanels<Format, 1>(task, panel, rowBegin, rows);
  // Tiles in use would be saved and restored at every switch of threads.
  _tile_release();
}

void quantize(const float* x, std::int64_t inFeatures, const QuantizedRows& out, std::int64_t row) {
  kVnniKernels.quantize(x, inFeatures, out, row);
}

void partRow(const QuantizedRows& x, std::int64_t row, BlockType type, Int8BlockTask::RowPart* parts) {
  kVnniKernels.partRow(x, row, type, parts);
}
// A part of 16 or 32 inputs is a quarter or a half of a tile, whose sums go to memory after each. Tiles of
// that depth took as long as VNNI (README.md).
void blocks(const Int8BlockTask& task, std::int64_t panel, std::int64_t panelEnd, std::int64_t rowBegin,
            std::int64_t rowEnd) {
  kVnniKernels.blocks(task, panel, panelEnd, rowBegin, rowEnd);
}

}  // namespace

constinit const Int8Kernels kAmxKernels = {"AMX",
                                           kRowsAtOnce,
                                           quantize,
                                           amxLinear<Int8Quads>,
                                           amxLinear<Int4Quads>,
                                           kMultiplyAddsOfTiles<kBytesOfTile>,
                                           multiplyAddTiles<Int8Dot, std::int32_t>,
                                           partRow,
                                           blocks};

}  // namespace vitrine::cpu
