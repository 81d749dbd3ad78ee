// The tensor cores' product for many rows, as a prompt has them: blocks of threads share what they read.
//
// A block takes a square of rows and outputs. Its part of x and of the weights comes through shared memory,
// 32 inputs at a time, four stages of them on their way (cp.async). Eight warps, two by four, have a part of
// the square each. The order of a sum is that of product.cuh: when a segment ends, its sums are added to the
// totals and begin again at zero.
#include "backends/cuda/product.cuh"
#include "backends/cuda/shared_memory.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kWarps = 8;
constexpr int kStages = 4;

// 32 inputs of `side` rows, which begin in different banks, and of `side` outputs as they are packed.
template <class T, int side>
struct Stage {
  T x[side][kTileInputs + 8];
  T weights[side / kTileOutputs][kTileOutputs * kTileInputs];
};

template <class T, class Out, Finish finish, int side>
__global__ void __launch_bounds__(kWarps* kWarp)
    tiledKernel(const __grid_constant__ Product<T> product,
                const __grid_constant__ Finishing<T, Out, finish> finishing) {
#if __CUDA_ARCH__ >= 800
  constexpr int kWarpsDown = 2, kWarpsAcross = kWarps / kWarpsDown;
  constexpr int kRowTiles = side / kWarpsDown / kMmaRows, kOutputTiles = side / kWarpsAcross / kTileOutputs;
  constexpr int kVectors = kTileInputs / 8;  // of 16 bytes in a row of a stage
  extern __shared__ uint4 shared[];
  auto* stages = reinterpret_cast<Stage<T, side>*>(shared);
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
  const std::int64_t firstRow = std::int64_t{blockIdx.y} * side,
                     firstOutput = std::int64_t{blockIdx.x} * side;
  const int depth = product.depth(), segment = product.segmentDepth();
  const std::int64_t lastTile = product.outputTiles() - 1;
  beginKernel();

  // Tiles past the end are read as the last one, rows not at all, and neither is stored.
  const auto fetch = [&](int block) {
    Stage<T, side>& stage = stages[block % kStages];
    for (int i = thread; i < side * kVectors; i += kWarps * kWarp) {
      const int row = i / kVectors, vector = i % kVectors;
      if (firstRow + row < product.rows)
        copyAsync16(&stage.x[row][vector * 8],
                    product.x.at(firstRow + row) + std::int64_t{block} * kTileInputs + vector * 8);
      const std::int64_t tile = min(firstOutput / kTileOutputs + i / kWarp, lastTile);
      copyAsync16(&stage.weights[i / kWarp][lane * 8],
                  product.tiles + ((tile * depth + block) * kWarp + lane) * 8);
    }
  };
  for (int block = 0; block < kStages - 1; ++block) {
    if (block < depth) fetch(block);
    commitCopies();
  }

  const int warpRow = warp / kWarpsAcross * (side / kWarpsDown),
            warpOutput = warp % kWarpsAcross * (side / kWarpsAcross);
  float totals[kRowTiles][kOutputTiles][4] = {}, sums[kRowTiles][kOutputTiles][4] = {};
  const auto endSegment = [&] {
    for (int row = 0; row < kRowTiles; ++row)
      for (int tile = 0; tile < kOutputTiles; ++tile)
        for (int i = 0; i < 4; ++i) totals[row][tile][i] += sums[row][tile][i], sums[row][tile][i] = 0;
  };
  int left = segment;
  for (int block = 0; block < depth; ++block) {
    waitForCopies<kStages - 2>();
    __syncthreads();  // the stage is there for all, and all are done with the one that is fetched into next
    if (block + kStages - 1 < depth) fetch(block + kStages - 1);
    commitCopies();
    const Stage<T, side>& stage = stages[block % kStages];
    unsigned weights[kOutputTiles][4];
    for (int tile = 0; tile < kOutputTiles; ++tile)
      loadMatrices(weights[tile], &stage.weights[warpOutput / kTileOutputs + tile][lane * 8]);
    for (int row = 0; row < kRowTiles; ++row) {
      const T* const from = &stage.x[warpRow + row * kMmaRows + lane % kMmaRows][lane / kMmaRows * 8];
      unsigned low[4], high[4];
      loadMatrices(low, from);
      loadMatrices(high, from + kMmaDepth);
      for (int tile = 0; tile < kOutputTiles; ++tile) {
        mma(sums[row][tile], low, weights[tile][0], weights[tile][1], T{});
        mma(sums[row][tile], high, weights[tile][2], weights[tile][3], T{});
      }
    }
    if (--left == 0) {
      endSegment();
      left = segment;
    }
  }
  if (left != segment) endSegment();

  for (int row = 0; row < kRowTiles; ++row)
    for (int tile = 0; tile < kOutputTiles; ++tile)
      for (int i = 0; i < 4; ++i) {
        const std::int64_t at = firstRow + warpRow + row * kMmaRows + i / 2 * kMmaRows / 2 + lane / 4;
        const std::int64_t output = firstOutput + warpOutput + tile * kTileOutputs + lane % 4 * 2 + i % 2;
        if (at < product.rows && output < product.outputs) finishing(at, output, totals[row][tile][i]);
      }
#else
  __trap();  // not launched before compute capability 8.0
#endif
}

template <int side, class T, class Out, Finish finish>
void launch(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Queue& queue) {
  constexpr int kShared = kStages * static_cast<int>(sizeof(Stage<T, side>));
  const auto kernel = tiledKernel<T, Out, finish, side>;
  [[maybe_unused]] static const bool isAllowed = allowShared(kernel, kShared);
  enqueue(queue, kernel,
          dim3(static_cast<unsigned>((product.outputs + side - 1) / side),
               static_cast<unsigned>((product.rows + side - 1) / side)),
          kWarps * kWarp, kShared, product, finishing);
}

}  // namespace

template <class T, class Out, Finish finish>
void tiledProduct(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                  const Queue& queue) {
  constexpr int kLarge = 128, kSmall = 64;
  const std::int64_t large = (product.rows + kLarge - 1) / kLarge * ((product.outputs + kLarge - 1) / kLarge);
  if (large >= gpu.multiprocessors)
    launch<kLarge>(product, finishing, queue);
  else
    launch<kSmall>(product, finishing, queue);
}

VITRINE_PRODUCTS(tiledProduct);

}  // namespace vitrine::cuda
