// How the products with AMX use the eight tiles: 0 to 3 hold sums, two by two tiles of 16 rows by 16 columns,
// for 32 rows of a panel of 32 columns; 4 and 5 hold rows of x, 6 and 7 columns of weights. A tile's row is
// 64 bytes. Included by the files that are compiled for AMX. `Tiles` is the number of tiles of rows, 1 or 2.
//
// Two by two load least: each tile that is loaded is multiplied twice, and one of a factor's two is loaded
// while the other is multiplied.
#pragma once

#include <immintrin.h>

#include "backends/cpu/panels-inl.h"

namespace vitrine::cpu {
namespace {

constexpr std::int64_t kRowsOfTile = 16, kColumnsOfTile = 16, kBytesOfTile = 64;
constexpr std::int64_t kRowsAtOnce = 64;  // of a task
constexpr std::int64_t kPairRows = 2 * kRowsOfTile;
constexpr std::int64_t kPanelBytes =
    kPanelColumns * 4;  // a row of a tile of weights for all of a panel's columns
static_assert(kRowsAtOnce % kPairRows == 0 && kRowsOfTile - 1 <= kSpareRows);

// What LDTILECFG reads: all tiles have their full size. A constant of the program, since the compiler does
// not know that the instruction reads all of it, and would store one of the stack too late.
struct alignas(64) TileShapes {
  std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
  std::uint16_t rowBytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  std::uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
constexpr TileShapes kShapes;

template <int Tiles>
inline void zeroTiles() {
  _tile_zero(0);
  _tile_zero(1);
  if constexpr (Tiles > 1) {
    _tile_zero(2);
    _tile_zero(3);
  }
}

// The sums, 32 columns of 4 bytes a row, to memory.
template <int Tiles, class Number>
inline void storeTiles(Number* to) {
  _tile_stored(0, to, kPanelBytes);
  _tile_stored(1, to + kColumnsOfTile, kPanelBytes);
  if constexpr (Tiles > 1) {
    constexpr std::int64_t kTile = kRowsOfTile * kPanelColumns;
    _tile_stored(2, to + kTile, kPanelBytes);
    _tile_stored(3, to + kTile + kColumnsOfTile, kPanelBytes);
  }
}

// sums += x · weights, one tile deep. Dot has the instruction, dot<sum, x, weights>(). Rows of x are xStride
// bytes apart.
template <class Dot, int Tiles>
inline void multiplyTiles(const void* x, std::int64_t xStride, const void* weights) {
  const char* const rows = static_cast<const char*>(x);
  _tile_loadd(6, weights, kPanelBytes);
  _tile_loadd(4, rows, xStride);
  Dot::template dot<0, 4, 6>();
  if constexpr (Tiles > 1) {
    _tile_loadd(5, rows + kRowsOfTile * xStride, xStride);
    Dot::template dot<2, 5, 6>();
  }
  _tile_loadd(7, static_cast<const char*>(weights) + kBytesOfTile, kPanelBytes);
  Dot::template dot<1, 4, 7>();
  if constexpr (Tiles > 1) Dot::template dot<3, 5, 7>();
}

// body<Tiles>(first row, rows) for each pair of tiles of `rows` rows.
template <class Body>
inline void forEachPair(std::int64_t rows, const Body& body) {
  for (std::int64_t first = 0; first < rows; first += kPairRows) {
    const std::int64_t here = lesserOf(kPairRows, rows - first);
    if (here <= kRowsOfTile)
      body.template operator()<1>(first, here);
    else
      body.template operator()<2>(first, here);
  }
}

// The most that the tiles do (vitrine/machine_roof.h): each turn is a multiplication for each of the tiles of
// sums, with what stays in the others. The instructions are never left out, and the result
// depends on them.
template <class Dot, class Number>
float multiplyAddTiles(std::int64_t turns) {
  alignas(64) Number sums[kPairRows * kPanelColumns];
  alignas(64) std::uint8_t factors[kRowsOfTile * kBytesOfTile];
  for (std::uint8_t& byte : factors) byte = 0x3F;  // of bf16: 0.75
  __atomic_signal_fence(__ATOMIC_SEQ_CST);  // the compiler does not know that loading a tile reads them
  _tile_loadconfig(&kShapes);
  zeroTiles<2>();
  _tile_loadd(4, factors, kBytesOfTile);
  _tile_loadd(5, factors, kBytesOfTile);
  _tile_loadd(6, factors, kBytesOfTile);
  _tile_loadd(7, factors, kBytesOfTile);
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    Dot::template dot<0, 4, 6>();
    Dot::template dot<2, 5, 6>();
    Dot::template dot<1, 4, 7>();
    Dot::template dot<3, 5, 7>();
  }
  storeTiles<2>(sums);
  _tile_release();
  float all = 0;
  for (const Number sum : sums) all += static_cast<float>(sum);
  return all;
}
// Of `Inputs` inputs that a tile is deep.
template <std::int64_t Inputs>
constexpr std::int64_t kMultiplyAddsOfTiles = kPairRows* kPanelColumns* Inputs;

}  // namespace
}  // namespace vitrine::cpu
