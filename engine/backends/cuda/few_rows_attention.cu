// Causal attention on tensor cores for few rows, as a decoded token has them: the heads that share a
// key-value head, sixteen at most. It is bound by the memory, so four warps share the work on a tile
// (shared_rows.cuh).
//
// Where there are few sequences, each tile of a context has a block of threads of its own, and the last one
// to end merges the states of all. Otherwise a block walks through its context, the next tile on its way.
#include "backends/cuda/shared_rows.cuh"

namespace vitrine::cuda {
namespace {

template <class T, int width>
__device__ void readQueries(const Attention<T>& a, const AttentionRows& rows, int kvHead,
                            Queries<T, width>& to) {
  constexpr int kVector = 8, kVectors = width / kVector;
  for (int i = static_cast<int>(threadIdx.x); i < kMmaRows * kVectors; i += kTileWarps * kWarp) {
    const int row = i / kVectors, element = i % kVectors * kVector;
    union {
      uint4 bits;
      T values[kVector];
    } read;
    read.bits = {};
    if (row < rows.tokens * a.group) {
      const T* const from = a.q.at(rows.first + row / a.group, kvHead * a.group + row % a.group) + element;
      if (a.hasVectors && element < a.cache.headDim)
        read.bits = *reinterpret_cast<const uint4*>(from);
      else
        for (int j = 0; j < kVector; ++j)
          if (element + j < a.cache.headDim) read.values[j] = from[j];
    }
    *reinterpret_cast<uint4*>(&to.rows[row][element]) = read.bits;
  }
}

// The states of the rows' tiles become what attention gives.
template <class T>
__device__ void mergeRows(const Attention<T>& a, const AttentionRows& rows, int kvHead) {
  const int headDim = a.cache.headDim;
  for (int i = static_cast<int>(threadIdx.x); i < rows.tokens * a.group * headDim; i += kTileWarps * kWarp) {
    const int row = i / headDim, token = rows.first + row / a.group, head = kvHead * a.group + row % a.group;
    a.out.at(token, head)[i % headDim] = fromFloat<T>(mergedElement(
        a.states, token, head, i % headDim, seenFrom(a.batch.positions[token], a.batch.slidingWindow)));
  }
}

// The queries are in registers before the warps tell each other anything: so three blocks of threads with two
// tiles each find room on a multiprocessor.
template <class T, int width>
union Room {
  Queries<T, width> queries;
  SharedByWarps shared;
};

// blockIdx: block of rows, key-value head, tile (if they are computed apart). ended: for each block of rows
// and key-value head how many tiles have their state; 0 before and afterwards.
template <class T, int width, bool isSplit>
__global__ void __launch_bounds__(kTileWarps* kWarp)
    fewRowsKernel(const __grid_constant__ Attention<T> a, int* ended) {
#if __CUDA_ARCH__ >= 800
  extern __shared__ uint4 memory[];
  __shared__ alignas(16) Room<T, width> room;
  auto* tiles = reinterpret_cast<Tile<T, width>*>(memory);  // one, or two
  letNextBegin();
  const AttentionRows rows = a.rowsOf(static_cast<int>(blockIdx.x));
  const int kvHead = static_cast<int>(blockIdx.y);
  const std::int32_t* table = a.tableOf(rows);
  const Seen seen = a.seenBy(rows);
  if (seen.last < 0) return;  // padding
  int tile = seen.firstTile(), lastTile = seen.lastTile();
  const int count = lastTile - tile + 1;
  if (isSplit) {
    if (static_cast<int>(blockIdx.z) < tile || static_cast<int>(blockIdx.z) > lastTile) return;
    tile = lastTile = static_cast<int>(blockIdx.z);
  }
  // The lists of a step, and keys and values of earlier steps, are there before the kernel in front has
  // ended; and a sequence's new tokens are all this block's.
  const int firstNew = a.batch.positions[rows.first];
  const bool fetchesNew = (tile + 1) * kTile > firstNew;
  const bool isEarly = a.cache.headDim % 8 == 0 || !fetchesNew;
  if (!isEarly) waitForPrevious();
  fetchFirst<isSplit>(a, tiles, table, kvHead, tile, seen, Seen{0, isEarly ? firstNew - 1 : seen.last});
  if (isEarly) waitForPrevious();
  if (isEarly && fetchesNew) fetchRows(a, tiles[0], table, kvHead, tile, firstNew, seen.last);
  commitCopies();
  if (!isSplit) fetchSecond(a, tiles, tile, lastTile);
  readQueries(a, rows, kvHead, room.queries);
  __syncthreads();
  SharedRows<T, width, WholeBlock> shares(a, rows, kvHead, room.queries, room.shared);

  if constexpr (isSplit) {
    waitForCopies<0>();
    __syncthreads();
    shares.attend(tiles[0], tile);
    storeState(a, tile, shares);
    __threadfence();
    __syncthreads();
    int* const mine = ended + blockIdx.x * gridDim.y + blockIdx.y;
    if (threadIdx.x == 0) {
      room.shared.isLast = atomicAdd(mine, 1) == count - 1;
      if (room.shared.isLast) *mine = 0;
    }
    __syncthreads();
    if (!room.shared.isLast) return;
    __threadfence();
    mergeRows(a, rows, kvHead);
  } else {
    walk(a, tiles, table, kvHead, tile, lastTile, seen, shares);
  }
#else
  __trap();  // not launched before compute capability 8.0
#endif
}

template <class T>
void attend(const Attention<T>& a, const AttentionBlocks& blocks, int* ended, const Queue& queue) {
  if (blocks.warps > 1) return promptAttention(a, blocks.count, blocks.warps, queue);
  withKernelOf(a, [&](auto width, auto isSplit) {
    launchAttention<width(), isSplit()>(fewRowsKernel<T, width(), isSplit()>, a, blocks.count,
                                        kTileWarps * kWarp, queue, ended);
  });
}

}  // namespace

std::int64_t attentionStates(const TensorView& q, const AttentionBatch& batch) {
  return batch.tiles() * q.extent(0) * q.extent(1) * TileStates::floatsOf(static_cast<int>(q.extent(2)));
}

void tensorCoreAttention(const TensorView& q, const PagedKv& cache, int layer, const AttentionBatch& batch,
                         const AttentionBlocks& blocks, const TensorView& out, const AttentionMemory& memory,
                         const Queue& queue) {
  VITRINE_CHECK(q.type() != DType::kF32 && cache.headDim <= kMostTensorCoreHeadDim);
  const auto run = [&](auto element) {
    using T = decltype(element);
    const Attention<T> a{
        rowsOf<const T>(q),
        rowsOf<T>(out),
        cache,
        layer,
        static_cast<int>(q.extent(1)) / cache.kvHeads,
        batch,
        {memory.states, static_cast<int>(q.extent(0)), static_cast<int>(q.extent(1)), cache.headDim},
        blocks.rows,
        isInVectors(q, 2),
        isInVectors(q, 8)};
    attend(a, blocks, memory.ended, queue);
  };
  if (q.type() == DType::kBf16)
    run(Bf16{});
  else
    run(F16{});
}

}  // namespace vitrine::cuda
