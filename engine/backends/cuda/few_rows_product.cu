// The tensor cores' product for few rows, as decoding has them: it is bound by the memory, which must never
// rest.
//
// mma m16n8k16: sixteen rows of x, eight outputs, sixteen inputs. A decoded token is one row of the sixteen,
// the other fifteen are wasted, and it does not matter: the weights are read at the memory's speed either
// way. In return a row has the same bits alone and among five hundred.
//
// One block of threads for each multiprocessor walks over tiles of outputs. Its warps stand in one set or two
// of eight; a warp has a segment of the inputs, a set one tile, or two at once where there are many: two sums
// that do not wait for each other. A warp's weights pass through a ring of its own in shared memory
// (cp.async), which is filled before the kernel in front has ended. Such a kernel lasts a few microseconds,
// in which a warp issues some hundred instructions: each counts.
//
// Quantized weights come as codes, a half or two sevenths of the bytes, and become numbers in the registers
// of the warp that multiplies (code_tile.cuh).
#include <algorithm>

#include "backends/cuda/code_tile.cuh"
#include "backends/cuda/product.cuh"
#include "backends/cuda/shared_memory.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kSetThreads = kSegments * kWarp;
constexpr int kMostSets = 2;
constexpr int kChunk = 4;          // tiles of weights of one output tile that a warp fetches together
constexpr int kHeld = 4;           // output tiles of a set whose sums are finished together
constexpr int kMuch = 160 * 1024;  // bytes of shared memory, with which two such kernels stand side by side

// How a block of threads goes about its work; all that can be computed before the launch.
struct Plan {
  int depth, segment;          // tiles of 32 inputs: of all, of a segment
  int units;                   // of one output tile or two
  int rows;                    // of x, that a block takes, at most sixteen
  int stride;                  // of them in shared memory, in elements: they begin in different banks
  int sums;                    // room for the sums of an output tile
  int stageItems;              // tiles of weights in a warp's ring: all that it reads, if they fit
  int normWidth;               // of the norm's weights; 0: no norm
  int partialAt, normAt, xAt;  // in shared memory, in bytes
};

// Rows of x into shared memory, as they are; behind the last input zeros.
template <class T>
__device__ void copyRows(const Product<T>& product, const Plan& plan, int firstRow, int rows, T* x) {
  const int thread = static_cast<int>(threadIdx.x), width = plan.depth * kTileInputs;
  const int threads = static_cast<int>(blockDim.x);
#pragma unroll 1
  for (int row = 0; row < rows; ++row, x += plan.stride) {
    const T* const from = product.x.at(firstRow + row);
    if (product.isAligned) {
#pragma unroll 1
      for (int i = thread * 8; i < width; i += threads * 8) copyAsync16(x + i, from + i);
    } else {
#pragma unroll 1
      for (int i = thread; i < width; i += threads) x[i] = i < product.inputs ? from[i] : fromFloat<T>(0);
    }
  }
  commitCopies();
  waitForCopies<0>();
}

// Rows of the residual stream into shared memory, normed: the arithmetic of norm.cu, by sets in turn.
template <class T>
__device__ void normRows(const Product<T>& product, const Plan& plan, int firstRow, int rows,
                         const float* weight, T* x) {
  __shared__ float sums[kMostNormedRows][kSegments];
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  const int width = plan.normWidth;
#pragma unroll 1
  for (int row = thread / kSetThreads; row < rows; row += threads / kSetThreads) {
    const float* const residual = product.norm.residual.at(firstRow + row);
    float squares = 0;
#pragma unroll 4
    for (int i = thread % kSetThreads; i < width; i += kSetThreads)
      squares = fmaf(residual[i], residual[i], squares);
    squares = warpSum(squares);
    if (thread % kWarp == 0) sums[row][thread / kWarp % kSegments] = squares;
  }
  __syncthreads();
#pragma unroll 1
  for (int row = 0; row < rows; ++row, x += plan.stride) {
    const float* const residual = product.norm.residual.at(firstRow + row);
    float sum = 0;
#pragma unroll
    for (int warp = 0; warp < kSegments; ++warp) sum += sums[row][warp];
    const float scale = normScale(sum, width, product.norm.eps);
#pragma unroll 4
    for (int i = thread; i < plan.depth * kTileInputs; i += threads)
      x[i] = fromFloat<T>(i < width ? residual[i] * scale * weight[i] : 0);
  }
}

// Tile: what a tile of weights is in memory; together: output tiles of a unit.
template <class T, class Out, Finish finish, class Tile, int together, int stages>
__global__ void __launch_bounds__(kMostSets* kSetThreads)
    fewRowsKernel(const __grid_constant__ Product<T> product,
                  const __grid_constant__ Finishing<T, Out, finish> finishing,
                  const __grid_constant__ Plan plan) {
  constexpr int kItems = kChunk * together;  // of a stage, each a tile of weights
  constexpr int kVectors = Tile::kVectors;   // of a tile, 16 bytes each
  constexpr int kUnitsHeld = kHeld / together;
  extern __shared__ uint4 shared[];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
  const int segment = warp % kSegments, set = warp / kSegments,
            sets = static_cast<int>(blockDim.x) / kSetThreads;
  uint4* const ring = shared + warp * plan.stageItems * kVectors;
  auto* const partial = reinterpret_cast<float*>(reinterpret_cast<char*>(shared) + plan.partialAt);
  auto* const normWeight = reinterpret_cast<float*>(reinterpret_cast<char*>(shared) + plan.normAt);
  T* const x = reinterpret_cast<T*>(reinterpret_cast<char*>(shared) + plan.xAt);  // [rows, stride]

  const int first = min(segment * plan.segment, plan.depth), length = min(plan.segment, plan.depth - first);
  const int firstUnit = static_cast<int>(blockIdx.x) * sets + set, step = static_cast<int>(gridDim.x) * sets;
  // The gate's partner stands half the matrix away, any other behind its tile.
  const std::int64_t unitVectors =
      std::int64_t{finish == Finish::kGate ? 1 : together} * plan.depth * kVectors;
  const std::int64_t partner = std::int64_t{finish == Finish::kGate ? plan.units : 1} * plan.depth * kVectors;

  // The warp's way through the weights, unit after unit, some chunks ahead of the sums.
  const uint4* next =
      reinterpret_cast<const uint4*>(product.tiles) + firstUnit * unitVectors + first * kVectors + lane;
  int nextUnit = length > 0 ? firstUnit : plan.units, nextBlock = 0;
  const auto fetch = [&](int stage) {
    if (nextUnit < plan.units) {
      uint4* const to = ring + stage * kItems * kVectors + lane;
      // A chunk's tiles of one output tile lie one behind another, and the warp copies them as one.
      const int vectors = min(kChunk, length - nextBlock) * kVectors - lane;
#pragma unroll
      for (int i = 0; i < kChunk * kVectors; i += kWarp) {
        if (i >= vectors) break;
#pragma unroll
        for (int of = 0; of < together; ++of)
          if (of == 0 || finish == Finish::kGate || nextUnit * together + of < product.outputTiles())
            copyAsync16(to + of * kChunk * kVectors + i, next + of * partner + i);
      }
      nextBlock += kChunk;
      next += kChunk * kVectors;
      if (nextBlock >= length) {
        next += step * unitVectors - nextBlock * kVectors;
        nextBlock = 0;
        nextUnit += step;
      }
    }
    commitCopies();
  };
  letNextBegin();
#pragma unroll 1
  for (int i = thread; i < plan.normWidth; i += static_cast<int>(blockDim.x))
    copyAsync4(normWeight + i, product.norm.weight + i);
  commitCopies();
#pragma unroll 1
  for (int stage = 0; stage < stages; ++stage) fetch(stage);
  waitForPrevious();

  const int firstRow = static_cast<int>(blockIdx.y) * plan.rows;
  const int rows = min(plan.rows, static_cast<int>(product.rows) - firstRow);
  if (plan.normWidth > 0) {
    waitForCopies<stages>();  // the norm's weights, which came first
    normRows(product, plan, firstRow, rows, normWeight, x);
  } else {
    copyRows(product, plan, firstRow, rows, x);
  }
  __syncthreads();

  // A lane's address for loadMatrices: rows that are not there are read as the last one, and not stored.
  const T* const mine =
      x + min(lane % kMmaRows, rows - 1) * plan.stride + lane / kMmaRows * 8 + first * kTileInputs;
  int stage = 0;
#pragma unroll 1
  for (int begin = static_cast<int>(blockIdx.x) * sets; begin < plan.units; begin += kUnitsHeld * step) {
#pragma unroll 1
    for (int held = 0; held < kUnitsHeld; ++held) {
      if (begin + set + held * step >= plan.units) break;
      float sums[together][4] = {};
#pragma unroll 1
      for (int block = 0; block < length; block += kChunk) {
        waitForCopies<stages - 1>();
        __syncwarp();
        const uint4* const from = ring + stage * kItems * kVectors;
        const T* const inputs = mine + block * kTileInputs;
#pragma unroll
        for (int i = 0; i < kChunk; ++i) {
          if (block + i >= length) break;
          unsigned low[4], high[4], weights[together][4];
#pragma unroll
          for (int of = 0; of < together; ++of)
            Tile::load(weights[of], from + (of * kChunk + i) * kVectors, lane);
          loadMatrices(low, inputs + i * kTileInputs);
          loadMatrices(high, inputs + i * kTileInputs + kMmaDepth);
#pragma unroll
          for (int of = 0; of < together; ++of) mma(sums[of], low, weights[of][0], weights[of][1], T{});
#pragma unroll
          for (int of = 0; of < together; ++of) mma(sums[of], high, weights[of][2], weights[of][3], T{});
        }
        __syncwarp();  // before copies are written where other lanes read
        fetch(stage);
        stage = stage + 1 == stages ? 0 : stage + 1;
      }
#pragma unroll
      for (int of = 0; of < together; ++of) {
        float* const to = partial +
                          (((held * sets + set) * together + of) * kSegments + segment) * plan.sums +
                          lane / 4 * kTileOutputs + lane % 4 * 2;
        *reinterpret_cast<float2*>(to) = {sums[of][0], sums[of][1]};
        if (plan.rows > 8) *reinterpret_cast<float2*>(to + 8 * kTileOutputs) = {sums[of][2], sums[of][3]};
      }
    }
    __syncthreads();
    // Units of a round stand one behind another: unit begin + n is that of set n % sets, held n / sets.
    constexpr int kSummed = finish == Finish::kGate ? 2 : 1;  // tiles that make one output
    const int each = rows * kTileOutputs;
#pragma unroll 1
    for (int i = thread; i < kUnitsHeld * sets * together / kSummed * each;
         i += static_cast<int>(blockDim.x)) {
      const int number = i / each, place = i % each;
      const int unit = number * kSummed / together;
      const int at = begin + unit % sets + unit / sets * step;
      const int tile = finish == Finish::kGate ? at : at * together + number % together;
      const std::int64_t output = std::int64_t{tile} * kTileOutputs + place % kTileOutputs;
      if (at >= plan.units || output >= product.outputs) continue;
      float sums[kSummed] = {};
#pragma unroll
      for (int of = 0; of < kSummed; ++of)
#pragma unroll
        for (int other = 0; other < kSegments; ++other)
          sums[of] += partial[((number * kSummed + of) * kSegments + other) * plan.sums + place];
      const std::int64_t row = firstRow + place / kTileOutputs;
      if constexpr (kSummed == 2)
        finishing(row, output, sums[0], sums[1]);
      else
        finishing(row, output, sums[0]);
    }
    if (begin + kUnitsHeld * step < plan.units) __syncthreads();  // before sums are written where others read
  }
}

// The plan's places in shared memory; returns their bytes.
int divide(Plan& plan, int sets, int tileBytes, int elementBytes) {
  plan.sums = (plan.rows > 8 ? 16 : 8) * kTileOutputs;
  plan.partialAt = sets * kSegments * plan.stageItems * tileBytes;
  plan.normAt = plan.partialAt + sets * kHeld * kSegments * plan.sums * 4;
  plan.xAt = plan.normAt + (plan.normWidth + 3) / 4 * 16;
  return plan.xAt + plan.rows * plan.stride * elementBytes;
}

template <class Tile, int together, int stages, class T, class Out, Finish finish>
void launch(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
            const Queue& queue) {
  constexpr int kStatic = 1024;
  const int most = gpu.sharedBytes - kStatic;
  Plan plan{};
  plan.depth = product.depth();
  plan.segment = product.segmentDepth();
  plan.units = (product.outputTiles() + together - 1) / together;
  plan.stride = plan.depth * kTileInputs + 8;
  plan.normWidth = product.norm.weight != nullptr ? static_cast<int>(product.inputs) : 0;
  const int blocks = std::min(plan.units, gpu.multiprocessors),
            sets = plan.units > blocks && gpu.sharedBytes >= kMuch ? kMostSets : 1;
  const int stagesNeeded =
      (plan.units + blocks * sets - 1) / (blocks * sets) * ((plan.segment + kChunk - 1) / kChunk);
  plan.stageItems = std::min(stages, stagesNeeded) * kChunk * together;
  plan.rows = static_cast<int>(std::min<std::int64_t>(product.rows, kMmaRows));
  int bytes = divide(plan, sets, Tile::kBytes, sizeof(T));
  for (; plan.rows > 1 && bytes > most; bytes = divide(plan, sets, Tile::kBytes, sizeof(T))) --plan.rows;
  VITRINE_CHECK(bytes <= most);
  const dim3 grid(static_cast<unsigned>(blocks),
                  static_cast<unsigned>((product.rows + plan.rows - 1) / plan.rows));
  const auto kernel = fewRowsKernel<T, Out, finish, Tile, together, stages>;
  [[maybe_unused]] static const bool isAllowed = allowShared(kernel, most);
  enqueue(queue, kernel, grid, sets * kSetThreads, bytes, product, finishing, plan);
}

// stages: of one output tile, where there is room.
template <class Tile, int stages, class T, class Out, Finish finish>
void launchTiles(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                 const Queue& queue) {
  constexpr int kMany = 3;
  const bool hasRoom = gpu.sharedBytes >= kMuch;
  if (finish == Finish::kGate || product.outputTiles() > kMany * gpu.multiprocessors)
    hasRoom ? launch<Tile, 2, stages / 2>(product, finishing, gpu, queue)
            : launch<Tile, 2, stages / 4>(product, finishing, gpu, queue);
  else if constexpr (finish != Finish::kGate)
    hasRoom ? launch<Tile, 1, stages>(product, finishing, gpu, queue)
            : launch<Tile, 1, stages / 2>(product, finishing, gpu, queue);
}

}  // namespace

template <class T, class Out, Finish finish>
void fewRowsProduct(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                    const Queue& queue) {
  if (product.format == TileFormat::kNumbers)
    return launchTiles<NumberTile, 4>(product, finishing, gpu, queue);
  if constexpr (std::is_same_v<T, Bf16>) {
    withCodeTile(product.format, [&](auto tile) {
      launchTiles<decltype(tile), 8>(product, finishing, gpu, queue);  // about as many bytes on their way
    });
  } else {
    VITRINE_CHECK(false);  // codes stand for bfloat16
  }
}

VITRINE_PRODUCTS(fewRowsProduct);
VITRINE_GATED_PRODUCTS(fewRowsProduct);

}  // namespace vitrine::cuda
