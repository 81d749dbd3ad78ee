// The tensor cores' product for few rows, as decoding has them: it is bound by the memory, which must never
// rest.
//
// mma m16n8k16: sixteen rows of x, eight outputs, sixteen inputs. A decoded token is one row of the sixteen,
// the other fifteen are wasted, and it does not matter: the weights are read at the memory's speed either
// way. In return a row has the same bits alone and among five hundred.
//
// One block of threads for each multiprocessor walks over tiles of outputs; each of its eight warps has a
// segment of the inputs. A warp's weights pass through a ring of its own in shared memory (cp.async), which
// is filled before the kernel in front has ended, and never runs empty between one tile and the next.
#include <algorithm>

#include "backends/cuda/product.cuh"
#include "backends/cuda/shared_memory.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kThreads = kSegments * kWarp;
constexpr int kChunk = 4;       // tiles of weights that a warp fetches together
constexpr int kFinished = 8;    // tiles of outputs whose sums are finished together
constexpr int kMostNormed = 8;  // rows
constexpr int kInFlight = 4;    // elements of a row that a thread reads together

// How the shared memory of a block of threads is divided.
struct Room {
  int rows;    // of x, that a block takes, at most sixteen
  int stride;  // of them in elements, so that they begin in different banks
  int width;   // of the norm's weights; 0: no norm
  __host__ __device__ int sums() const { return (rows > 8 ? 16 : 8) * kTileOutputs; }  // of a tile
  __host__ __device__ int partialBytes() const { return kFinished * kSegments * sums() * 4; }
  __host__ __device__ int normBytes() const { return (width + 3) / 4 * 16; }
};

// Rows of x into shared memory, as they are; behind the last input zeros.
template <class T>
__device__ void copyRows(const Product<T>& product, std::int64_t firstRow, int rows, int stride, T* x) {
  const int thread = static_cast<int>(threadIdx.x), width = product.depth() * kTileInputs;
  if (!product.isAligned) {
    for (int row = 0; row < rows; ++row)
      for (int i = thread; i < width; i += kThreads)
        x[row * stride + i] = i < product.inputs ? product.x.at(firstRow + row)[i] : fromFloat<T>(0);
    return;
  }
  constexpr int kVector = 8, kTogether = 8;
  const int vectors = width / kVector, all = rows * vectors;
  for (int begin = thread; begin < all; begin += kTogether * kThreads) {
    uint4 read[kTogether];
#pragma unroll
    for (int j = 0; j < kTogether; ++j)
      if (const int i = begin + j * kThreads; i < all)
        read[j] =
            *reinterpret_cast<const uint4*>(product.x.at(firstRow + i / vectors) + i % vectors * kVector);
#pragma unroll
    for (int j = 0; j < kTogether; ++j)
      if (const int i = begin + j * kThreads; i < all)
        *reinterpret_cast<uint4*>(x + i / vectors * stride + i % vectors * kVector) = read[j];
  }
}

// Rows of the residual stream into shared memory, normed: the arithmetic of norm.cu.
template <class T>
__device__ void normRows(const Product<T>& product, std::int64_t firstRow, int rows, int stride,
                         const float* weight, T* x) {
  const int thread = static_cast<int>(threadIdx.x), width = static_cast<int>(product.inputs);
  float squares[kMostNormed] = {};
  for (int begin = thread; begin < width; begin += kInFlight * kThreads) {
    float read[kMostNormed][kInFlight] = {};
#pragma unroll
    for (int row = 0; row < kMostNormed; ++row)
#pragma unroll
      for (int j = 0; j < kInFlight; ++j)
        if (const int i = begin + j * kThreads; row < rows && i < width)
          read[row][j] = product.norm.residual.at(firstRow + row)[i];
#pragma unroll
    for (int row = 0; row < kMostNormed; ++row)
#pragma unroll
      for (int j = 0; j < kInFlight; ++j) squares[row] = fmaf(read[row][j], read[row][j], squares[row]);
  }
  __shared__ float sums[kMostNormed][kSegments];
#pragma unroll
  for (int row = 0; row < kMostNormed; ++row) {
    if (row >= rows) break;
    const float sum = warpSum(squares[row]);
    if (thread % kWarp == 0) sums[row][thread / kWarp] = sum;
  }
  waitForCopies<0>();  // of the weights, which came first
  __syncthreads();
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int warp = 0; warp < kSegments; ++warp) sum += sums[row][warp];
    const float scale = 1.0f / sqrtf(sum / static_cast<float>(width) + product.norm.eps);
    const float* const residual = product.norm.residual.at(firstRow + row);
#pragma unroll 4
    for (int i = thread; i < product.depth() * kTileInputs; i += kThreads)
      x[row * stride + i] = fromFloat<T>(i < width ? residual[i] * scale * weight[i] : 0);
  }
}

template <class T, class Out, Finish finish, int stages>
__global__ void __launch_bounds__(kThreads)
    fewRowsKernel(const __grid_constant__ Product<T> product,
                  const __grid_constant__ Finishing<T, Out, finish> finishing, Room room) {
  constexpr int kTogether = finish == Finish::kGate ? 2 : 1;  // a tile, or a gate's tile and its partner
  constexpr int kRing = kSegments * stages * kChunk * kWarp;
  extern __shared__ uint4 shared[];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
  uint4* const ring = shared + warp * stages * kChunk * kWarp + lane;
  auto* const partial = reinterpret_cast<float*>(shared + kRing);  // [kFinished, kSegments, sums]
  auto* const normWeight = partial + room.partialBytes() / 4;
  T* const x = reinterpret_cast<T*>(normWeight + room.normBytes() / 4);  // [rows, stride]

  const int depth = product.depth(), segment = product.segmentDepth();
  const int first = min(warp * segment, depth), length = min(segment, depth - first);
  const int groups = product.outputTiles() / kTogether, step = static_cast<int>(gridDim.x);

  // The warp's way through the weights, tile after tile, some chunks ahead of the sums.
  const uint4* const tiles = reinterpret_cast<const uint4*>(product.tiles) + first * kWarp + lane;
  int nextGroup = length > 0 ? static_cast<int>(blockIdx.x) : groups, nextOf = 0, nextBlock = 0;
  const auto fetch = [&](int stage) {
    if (nextGroup < groups) {
      const uint4* const from =
          tiles + (std::int64_t{nextGroup + nextOf * groups} * depth + nextBlock) * kWarp;
      uint4* const to = ring + stage * kChunk * kWarp;
      const int count = length - nextBlock;
#pragma unroll
      for (int i = 0; i < kChunk; ++i)
        if (i < count) copyAsync16(to + i * kWarp, from + i * kWarp);
      nextBlock += kChunk;
      if (nextBlock >= length) {
        nextBlock = 0;
        if (++nextOf == kTogether) nextOf = 0, nextGroup += step;
      }
    }
    commitCopies();
  };
  letNextBegin();
  if (room.width > 0)
    for (int i = thread; i < room.width; i += kThreads) copyAsync4(normWeight + i, product.norm.weight + i);
  for (int stage = 0; stage < stages; ++stage) fetch(stage);
  waitForPrevious();

  const std::int64_t firstRow = std::int64_t{blockIdx.y} * room.rows;
  const int rows = static_cast<int>(min(std::int64_t{room.rows}, product.rows - firstRow));
  if (room.width > 0)
    normRows(product, firstRow, rows, room.stride, normWeight, x);
  else
    copyRows(product, firstRow, rows, room.stride, x);
  __syncthreads();

  // A lane's address for loadMatrices: rows that are not there are read as the last one, and not stored.
  const T* const mine =
      x + min(lane % kMmaRows, rows - 1) * room.stride + lane / kMmaRows * 8 + first * kTileInputs;
  const int sumsEach = room.sums();
  int stage = 0;
  for (int group = static_cast<int>(blockIdx.x); group < groups;) {
    int count = 0;
    for (; count < kFinished / kTogether && group + count * step < groups; ++count) {
#pragma unroll
      for (int of = 0; of < kTogether; ++of) {
        float sums[4] = {};
        for (int block = 0; block < length; block += kChunk) {
          waitForCopies<stages - 1>();
          __syncwarp();
#pragma unroll
          for (int i = 0; i < kChunk; ++i) {
            if (block + i >= length) break;
            unsigned weights[4], low[4], high[4];
            loadMatrices(weights, ring + (stage * kChunk + i) * kWarp);
            loadMatrices(low, mine + (block + i) * kTileInputs);
            loadMatrices(high, mine + (block + i) * kTileInputs + kMmaDepth);
            mma(sums, low, weights[0], weights[1], T{});
            mma(sums, high, weights[2], weights[3], T{});
          }
          fetch(stage);
          stage = stage + 1 == stages ? 0 : stage + 1;
        }
        float* const to = partial + ((count * kTogether + of) * kSegments + warp) * sumsEach +
                          lane / 4 * kTileOutputs + lane % 4 * 2;
        *reinterpret_cast<float2*>(to) = {sums[0], sums[1]};
        if (room.rows > 8) *reinterpret_cast<float2*>(to + 8 * kTileOutputs) = {sums[2], sums[3]};
      }
    }
    __syncthreads();
    const int each = rows * kTileOutputs;
    for (int i = thread; i < count * each; i += kThreads) {
      const int number = i / each, place = i % each;
      const std::int64_t row = firstRow + place / kTileOutputs,
                         output = std::int64_t{group + number * step} * kTileOutputs + place % kTileOutputs;
      if (output >= product.outputs) continue;
      float sums[kTogether] = {};
#pragma unroll
      for (int of = 0; of < kTogether; ++of)
#pragma unroll
        for (int other = 0; other < kSegments; ++other)
          sums[of] += partial[((number * kTogether + of) * kSegments + other) * sumsEach + place];
      if constexpr (kTogether == 2)
        finishing(row, output, sums[0], sums[1]);
      else
        finishing(row, output, sums[0]);
    }
    group += count * step;
    if (group < groups) __syncthreads();  // before sums are written where others may still read
  }
}

template <int stages, class T, class Out, Finish finish>
void launch(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
            const Queue& queue) {
  constexpr int kTogether = finish == Finish::kGate ? 2 : 1, kRing = kSegments * stages * kChunk * kWarp * 16,
                kStatic = 1024;
  const int most = gpu.sharedBytes - kStatic;
  Room room{};
  room.stride = product.depth() * kTileInputs + 8;
  room.width = product.norm.weight != nullptr ? static_cast<int>(product.inputs) : 0;
  const auto bytes = [&] {
    return kRing + room.partialBytes() + room.normBytes() +
           room.rows * room.stride * static_cast<int>(sizeof(T));
  };
  room.rows = static_cast<int>(std::min<std::int64_t>(product.rows, kMmaRows));
  while (room.rows > 1 && bytes() > most) --room.rows;
  VITRINE_CHECK(bytes() <= most);
  const dim3 grid(static_cast<unsigned>(std::min(product.outputTiles() / kTogether, gpu.multiprocessors)),
                  static_cast<unsigned>((product.rows + room.rows - 1) / room.rows));
  const auto kernel = fewRowsKernel<T, Out, finish, stages>;
  [[maybe_unused]] static const bool isAllowed = allowShared(kernel, most);
  enqueue(queue, kernel, grid, kThreads, bytes(), product, finishing, room);
}

}  // namespace

template <class T, class Out, Finish finish>
void fewRowsProduct(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                    const Queue& queue) {
  constexpr int kLarge = 5, kSmall = 2,
                kRoom = 160 * 1024;  // two kernels stand side by side where one has room
  if (gpu.sharedBytes >= kRoom)
    launch<kLarge>(product, finishing, gpu, queue);
  else
    launch<kSmall>(product, finishing, gpu, queue);
}

VITRINE_PRODUCTS(fewRowsProduct);
VITRINE_GATED_PRODUCTS(fewRowsProduct);

}  // namespace vitrine::cuda
