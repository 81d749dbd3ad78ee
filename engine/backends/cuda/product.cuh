// What the two kernels of the tensor cores' product share: its operands and the order of its sums.
//
// The inputs are cut into eight segments, whatever the number of rows. A segment is added by mma from zero,
// ascending; then the eight sums are added in order, from zero, and the bias. Which kernel computes a row,
// and beside which others, changes no bit.
//
// A tile of weights, 8 outputs x 32 inputs, lies as the registers want it: lane 4g + t reads 16 bytes, the
// inputs 8t to 8t + 7 of output g, which are its part of two mma. An mma adds over all its inputs, so which
// of the 32 are "the first sixteen" is free to choose, if x is read alike: the inputs 8t to 8t + 3 of each t
// make the first mma, 8t + 4 to 8t + 7 the second.
#pragma once

#include "backends/cuda/mma.cuh"
#include "backends/cuda/packed_layout.h"
#include "backends/cuda/reduce.cuh"

namespace vitrine::cuda {

inline constexpr int kSegments = 8;

template <class T>
struct Product {
  Rows<const T> x;
  const T* tiles;
  std::int64_t rows, inputs, outputs;
  const float* bias;  // null: none
  __host__ __device__ int depth() const { return static_cast<int>((inputs + kTileInputs - 1) / kTileInputs); }
  __host__ __device__ int segmentDepth() const { return (depth() + kSegments - 1) / kSegments; }  // in tiles
};

// sums [16, 8] += 32 inputs of 16 rows and 8 outputs. upper, lower: the lane's inputs of row g and of row g
// + 8.
template <class T>
__device__ void addTile(float (&sums)[4], const uint4& upper, const uint4& lower, const uint4& weights) {
  const unsigned one[4] = {upper.x, lower.x, upper.y, lower.y}, two[4] = {upper.z, lower.z, upper.w, lower.w};
  mma(sums, one, weights.x, weights.y, T{});
  mma(sums, two, weights.z, weights.w, T{});
}

// For many rows: `x` is read 16 bytes at a time (tiled_product.cu).
template <class T, class Out>
void tiledProduct(const Product<T>& product, const Rows<Out>& out, int multiprocessors, cudaStream_t stream);

}  // namespace vitrine::cuda
