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
  // The tile's number is a part of the instruction.
  template <int Sum>
  static void dot() {
    if constexpr (Sum == 0) _tile_dpbf16ps(0, 6, 7);
    if constexpr (Sum == 1) _tile_dpbf16ps(1, 6, 7);
    if constexpr (Sum == 2) _tile_dpbf16ps(2, 6, 7);
    if constexpr (Sum == 3) _tile_dpbf16ps(3, 6, 7);
    if constexpr (Sum == 4) _tile_dpbf16ps(4, 6, 7);
    if constexpr (Sum == 5) _tile_dpbf16ps(5, 6, 7);
  }
};

template <int Tiles>
void bf16Panel(const Bf16Task& task, std::int64_t panel, std::int64_t rowBegin, std::int64_t rows) {
  alignas(64) float sums[Tiles * kRowsOfTile * kPanelColumns];
  zeroTiles<Tiles>();
  for (std::int64_t input = 0; input < task.inputs; input += kInputsOfTile) {
    const std::uint16_t* const weights = task.panels + (panel * task.inputs + input) * kPanelColumns;
    // Two tiles ahead.
    for (std::int64_t line = 0; line < kPanelBytes * kRowsOfTile; line += 64)
      __builtin_prefetch(reinterpret_cast<const char*>(weights) + 2 * kPanelBytes * kRowsOfTile + line);
    multiplyTiles<Bf16Dot, Tiles>(roundedAt(task.x, rowBegin, input / kRoundedBlock) + input % kRoundedBlock,
                                  kRoundedBlock * static_cast<std::int64_t>(sizeof(std::uint16_t)), weights);
  }
  storeTiles<Tiles>(sums);
  storeSums(task, panel, 1, rowBegin, rows, sums);
}

void multiply(const Bf16Task& task, std::int64_t panelBegin, std::int64_t panelEnd, std::int64_t rowBegin,
              std::int64_t rowEnd) {
  const std::int64_t rows = rowEnd - rowBegin;
  forEachPanel(rows, panelBegin, panelEnd,
               [&]<int Tiles>(std::int64_t panel) { bf16Panel<Tiles>(task, panel, rowBegin, rows); });
}

}  // namespace

constinit const Bf16Kernels kAmxBf16Kernels = {"AMX", roundRow, multiply, kMultiplyAddsOfTiles<kInputsOfTile>,
                                               multiplyAddTiles<Bf16Dot, float>};

}  // namespace vitrine::cpu
