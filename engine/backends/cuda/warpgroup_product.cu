// The tensor cores' product for more than sixteen rows on compute capability 9.0, whose four warps multiply
// together, out of shared memory (wgmma).
//
// The outputs are wgmma's rows and the rows of x its columns, so that a few rows cost a few columns. Weights
// as they are packed are what it reads. A thread of a block fetches, through a ring of stages of 64 inputs,
// and one or two warpgroups compute. It asks the copy engine for two boxes of a stage, one of the weights,
// before the kernel in front has ended, and one of x: the engine takes as long for a small piece as for a
// large one. A stage is full when its bytes are there, and empty when all warps that compute have read it.
//
// The order of a sum is that of product.cuh. Where there are few outputs for so many multiprocessors, the
// segments of a sum are shared: the blocks of a cluster have some each, put their sums into shared memory,
// and add all eight in order when all are there.
#include <algorithm>

#include "backends/cuda/product.cuh"
#include "backends/cuda/shared_memory.cuh"
#include "backends/cuda/tensor_map.h"
#include "backends/cuda/wgmma.cuh"

namespace vitrine::cuda {
namespace {

[[maybe_unused]] constexpr int kSwizzleBytes = 8 * 128;  // of eight rows, whose 16 bytes change places
[[maybe_unused]] constexpr int kPieceTiles = kPieceInputs / kTileInputs;
[[maybe_unused]] constexpr int kRowsTogether =
    8;  // of the grid, whose blocks read the same weights at about the same time

// rows: of x; warpgroups: that compute; isShared: a cluster shares the segments.
template <int rows, int warpgroups, bool isShared, int ring>
struct Shape {
  static constexpr int kRows = rows, kStages = ring, kWarpgroups = warpgroups;
  static constexpr int kOutputs = kWarpgroups * kWarpgroupOutputs, kPieces = kOutputs / kTileOutputs;
  static constexpr int kThreads = kWarpgroups * kWarpgroup + kWarp;
  static constexpr int kBlocks = kWarpgroups == 1 ? 2 : 1;  // that stand side by side
  static constexpr bool kIsShared = isShared;
  static constexpr int kSumStride = kOutputs + 4;  // of rows of sums, which begin in different banks
  static constexpr int kSumsBytes = kRows * kSumStride * 4;
  struct alignas(kSwizzleBytes) Stage {
    uint4 x[kRows][kPieceInputs * 2 / sizeof(uint4)];
    uint4 weights[kPieces][kPieceBytes / sizeof(uint4)];
  };
  // What lies in shared memory; behind it, where segments are shared, the sums of each of the block's.
  struct Memory {
    Stage stages[kStages];
    Barrier full[kStages], empty[kStages];
  };
  static_assert(sizeof(Memory) % sizeof(float4) == 0);
};

// Of x, and of the weights: [tiles of outputs, parts of a gate, bytes].
struct Maps {
  CUtensorMap x, weights;
};

// How a product is cut into blocks of threads.
template <class Shape, Finish finish>
struct Grid {
  // A gate's pieces of weights take turns: one of the first half, and the one that belongs to it of the
  // second. Then both sums of an output are in one thread.
  static constexpr int kParts = finish == Finish::kGate ? 2 : 1;
  int rowBlocks, outputBlocks;

  template <class T>
  __host__ __device__ explicit Grid(const Product<T>& product)
      : rowBlocks(static_cast<int>((product.rows + Shape::kRows - 1) / Shape::kRows)) {
    constexpr int kTiles = Shape::kPieces / kParts;
    outputBlocks = (product.outputTiles() / kParts + kTiles - 1) / kTiles;
  }
  __host__ __device__ int blocks() const { return rowBlocks * outputBlocks; }
  __device__ int rowBlock(int block) const {
    const int first = block / (kRowsTogether * outputBlocks) * kRowsTogether;
    return first + block % (kRowsTogether * outputBlocks) % min(kRowsTogether, rowBlocks - first);
  }
  __device__ int outputBlock(int block) const {
    const int first = block / (kRowsTogether * outputBlocks) * kRowsTogether;
    return block % (kRowsTogether * outputBlocks) / min(kRowsTogether, rowBlocks - first);
  }
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

// The place in a ring of stages, and the parity of the ring's turn.
template <int stages>
struct Turn {
  int slot = 0;
  unsigned parity = 0;
  __device__ void advance() {
    if (++slot == stages) slot = 0, parity ^= 1;
  }
};

// Inputs of a block of threads, in tiles: a segment's parts of a stage are multiplied, the others not.
struct Span {
  int first, last;
  __device__ int firstStage() const { return first / kPieceTiles; }
  __device__ int stages() const {
    return last > first ? (last + kPieceTiles - 1) / kPieceTiles - firstStage() : 0;
  }
};

// The thread that fetches. Where a block's boxes lie is computed once: between two stages it has little time.
template <class Shape, class Grid>
__device__ void fetchAll(const Maps& maps, const Grid& grid, const Span& span, typename Shape::Memory& memory,
                         int block, int step) {
  const int first = span.firstStage(), stages = span.stages();
  const auto fetchWeights = [&](int slot, int firstTile, int stage) {
    arriveExpecting(&memory.full[slot], static_cast<int>(sizeof(typename Shape::Stage)));
    copyTensor(memory.stages[slot].weights, maps.weights,
               int3{(first + stage) * (kPieceBytes / kMapElement), 0, firstTile}, &memory.full[slot]);
  };
  const auto firstTileOf = [&](int of) { return grid.outputBlock(of) * (Shape::kPieces / Grid::kParts); };
  int ahead = 0;  // stages whose weights are on their way
  if (block < grid.blocks())
    for (; ahead < min(stages, Shape::kStages); ++ahead) fetchWeights(ahead, firstTileOf(block), ahead);
  waitForPrevious();
  Turn<Shape::kStages> turn;
  for (; block < grid.blocks(); block += step) {
    const int firstTile = firstTileOf(block), firstRow = grid.rowBlock(block) * Shape::kRows;
    for (int stage = 0; stage < stages; ++stage) {
      waitFor(&memory.empty[turn.slot], turn.parity ^ 1);
      if (ahead > 0)
        --ahead;
      else
        fetchWeights(turn.slot, firstTile, stage);
      copyTensor(memory.stages[turn.slot].x, maps.x, int2{(first + stage) * kPieceInputs, firstRow},
                 &memory.full[turn.slot]);
      turn.advance();
    }
  }
}

// A warpgroup's sums of one block: `endSegment` gets those of each segment, in order. So many tiles at a
// time: a stage, or where segments end within stages, a half.
template <class Shape, int tiles, class T, class EndSegment>
__device__ void multiplyTiles(typename Shape::Memory& memory, Turn<Shape::kStages>& turn, const Span& span,
                              int segment, const EndSegment& endSegment) {
  constexpr int kSteps = tiles * kTileInputs / kMmaDepth;
  const int pieces = static_cast<int>(threadIdx.x) / kWarpgroup * (kWarpgroupOutputs / kTileOutputs);
  const bool isFirstOfWarp = threadIdx.x % kWarp == 0;
  int before = -1;
  std::uint64_t weights = 0, x = 0;
  float sums[Shape::kRows / 2] = {};
  for (int tile = span.first; tile < span.last;) {
    const int end = min(tile + segment, span.last);
    int isKept = 0;
    fenceSums(sums);
    for (; tile < end; tile += tiles) {
      const bool begins = tiles == kPieceTiles || tile == span.first || tile % kPieceTiles == 0;
      if (begins) {
        waitFor(&memory.full[turn.slot], turn.parity);
        const auto skipped = static_cast<unsigned>(tile % kPieceTiles * (kTileInputs / kMmaDepth));
        weights = operandAt(memory.stages[turn.slot].weights[pieces]) + skipped * kStepOfOperand;
        x = swizzledAt(memory.stages[turn.slot].x) + skipped * kStepOfSwizzled;
      }
      beginWgmma();
#pragma unroll
      for (int i = 0; i < kSteps; ++i) {
        wgmma(sums, weights, x, isKept, T{});
        weights += kStepOfOperand;
        x += kStepOfSwizzled;
        isKept = 1;
      }
      commitWgmma();
      waitForWgmma<1>();
      if (begins) {  // the stage before is read
        if (before >= 0 && isFirstOfWarp) arrive(&memory.empty[before]);
        before = turn.slot;
        turn.advance();
      }
    }
    waitForWgmma<0>();
    fenceSums(sums);
    endSegment(sums);
  }
  if (before >= 0 && isFirstOfWarp) arrive(&memory.empty[before]);
}

template <class Shape, class T, class EndSegment>
__device__ void multiply(typename Shape::Memory& memory, Turn<Shape::kStages>& turn, const Span& span,
                         int segment, const EndSegment& endSegment) {
  if (segment % kPieceTiles == 0)
    multiplyTiles<Shape, kPieceTiles, T>(memory, turn, span, segment, endSegment);
  else
    multiplyTiles<Shape, 1, T>(memory, turn, span, segment, endSegment);
}

// Sums of a warp into the tensor. Of a warp's outputs a lane has lane / 4 and that + 8, of its rows lane mod
// 4
// * 2 and that + 1 of each eight.
template <class Shape, class T, class Out, Finish finish>
__device__ void store(const Product<T>& product, const Finishing<T, Out, finish>& finishing,
                      std::int64_t firstRow, int outputBlock, const float (&sums)[Shape::kRows / 2]) {
  const int lane = static_cast<int>(threadIdx.x) % kWarp, warp = static_cast<int>(threadIdx.x) / kWarp;
  constexpr int kParts = finish == Finish::kGate ? 2 : 1, kHeight = 16 / kParts;
  const std::int64_t outputs = product.outputs / kParts;
  const std::int64_t firstOutput = std::int64_t{outputBlock} * (Shape::kOutputs / kParts) + warp * kHeight;
  if constexpr (sizeof(Out) == 2) {
    // Pairs of rows become pairs of outputs, which are neighbours in memory.
    const bool inPairs = finishing.out.stride % 2 == 0 &&
                         reinterpret_cast<std::uintptr_t>(finishing.out.data) % sizeof(unsigned) == 0;
#pragma unroll
    for (int rows = 0; rows < Shape::kRows; rows += kSquare) {
      if (firstRow + rows >= product.rows) break;
      const std::int64_t row = firstRow + rows + lane / 4;
      const float* const four = &sums[rows / 2];
#pragma unroll
      for (int side = 0; side < kHeight / 8; ++side) {
        const std::int64_t mine = min(firstOutput + side * 8 + lane / 4, outputs - 1);
        unsigned pair;
        if constexpr (finish == Finish::kGate)
          pair = packPair(toFloat(finishing.gatedValue(mine, four[0], four[2])),
                          toFloat(finishing.gatedValue(mine, four[1], four[3])), Out{});
        else
          pair = packPair(finishing.biased(mine, four[2 * side]), finishing.biased(mine, four[2 * side + 1]),
                          Out{});
        pair = transposed(pair);
        const std::int64_t output = firstOutput + side * 8 + lane % 4 * 2;
        const bool hasFirst = row < product.rows && output < outputs,
                   hasSecond = hasFirst && output + 1 < outputs;
        Out* const to = finishing.out.at(row) + output;
        const Out* const values = reinterpret_cast<const Out*>(&pair);
        if (inPairs && hasSecond) {
          *reinterpret_cast<unsigned*>(to) = pair;
        } else {
          if (hasFirst) to[0] = values[0];
          if (hasSecond) to[1] = values[1];
        }
      }
    }
  } else {
    // Eight neighbours write 32 bytes of a row. What is added to is read together, since that takes long.
    constexpr int kTogether = 16;
    const std::int64_t stride = finishing.out.stride, mine = firstOutput + lane / 4;
    Out* const corner = finishing.out.at(firstRow + lane % 4 * 2) + mine;
    const std::int64_t rowsLeft = product.rows - firstRow - lane % 4 * 2, outputsLeft = outputs - mine;
    const auto down = [](int i) { return i / 4 * kSquare + i % 2; };
    const auto aside = [](int i) { return i % 4 / 2 * 8; };
    const auto isThere = [&](int i) { return down(i) < rowsLeft && aside(i) < outputsLeft; };
#pragma unroll
    for (int first = 0; first < Shape::kRows / 2; first += kTogether) {
      if (down(first) >= product.rows - firstRow) break;
      float values[kTogether] = {};
      if constexpr (finish == Finish::kAdd) {
#pragma unroll
        for (int i = 0; i < kTogether; ++i)
          if (isThere(first + i)) values[i] = corner[down(first + i) * stride + aside(first + i)];
      }
#pragma unroll
      for (int i = 0; i < kTogether; ++i) {
        if (!isThere(first + i)) continue;
        const float sum = finishing.biased(mine + aside(first + i), sums[first + i]);
        corner[down(first + i) * stride + aside(first + i)] = finish == Finish::kAdd ? values[i] + sum : sum;
      }
    }
  }
}

// The sums of a cluster's segments, added in order, into the tensor: each block has a part of the outputs. A
// thread adds four neighbours, and what they are added to comes meanwhile.
template <class Shape, class T, class Out, Finish finish>
__device__ void storeShared(const Product<T>& product, const Finishing<T, Out, finish>& finishing,
                            std::int64_t firstRow, int outputBlock, const float* sums, int segments,
                            int rank) {
  constexpr int kParts = finish == Finish::kGate ? 2 : 1, kOutputs = Shape::kOutputs / kParts,
                kEach = Shape::kRows * Shape::kSumStride, kQuad = 4;
  static_assert(Shape::kSumStride % kQuad == 0 && kOutputs % kQuad == 0 && kSquare % kQuad == 0);
  const std::int64_t outputs = product.outputs / kParts;
  for (int i = kQuad * (rank * Shape::kThreads + static_cast<int>(threadIdx.x)); i < Shape::kRows * kOutputs;
       i += kQuad * (kSegments / segments) * Shape::kThreads) {
    const std::int64_t row = firstRow + i / kOutputs,
                       output = std::int64_t{outputBlock} * kOutputs + i % kOutputs;
    const auto there = static_cast<int>(min(std::int64_t{kQuad}, outputs - output));
    if (row >= product.rows || there <= 0) continue;
    [[maybe_unused]] Out* const to = finishing.out.at(row) + output;
    [[maybe_unused]] float before[kQuad] = {};
    if constexpr (finish == Finish::kAdd) {
#pragma unroll
      for (int j = 0; j < kQuad; ++j)
        if (j < there) before[j] = to[j];
    }
    float totals[kParts][kQuad] = {};
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      const int place = i % kOutputs / kSquare * kSquare * kParts + part * kSquare +
                        i % kSquare;  // among the block's pieces
      const float* const from = sums + i / kOutputs * Shape::kSumStride + place;
#pragma unroll
      for (int segment = 0; segment < kSegments; ++segment) {
        const float4 four = readFrom(from + segment % segments * kEach, segment / segments);
        totals[part][0] += four.x;
        totals[part][1] += four.y;
        totals[part][2] += four.z;
        totals[part][3] += four.w;
      }
    }
#pragma unroll
    for (int j = 0; j < kQuad; ++j) {
      if (j >= there) break;
      if constexpr (finish == Finish::kGate)
        finishing(row, output + j, totals[0][j], totals[1][j]);
      else if constexpr (finish == Finish::kAdd)
        to[j] = before[j] + finishing.biased(output + j, totals[0][j]);
      else
        finishing(row, output + j, totals[0][j]);
    }
  }
}

#endif

// segments: that a block of threads has, of kSegments; the blocks of a cluster have them all.
template <class T, class Out, Finish finish, class Shape>
__global__ void __launch_bounds__(Shape::kThreads, Shape::kBlocks)
    warpgroupKernel(const __grid_constant__ Product<T> product, const __grid_constant__ Maps maps,
                    const __grid_constant__ Finishing<T, Out, finish> finishing, int segments) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
  extern __shared__ __align__(kSwizzleBytes) uint4 shared[];
  auto& memory = *reinterpret_cast<typename Shape::Memory*>(shared);
  const int thread = static_cast<int>(threadIdx.x);
  const bool computes = thread < Shape::kWarpgroups * kWarpgroup,
             fetches = thread == Shape::kWarpgroups * kWarpgroup;
  letNextBegin();
  if (thread == 0) {
    for (int stage = 0; stage < Shape::kStages; ++stage) {
      initBarrier(&memory.full[stage], 1);  // the order for the bytes
      initBarrier(&memory.empty[stage], Shape::kWarpgroups * kWarpgroup / kWarp);
    }
    fenceProxies();  // the copy engine sees them
  }
  __syncthreads();

  const Grid<Shape, finish> grid(product);
  const int cluster = kSegments / segments, rank = static_cast<int>(blockIdx.x) % cluster;
  const int depth = product.depth(), segment = product.segmentDepth();
  const Span span{min(rank * segments * segment, depth), min((rank + 1) * segments * segment, depth)};
  int block = static_cast<int>(blockIdx.x) / cluster;
  const int step = static_cast<int>(gridDim.x) / cluster;

  if constexpr (Shape::kIsShared) {
    auto* const shares = reinterpret_cast<float*>(&memory + 1);  // [segments, rows, kSumStride]
    if (fetches) fetchAll<Shape>(maps, grid, span, memory, block, grid.blocks());
    waitForPrevious();
    if (computes) {
      Turn<Shape::kStages> turn;
      const int lane = thread % kWarp;
      float* to = shares + lane % 4 * 2 * Shape::kSumStride + thread / kWarp * 16 + lane / 4;
      const auto share = [&](const float(&sums)[Shape::kRows / 2]) {
#pragma unroll
        for (int i = 0; i < Shape::kRows / 2; ++i)
          to[(i / 4 * kSquare + i % 2) * Shape::kSumStride + i % 4 / 2 * 8] = sums[i];
        to += Shape::kRows * Shape::kSumStride;
      };
      multiply<Shape, T>(memory, turn, span, segment, share);
      // Segments behind the last input are zeros.
      const float zeros[Shape::kRows / 2] = {};
      for (int i = (span.last - span.first + segment - 1) / segment; i < segments; ++i) share(zeros);
    }
    meetCluster();
    storeShared<Shape>(product, finishing, std::int64_t{grid.rowBlock(block)} * Shape::kRows,
                       grid.outputBlock(block), shares, segments, rank);
    meetCluster();  // before a block ends whose sums others read
  } else if (fetches) {
    fetchAll<Shape>(maps, grid, span, memory, block, step);
  } else if (computes) {
    waitForPrevious();
    Turn<Shape::kStages> turn;
    for (; block < grid.blocks(); block += step) {
      float totals[Shape::kRows / 2] = {};
      multiply<Shape, T>(memory, turn, span, segment, [&](const float(&ofSegment)[Shape::kRows / 2]) {
#pragma unroll
        for (int i = 0; i < Shape::kRows / 2; ++i) totals[i] += ofSegment[i];
      });
      store<Shape>(product, finishing, std::int64_t{grid.rowBlock(block)} * Shape::kRows,
                   grid.outputBlock(block), totals);
    }
  }
#else
  __trap();  // launched where Gpu::hasWarpgroups only
#endif
}

// segments: of a block of threads.
template <class Shape, class T, class Out, Finish finish>
void launch(const Product<T>& product, const Finishing<T, Out, finish>& finishing, int segments,
            const Gpu& gpu, const Queue& queue) {
  using ThisGrid = Grid<Shape, finish>;
  constexpr int kParts = ThisGrid::kParts;
  const int cluster = kSegments / segments, blocks = ThisGrid(product).blocks();
  const int shares = Shape::kIsShared ? segments * Shape::kSumsBytes : 0;
  const int bytes = static_cast<int>(sizeof(typename Shape::Memory)) + shares;
  const auto kernel = warpgroupKernel<T, Out, finish, Shape>;
  [[maybe_unused]] static const bool isAllowed = allowShared(kernel, gpu.sharedBytes);
  VITRINE_CHECK(bytes <= gpu.sharedBytes);
  const Maps maps{rowsMap(product.x.data, product.rows, product.inputs, product.x.stride, Shape::kRows),
                  tilesMap(product.tiles, product.inputs * kTileOutputs * std::int64_t{sizeof(T)}, kParts,
                           product.outputTiles() / kParts, Shape::kPieces / kParts)};
  const int grid =
      Shape::kIsShared ? blocks * cluster : std::min(blocks, gpu.multiprocessors * Shape::kBlocks);
  enqueueClusters(queue, kernel, cluster, static_cast<unsigned>(grid), Shape::kThreads, bytes, product, maps,
                  finishing, segments);
}

// Where the blocks of threads are few for so many multiprocessors, clusters share the segments.
template <int rows, int stages, int sharedStages, class T, class Out, Finish finish>
void launchSmall(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                 const Queue& queue) {
  using Whole = Shape<rows, 1, false, stages>;
  using Shared = Shape<rows, 1, true, sharedStages>;
  const int blocks = Grid<Whole, finish>(product).blocks(), enough = gpu.multiprocessors * 2 / 3;
  int segments = kSegments;
  while (segments > 1 && blocks * (kSegments / segments) < enough) segments /= 2;
  if (segments == kSegments)
    launch<Whole>(product, finishing, segments, gpu, queue);
  else
    launch<Shared>(product, finishing, segments, gpu, queue);
}

}  // namespace

template <class T, class Out, Finish finish>
void warpgroupProduct(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                      const Queue& queue) {
  VITRINE_CHECK(gpu.hasWarpgroups && product.isAligned && product.norm.weight == nullptr &&
                product.inputs % kPieceInputs == 0);
  constexpr int kFew = 32, kSome = 64, kMany = 128;
  using Large = Shape<kMany, 2, false, 6>;
  if (product.rows <= kFew)
    launchSmall<kFew, 8, 6>(product, finishing, gpu, queue);
  else if (product.rows > kSome && Grid<Large, finish>(product).blocks() >= gpu.multiprocessors / 2)
    launch<Large>(product, finishing, kSegments, gpu, queue);
  else
    launchSmall<kSome, 6, 4>(product, finishing, gpu, queue);
}

VITRINE_PRODUCTS(warpgroupProduct);
VITRINE_GATED_PRODUCTS(warpgroupProduct);

}  // namespace vitrine::cuda
