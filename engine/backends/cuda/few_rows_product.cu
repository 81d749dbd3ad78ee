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
constexpr int kSums = kMmaRows * kTileOutputs;  // of a tile

// Rows of x in shared memory begin in different banks.
int strideOf(int depth) { return depth * kTileInputs + 8; }

// rowsEach: of x, that a block of threads takes, at most sixteen.
template <class T, class Out, Finish finish, int stages>
__global__ void __launch_bounds__(kThreads)
    fewRowsKernel(const __grid_constant__ Product<T> product,
                  const __grid_constant__ Finishing<T, Out, finish> finishing, int rowsEach, int stride) {
  constexpr int kTogether = finish == Finish::kGate ? 2 : 1;  // a tile, or a gate's tile and its partner
  extern __shared__ uint4 shared[];
  const int thread = static_cast<int>(threadIdx.x), lane = thread % kWarp, warp = thread / kWarp;
  uint4* const ring = shared + warp * stages * kWarp;
  auto* const partial = reinterpret_cast<float*>(shared + kSegments * stages * kWarp);
  T* const x = reinterpret_cast<T*>(partial + 2 * kTogether * kSegments * kSums);  // [rows, stride]

  const int depth = product.depth(), segment = product.segmentDepth();
  const int first = min(warp * segment, depth), length = min(segment, depth - first);
  const int groups = product.outputTiles() / kTogether;

  // The warp's way through the weights, tile after tile, some stages ahead of the sums.
  const uint4* const tiles = reinterpret_cast<const uint4*>(product.tiles) + lane;
  int nextGroup = length > 0 ? static_cast<int>(blockIdx.x) : groups, nextOf = 0, nextBlock = 0;
  const auto fetch = [&](int stage) {
    if (nextGroup < groups) {
      const std::int64_t tile = nextGroup + nextOf * groups;
      copyAsync16(&ring[stage * kWarp + lane], tiles + (tile * depth + first + nextBlock) * kWarp);
      if (++nextBlock == length) {
        nextBlock = 0;
        if (++nextOf == kTogether) nextOf = 0, nextGroup += static_cast<int>(gridDim.x);
      }
    }
    commitCopies();
  };
  letNextBegin();
  for (int stage = 0; stage < stages; ++stage) fetch(stage);
  waitForPrevious();

  const std::int64_t firstRow = std::int64_t{blockIdx.y} * rowsEach;
  const int rows = static_cast<int>(min(std::int64_t{rowsEach}, product.rows - firstRow));
  for (int row = 0; row < rows; ++row) {
    const T* const from = product.x.at(firstRow + row);
    T* const to = x + row * stride;
    if (product.isAligned) {
      for (int i = thread * 8; i < depth * kTileInputs; i += kThreads * 8)
        *reinterpret_cast<uint4*>(to + i) = *reinterpret_cast<const uint4*>(from + i);
    } else {
      for (int i = thread; i < depth * kTileInputs; i += kThreads)
        to[i] = i < product.inputs ? from[i] : fromFloat<T>(0);
    }
  }
  __syncthreads();

  // A lane's address for loadMatrices: rows that are not there are read as the last one, and not stored.
  const T* const mine =
      x + min(lane % kMmaRows, rows - 1) * stride + lane / kMmaRows * 8 + first * kTileInputs;
  int stage = 0, half = 0;
  for (int group = static_cast<int>(blockIdx.x); group < groups; group += static_cast<int>(gridDim.x)) {
    for (int of = 0; of < kTogether; ++of) {
      float sums[4] = {};
      for (int block = 0; block < length; ++block) {
        waitForCopies<stages - 1>();
        __syncwarp();
        unsigned weights[4], low[4], high[4];
        loadMatrices(weights, &ring[stage * kWarp + lane]);
        loadMatrices(low, mine + block * kTileInputs);
        loadMatrices(high, mine + block * kTileInputs + kMmaDepth);
        mma(sums, low, weights[0], weights[1], T{});
        mma(sums, high, weights[2], weights[3], T{});
        fetch(stage);
        stage = stage + 1 == stages ? 0 : stage + 1;
      }
      float* const to = partial + ((half * kTogether + of) * kSegments + warp) * kSums;
      for (int i = 0; i < 4; ++i)
        to[(lane / 4 + i / 2 * kMmaRows / 2) * kTileOutputs + lane % 4 * 2 + i % 2] = sums[i];
    }
    __syncthreads();
    const std::int64_t output = std::int64_t{group} * kTileOutputs + thread % kTileOutputs;
    if (thread < rows * kTileOutputs && output < product.outputs) {
      float sums[kTogether] = {};
      for (int of = 0; of < kTogether; ++of)
        for (int other = 0; other < kSegments; ++other)
          sums[of] += partial[((half * kTogether + of) * kSegments + other) * kSums + thread];
      const std::int64_t row = firstRow + thread / kTileOutputs;
      if constexpr (kTogether == 2)
        finishing(row, output, sums[0], sums[1]);
      else
        finishing(row, output, sums[0]);
    }
    half ^= 1;  // while some threads read these sums, others already write the next
  }
}

template <int stages, class T, class Out, Finish finish>
void launch(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
            const Queue& queue) {
  constexpr int kTogether = finish == Finish::kGate ? 2 : 1;
  constexpr int kRing = kSegments * stages * kWarp * 16,
                kPartial = 2 * kTogether * kSegments * kSums * static_cast<int>(sizeof(float));
  const int stride = strideOf(product.depth()), rowBytes = stride * static_cast<int>(sizeof(T));
  const int fitting = (gpu.sharedBytes - kRing - kPartial) / rowBytes;
  VITRINE_CHECK(fitting > 0);
  const int rowsEach = static_cast<int>(std::min<std::int64_t>({product.rows, kMmaRows, fitting}));
  const dim3 grid(static_cast<unsigned>(std::min(product.outputTiles() / kTogether, gpu.multiprocessors)),
                  static_cast<unsigned>((product.rows + rowsEach - 1) / rowsEach));
  const auto kernel = fewRowsKernel<T, Out, finish, stages>;
  [[maybe_unused]] static const bool isAllowed = allowShared(kernel, gpu.sharedBytes);
  enqueue(queue, kernel, grid, kThreads, kRing + kPartial + rowsEach * rowBytes, product, finishing, rowsEach,
          stride);
}

}  // namespace

template <class T, class Out, Finish finish>
void fewRowsProduct(const Product<T>& product, const Finishing<T, Out, finish>& finishing, const Gpu& gpu,
                    const Queue& queue) {
  constexpr int kLarge = 20, kSmall = 4,
                kRoom = 160 * 1024;  // two kernels stand side by side where one has room
  if (gpu.sharedBytes >= kRoom)
    launch<kLarge>(product, finishing, gpu, queue);
  else
    launch<kSmall>(product, finishing, gpu, queue);
}

VITRINE_PRODUCTS(fewRowsProduct);
VITRINE_GATED_PRODUCTS(fewRowsProduct);

}  // namespace vitrine::cuda
