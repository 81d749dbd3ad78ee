// What the kernels of the tensor cores' product share: its operands, the order of its sums, and what becomes
// of them.
//
// The inputs are cut into eight segments, whatever the number of rows. A segment is added sixteen inputs at a
// time, ascending, from zero; then the eight sums are added in order, from zero, and the bias. Sixteen
// products are one step of the tensor cores, and a step has the same bits in mma and in wgmma. Which kernel
// computes a row, and beside which others, changes nothing.
#pragma once

#include "backends/cuda/formulas.cuh"
#include "backends/cuda/mma.cuh"
#include "backends/cuda/packed_layout.h"
#include "backends/cuda/queue.cuh"
#include "backends/cuda/reduce.cuh"

namespace vitrine::cuda {

inline constexpr int kSegments = 8;
inline constexpr int kMostNormedRows = 2;  // of x, that a product norms itself

// The residual stream, whose norm is what a product reads.
struct InputNorm {
  Rows<const float> residual;
  const float* weight;  // null: x is there as it is
  float eps;
};

template <class T>
struct Product {
  Rows<const T> x;
  InputNorm norm;
  const T* tiles;
  TileFormat format;  // of the tiles: codes, which only fewRowsProduct() reads, stand at the address for T's
  std::int64_t rows, inputs, outputs;
  bool isAligned;  // x may be read 16 bytes at a time, and ends with a whole tile
  __host__ __device__ int depth() const { return static_cast<int>((inputs + kTileInputs - 1) / kTileInputs); }
  __host__ __device__ int segmentDepth() const { return (depth() + kSegments - 1) / kSegments; }  // in tiles
  __host__ __device__ int outputTiles() const {
    return static_cast<int>((outputs + kTileOutputs - 1) / kTileOutputs);
  }
};

// The way of a sum into the tensor.
template <class T, class Out, Finish finish>
struct Finishing {
  Rows<Out> out;
  const float* bias;  // null: none
  std::int64_t outputs;

  // What a sum becomes, or the sums of output i of the first half and of the second.
  __device__ float biased(std::int64_t output, float sum) const {
    return bias != nullptr ? sum + bias[output] : sum;
  }
  __device__ T gatedValue(std::int64_t output, float gate, float up) const {
    return gated(fromFloat<T>(biased(output, gate)), fromFloat<T>(biased(output + outputs / 2, up)));
  }

  __device__ void operator()(std::int64_t row, std::int64_t output, float sum) const {
    static_assert(finish != Finish::kGate);
    Out* const to = out.at(row) + output;
    if constexpr (finish == Finish::kAdd)
      *to += biased(output, sum);
    else
      *to = fromFloat<Out>(biased(output, sum));
  }
  __device__ void operator()(std::int64_t row, std::int64_t output, float gate, float up) const {
    out.at(row)[output] = gatedValue(output, gate, up);
  }
};

// For up to sixteen rows at a time (few_rows_product.cu).
template <class T, class Out, Finish finish>
void fewRowsProduct(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                    const Queue& queue);
// For many rows: x is aligned (tiled_product.cu).
template <class T, class Out, Finish finish>
void tiledProduct(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                  const Queue& queue);
// Likewise, where gpu.hasWarpgroups: x is aligned and no norm, and inputs come in pairs of tiles
// (warpgroup_product.cu).
template <class T, class Out, Finish finish>
void warpgroupProduct(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                      const Queue& queue);

// The variants that are compiled of `kernel`, for both types of weights.
#define VITRINE_PRODUCTS(kernel)                                                                        \
  template void kernel(const Product<Bf16>&, const Finishing<Bf16, Bf16, Finish::kStore>&, const Gpu&,  \
                       const Queue&);                                                                   \
  template void kernel(const Product<Bf16>&, const Finishing<Bf16, float, Finish::kStore>&, const Gpu&, \
                       const Queue&);                                                                   \
  template void kernel(const Product<Bf16>&, const Finishing<Bf16, float, Finish::kAdd>&, const Gpu&,   \
                       const Queue&);                                                                   \
  template void kernel(const Product<F16>&, const Finishing<F16, F16, Finish::kStore>&, const Gpu&,     \
                       const Queue&);                                                                   \
  template void kernel(const Product<F16>&, const Finishing<F16, float, Finish::kStore>&, const Gpu&,   \
                       const Queue&);                                                                   \
  template void kernel(const Product<F16>&, const Finishing<F16, float, Finish::kAdd>&, const Gpu&,     \
                       const Queue&)
#define VITRINE_GATED_PRODUCTS(kernel)                                                                \
  template void kernel(const Product<Bf16>&, const Finishing<Bf16, Bf16, Finish::kGate>&, const Gpu&, \
                       const Queue&);                                                                 \
  template void kernel(const Product<F16>&, const Finishing<F16, F16, Finish::kGate>&, const Gpu&,    \
                       const Queue&)

}  // namespace vitrine::cuda
