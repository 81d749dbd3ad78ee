// Weights in groups of 32 inputs that share a scale: quantized, and as numbers again. The arithmetic is that
// of formats/quantize.h, to the bit.
#include <cmath>

#include "backends/cuda/code_tile.cuh"
#include "backends/cuda/queue.cuh"
#include "formats/quantize.h"

namespace vitrine::cuda {
namespace {

static_assert(kQuantGroup == kTileInputs && kQuantGroup == kWarp);  // a lane has a weight of a group
constexpr int kWarps = 8;
constexpr int kThreads = kWarps * kWarp;

// Where a group's codes go: all lanes of a warp call it, each with its input, and those behind the last input
// with the code of 0.
template <class Tile>
struct CodesInTiles {
  char* tiles;
  std::int64_t depth;  // tiles of inputs

  __device__ void operator()(std::int64_t output, std::int64_t input, Bf16 scale, int code) const {
    char* const tile = tiles + (output / kTileOutputs * depth + input / kTileInputs) * Tile::kBytes;
    const int row = static_cast<int>(output % kTileOutputs), lane = static_cast<int>(input % kTileInputs);
    unsigned stored = Tile::stored(code);
    bool writes = true;
    if constexpr (Tile::kBits == 4) {  // the next square's code is in the same byte
      stored |= __shfl_down_sync(~0u, stored, kSquare) << 4;
      writes = lane / kSquare % 2 == 0;
    }
    if (writes) tile[Tile::placeOf(row, lane).byte] = static_cast<char>(stored);
    if (lane == 0) reinterpret_cast<Bf16*>(tile + Tile::kCodeBytes)[row] = scale;
  }
};

template <class To>
struct CodesAsNumbers {
  To* packed;
  PackedLayout layout;

  __device__ void operator()(std::int64_t output, std::int64_t input, Bf16 scale, int code) const {
    if (input < layout.inputs)
      packed[layout.at(output, input)] = fromFloat<To>(toFloat(scale) * static_cast<float>(code));
  }
};

// quantizeGroup(); a warp takes a group of rows [count, inputs], which become outputs from `first` on.
template <class From, class Store>
__global__ void __launch_bounds__(kThreads)
    quantizeKernel(const From* rows, std::int64_t count, std::int64_t inputs, int bits, std::int64_t first,
                   Store store) {
  beginKernel();
  const std::int64_t groups = (inputs + kTileInputs - 1) / kTileInputs;
  const std::int64_t number = std::int64_t{blockIdx.x} * kWarps + threadIdx.x / kWarp;
  if (number >= count * groups) return;
  const std::int64_t row = number / groups, input = number % groups * kTileInputs + threadIdx.x % kWarp;
  const float weight = input < inputs ? toFloat(rows[row * inputs + input]) : 0;

  const bool isFinite = __all_sync(~0u, isfinite(weight)) != 0;
  const float magnitude = warpMax(fabsf(weight));
  const int lane = __ffs(static_cast<int>(__ballot_sync(~0u, fabsf(weight) == magnitude))) - 1;
  const float found = __shfl_sync(~0u, weight, lane);  // the first of the largest
  const float largest = magnitude == 0 ? 0 : found;    // and no -0
  const float exact = bits == 8 ? __fdiv_rn(magnitude, 127) : __fdiv_rn(largest, -8);
  const Bf16 rounded = fromFloat<Bf16>(isFinite ? exact : NAN);
  const float scale = toFloat(rounded);
  const float least = bits == 8 ? -127 : -8, most = bits == 8 ? 127 : 7;
  int code = 0;
  if (!isFinite)
    code = 1;
  else if (scale != 0)
    code = static_cast<int>(fminf(fmaxf(rintf(__fdiv_rn(weight, scale)), least), most));
  store(first + row, input, rounded, code);
}

template <class Tile, class To>
__global__ void __launch_bounds__(kThreads)
    unpackKernel(const char* tiles, std::int64_t inputs, std::int64_t depth, const std::int32_t* ids,
                 Rows<To> out) {
  beginKernel();
  const std::int64_t output = ids[blockIdx.x];
  const char* const row = tiles + output / kTileOutputs * depth * Tile::kBytes;
  for (std::int64_t i = threadIdx.x; i < inputs; i += kThreads)
    out.at(blockIdx.x)[i] = fromFloat<To>(
        toFloat(Tile::weightAt(row + i / kTileInputs * Tile::kBytes, static_cast<int>(output % kTileOutputs),
                               static_cast<int>(i % kTileInputs))));
}

constexpr int kExpandedEach = 4;  // tiles of a warp, which do not wait for each other

template <class Tile>
__global__ void __launch_bounds__(kThreads)
    expandKernel(const uint4* __restrict__ codes, unsigned* __restrict__ numbers, std::int64_t tiles) {
  beginKernel();
  const int lane = static_cast<int>(threadIdx.x) % kWarp;
  const std::int64_t first = (std::int64_t{blockIdx.x} * kWarps + threadIdx.x / kWarp) * kExpandedEach;
  unsigned weights[kExpandedEach][4];
#pragma unroll
  for (int i = 0; i < kExpandedEach; ++i)
    Tile::load(weights[i], codes + min(first + i, tiles - 1) * Tile::kVectors, lane);
#pragma unroll
  for (int i = 0; i < kExpandedEach; ++i) {
    if (first + i >= tiles) break;
    unsigned* const to = numbers + (first + i) * NumberTile::kVectors * 4 + lane;
#pragma unroll
    for (int square = 0; square < 4; ++square) to[square * kWarp] = weights[i][square];
  }
}

std::int64_t depthOf(const PackedMatrix& matrix) { return quantGroups(matrix.inputs); }

unsigned blocksFor(std::int64_t count, std::int64_t each) {
  return static_cast<unsigned>((count + each - 1) / each);
}

}  // namespace

void quantizeRows(const TensorView& rows, int bits, const PackedMatrix& matrix, std::int64_t first,
                  const Queue& queue) {
  withElement(rows.type(), [&](auto element) {
    using From = decltype(element);
    const auto launch = [&](const auto& store) {
      enqueue(queue, quantizeKernel<From, std::decay_t<decltype(store)>>,
              blocksFor(rows.extent(0) * depthOf(matrix), kWarps), kThreads, 0,
              static_cast<const From*>(rows.data()), rows.extent(0), matrix.inputs, bits, first, store);
    };
    if (matrix.format == TileFormat::kNumbers)
      withElement(matrix.type, [&](auto to) {
        using To = decltype(to);
        launch(CodesAsNumbers<To>{static_cast<To*>(matrix.data), PackedLayout(matrix)});
      });
    else
      withQuantizedTile(matrix.format, [&](auto tile) {
        launch(CodesInTiles<decltype(tile)>{static_cast<char*>(matrix.data), depthOf(matrix)});
      });
  });
}

void unpackCodes(const PackedMatrix& matrix, const std::int32_t* ids, const TensorView& out,
                 const Queue& queue) {
  withCodeTile(matrix.format, [&](auto tile) {
    withElement(out.type(), [&](auto to) {
      enqueue(queue, unpackKernel<decltype(tile), decltype(to)>, static_cast<unsigned>(out.extent(0)),
              kThreads, 0, static_cast<const char*>(matrix.data), matrix.inputs, depthOf(matrix), ids,
              rowsOf<decltype(to)>(out));
    });
  });
}

void expandTiles(const PackedMatrix& matrix, std::int64_t first, std::int64_t tiles, void* to,
                 const Queue& queue) {
  withCodeTile(matrix.format, [&](auto tile) {
    using Tile = decltype(tile);
    const std::int64_t depth = depthOf(matrix);
    enqueue(queue, expandKernel<Tile>, blocksFor(tiles * depth, kWarps * kExpandedEach), kThreads, 0,
            static_cast<const uint4*>(matrix.data) + first * depth * Tile::kVectors,
            static_cast<unsigned*>(to), tiles * depth);
  });
}

}  // namespace vitrine::cuda
