// With AMX: TDPBF16PS multiplies 16 rows of 32 inputs by 32 inputs of 16 columns. It adds the first and the
// second numbers of the pairs by themselves, and both sums to the tile's at its end: bits of its own, so a
// single row is multiplied by it, too. The sums stay in the tiles over all inputs. Compiled for these
// instructions, and called where the machine has them. Read next: bf16_avx512.cpp, amx-inl.h.
#include "backends/cpu/amx-inl.h"
#include "backends/cpu/bf16-inl.h"
#include "backends/cpu/bf16_sets.h"

namespace vitrine::cpu {
namespace {

constexpr std::int64_t kInputsOfTile = kBytesOfTile / 2;
static_assert(kPairedInputs == kInputsOfTile && kRoundedBlock % kInputsOfTile == 0);

struct Bf16Dot {
  // The tiles' numbers are a part of the instruction.
  template <int Sum, int X, int Weights>
  static void dot() {
    if constexpr (Sum == 0) _tile_dpbf16ps(0, 4, 6);
    if constexpr (Sum == 1) _tile_dpbf16ps(1, 4, 7);
    if constexpr (Sum == 2) _tile_dpbf16ps(2, 5, 6);
    if constexpr (Sum == 3) _tile_dpbf16ps(3, 5, 7);
    static_assert(X == 4 + Sum / 2 && Weights == 6 + Sum % 2);
  }
};

// Weights are asked for four tiles ahead; tiles of x, a piece of memory each, come fast enough.
template <int Tiles>
void bf16Pair(const Bf16Task& task, std::int64_t panel, std::int64_t row, std::int64_t rows) {
  alignas(64) float sums[kPairRows * kPanelColumns];
  zeroTiles<Tiles>();
  const std::uint16_t* weights = task.panels + panel * task.inputs * kPanelColumns;
  for (std::int64_t step = 0; step < task.inputs / kInputsOfTile; ++step) {
    const auto* const ahead = reinterpret_cast<const char*>(weights) + 4 * kPanelBytes * kRowsOfTile;
    for (std::int64_t line = 0; line < kPanelBytes * kRowsOfTile; line += kBytesOfTile)
      __builtin_prefetch(ahead + line);
    multiplyTiles<Bf16Dot, Tiles>(roundedAt<kInputsOfTile>(task.x, row, step), kBytesOfTile, weights);
    weights += kInputsOfTile * kPanelColumns;
  }
  storeTiles<Tiles>(sums);
  storeSums(task, panel, 1, row, rows, sums);
}

void multiply(const Bf16Task& task, std::int64_t panelBegin, std::int64_t panelEnd, std::int64_t rowBegin,
              std::int64_t rowEnd) {
  _tile_loadconfig(&kShapes);
  forEachPair(rowEnd - rowBegin, [&]<int Tiles>(std::int64_t first, std::int64_t rows) {
    for (std::int64_t panel = panelBegin; panel < panelEnd; ++panel)
      bf16Pair<Tiles>(task, panel, rowBegin + first, rows);
  });
  // Tiles in use would be saved and restored at every switch of threads.
  _tile_release();
}

}  // namespace

constinit const Bf16Kernels kAmxBf16Kernels = {"AMX",
                                               kRowsAtOnce,
                                               roundRow<kInputsOfTile>,
                                               multiply,
                                               kMultiplyAddsOfTiles<kInputsOfTile>,
                                               multiplyAddTiles<Bf16Dot, float>};

}  // namespace vitrine::cpu
