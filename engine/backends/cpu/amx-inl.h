// How the products with AMX use the eight tiles: 0 to 5 hold sums, 16 rows by 16 columns each, for up to 48
// rows of a panel of 32 columns; 6 holds rows of x, 7 columns of weights. A tile's row is 64 bytes. Included
// by the files that are compiled for AMX. `Tiles` is the number of tiles of rows, 1 to 3.
#pragma once

#include <immintrin.h>

#include "backends/cpu/panels-inl.h"

namespace vitrine::cpu {
namespace {

constexpr std::int64_t kRowsOfTile = 16, kColumnsOfTile = 16, kBytesOfTile = 64;
constexpr std::int64_t kMostTiles = kLinearRows / kRowsOfTile;
constexpr std::int64_t kPanelBytes =
    kPanelColumns * 4;  // a row of a tile of weights for all of a panel's columns
static_assert(kLinearRows % kRowsOfTile == 0 && kRowsOfTile - 1 <= kSpareRows);

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
  if constexpr (Tiles > 2) {
    _tile_zero(4);
    _tile_zero(5);
  }
}

// The sums, 32 columns of 4 bytes a row, to memory.
template <int Tiles, class Number>
inline void storeTiles(Number* to) {
  constexpr std::int64_t kTile = kRowsOfTile * kPanelColumns;
  _tile_stored(0, to, kPanelBytes);
  _tile_stored(1, to + kColumnsOfTile, kPanelBytes);
  if constexpr (Tiles > 1) {
    _tile_stored(2, to + kTile, kPanelBytes);
    _tile_stored(3, to + kTile + kColumnsOfTile, kPanelBytes);
  }
  if constexpr (Tiles > 2) {
    _tile_stored(4, to + 2 * kTile, kPanelBytes);
    _tile_stored(5, to + 2 * kTile + kColumnsOfTile, kPanelBytes);
  }
}

// sums += x · weights, one tile deep. Dot has the instruction, dot<sum, x, weights>(). Rows of x are xStride
// bytes apart. The last tile of x that the left columns used is the first that the right ones use.
template <class Dot, int Tiles>
inline void multiplyTiles(const void* x, std::int64_t xStride, const void* weights) {
  const char* const rows = static_cast<const char*>(x);
  const std::int64_t next = kRowsOfTile * xStride;
  _tile_loadd(7, weights, kPanelBytes);
  _tile_loadd(6, rows, xStride);
  Dot::template dot<0>();
  if constexpr (Tiles > 1) {
    _tile_loadd(6, rows + next, xStride);
    Dot::template dot<2>();
  }
  if constexpr (Tiles > 2) {
    _tile_loadd(6, rows + 2 * next, xStride);
    Dot::template dot<4>();
  }
  _tile_loadd(7, static_cast<const char*>(weights) + kBytesOfTile, kPanelBytes);
  if constexpr (Tiles > 2) {
    Dot::template dot<5>();
    _tile_loadd(6, rows + next, xStride);
  }
  if constexpr (Tiles > 1) {
    Dot::template dot<3>();
    _tile_loadd(6, rows, xStride);
  }
  Dot::template dot<1>();
}

// body<Tiles>(panel) for each panel, with as many tiles as the rows need.
template <class Body>
inline void forEachPanel(std::int64_t rows, std::int64_t panel, std::int64_t panelEnd, const Body& body) {
  _tile_loadconfig(&kShapes);
  for (; panel < panelEnd; ++panel) {
    if (rows <= kRowsOfTile)
      body.template operator()<1>(panel);
    else if (rows <= 2 * kRowsOfTile)
      body.template operator()<2>(panel);
    else
      body.template operator()<static_cast<int>(kMostTiles)>(panel);
  }
  // Tiles in use would be saved and restored at every switch of threads.
  _tile_release();
}

// The most that the tiles do (vitrine/machine_roof.h): each turn is a multiplication for each of the six
// tiles of sums, with what stays in the other two. The instructions are never left out, and the result
// depends on them.
template <class Dot, class Number>
float multiplyAddTiles(std::int64_t turns) {
  alignas(64) Number sums[kLinearRows * kPanelColumns];
  alignas(64) std::uint8_t factors[kRowsOfTile * kBytesOfTile];
  for (std::uint8_t& byte : factors) byte = 0x3F;  // of bf16: 0.75
  __atomic_signal_fence(__ATOMIC_SEQ_CST);  // the compiler does not know that loading a tile reads them
  _tile_loadconfig(&kShapes);
  zeroTiles<static_cast<int>(kMostTiles)>();
  _tile_loadd(6, factors, kBytesOfTile);
  _tile_loadd(7, factors, kBytesOfTile);
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    Dot::template dot<0>();
    Dot::template dot<1>();
    Dot::template dot<2>();
    Dot::template dot<3>();
    Dot::template dot<4>();
    Dot::template dot<5>();
  }
  storeTiles<static_cast<int>(kMostTiles)>(sums);
  _tile_release();
  float all = 0;
  for (const Number sum : sums) all += static_cast<float>(sum);
  return all;
}
// Of `Inputs` inputs that a tile is deep.
template <std::int64_t Inputs>
constexpr std::int64_t kMultiplyAddsOfTiles = 2 * kMostTiles* kRowsOfTile* kColumnsOfTile* Inputs;

}  // namespace
}  // namespace vitrine::cpu
