// Causal attention on tensor cores for few rows, as a decoded token has them: the heads that share a
// key-value head, sixteen at most. It is bound by the memory, so four warps share the work on a tile.
//
// Each takes a quarter of the tile's positions for the scores, and a quarter of the elements for the weighted
// values; the probabilities pass from one to the others through shared memory. The order of every sum is that
// of prompt_attention.cu, so a decoded token has the bits that it has in a prompt.
//
// Where there are few sequences, each tile of a context has a block of threads of its own, and the last one
// to end merges the states of all. Otherwise a block walks through its context, the next tile on its way.
#include "backends/cuda/attention_tile.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kWarps = 4;

// What the warps tell each other.
struct Shared {
  float largest[kWarps][kMmaRows], quarters[kWarps][kMmaRows][4];
  uint4 probabilities[kWarps][kWarp];
  bool isLast;
};

// The queries of the rows, behind them zeros; rows begin in different banks.
template <class T, int width>
struct Queries {
  T rows[kMmaRows][width + 8];
};

template <class T, int width>
__device__ void readQueries(const Attention<T>& a, const AttentionRows& rows, int kvHead,
                            Queries<T, width>& to) {
  constexpr int kVector = 8, kVectors = width / kVector;
  for (int i = static_cast<int>(threadIdx.x); i < kMmaRows * kVectors; i += kWarps * kWarp) {
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

template <class T, int width>
class SharedRows {
 public:
  static constexpr int kSteps = width / kMmaDepth, kColumns = width / kMmaColumns / kWarps;

  __device__ SharedRows(const Attention<T>& a, const AttentionRows& rows, int kvHead,
                        const Queries<T, width>& queries, Shared& shared)
      : m_lane(static_cast<int>(threadIdx.x) % kWarp),
        m_warp(static_cast<int>(threadIdx.x) / kWarp),
        m_scale(a.batch.scale * kLog2E),
        m_rows(a, rows, kvHead, 0),
        m_shared(shared) {
    for (int step = 0; step < kSteps; ++step)
      loadMatrices(m_query[step], &queries.rows[m_lane % kMmaRows][step * kMmaDepth + m_lane / kMmaRows * 8]);
  }

  // The state of a tile; all threads of the block take part.
  __device__ void attend(const Tile<T, width>& tile, int number) {
    constexpr int kQuarter = kTile / kWarps;
    float scores[kQuarter / kMmaColumns][4] = {};
    for (int step = 0; step < kSteps; ++step) {
      unsigned keys[4];
      loadMatrices(keys, keysAt(tile, m_lane, m_warp * kQuarter, step * kMmaDepth));
      mma(scores[0], m_query[step], keys[0], keys[1], T{});
      mma(scores[1], m_query[step], keys[2], keys[3], T{});
    }
    for (int half = 0; half < 2; ++half) {
      float most = -INFINITY;
      for (int column = 0; column < 2; ++column)
        for (int i = 0; i < 2; ++i) {
          float& score = scores[column][2 * half + i];
          score = scoreOf(score, m_scale,
                          number * kTile + m_warp * kQuarter + column * kMmaColumns + m_lane % 4 * 2 + i,
                          m_rows.seen[half]);
          most = fmaxf(most, score);
        }
      most = rowMax(most);
      if (m_lane % 4 == 0) m_shared.largest[m_warp][rowOf(half)] = most;
    }
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      largest[half] = -INFINITY;
      for (const auto& warp : m_shared.largest) largest[half] = fmaxf(largest[half], warp[rowOf(half)]);
      const float zero = zeroOf(largest[half]);
      float quarter = 0;
      for (int column = 0; column < 2; ++column)
        for (int i = 0; i < 2; ++i) {
          float& score = scores[column][2 * half + i];
          score = exp2f(score - zero);
          quarter += score;
        }
      m_shared.quarters[m_warp][rowOf(half)][m_lane % 4] = quarter;
    }
    m_shared.probabilities[m_warp][m_lane] = {
        packPair(scores[0][0], scores[0][1], T{}), packPair(scores[0][2], scores[0][3], T{}),
        packPair(scores[1][0], scores[1][1], T{}), packPair(scores[1][2], scores[1][3], T{})};
    __syncthreads();
    for (int half = 0; half < 2; ++half) {
      float quarters[4];
      for (int warp = 0; warp < kWarps; ++warp)
        quarters[warp] = m_shared.quarters[warp][rowOf(half)][m_lane % 4];
      sum[half] = rowSum(quarters);
    }
    for (auto& column : values)
      for (float& value : column) value = 0;
    for (int step = 0; step < kWarps; ++step) {
      const uint4 bits = m_shared.probabilities[step][m_lane];
      const unsigned probabilities[4] = {bits.x, bits.y, bits.z, bits.w};
      for (int column = 0; column < kColumns; column += 2) {
        unsigned columns[4];
        loadTransposed(columns,
                       valuesAt(tile, m_lane, step * kMmaDepth, (m_warp * kColumns + column) * kMmaColumns));
        mma(values[column], probabilities, columns[0], columns[1], T{});
        mma(values[column + 1], probabilities, columns[2], columns[3], T{});
      }
    }
  }

  // Calls `row` once for each row that is there, and `pair` with each pair of its elements.
  template <class StoreRow, class StorePair>
  __device__ void each(const StoreRow& row, const StorePair& pair) const {
    for (int half = 0; half < 2; ++half) {
      if (!m_rows.isThere[half]) continue;
      if (m_lane % 4 == 0 && m_warp == 0) row(half, m_rows.token[half], m_rows.head[half]);
      for (int column = 0; column < kColumns; ++column)
        pair(half, m_rows.token[half], m_rows.head[half], column,
             (m_warp * kColumns + column) * kMmaColumns + m_lane % 4 * 2);
    }
  }

  float largest[2], sum[2];  // of the tile
  float values[kColumns][4];

 private:
  __device__ int rowOf(int half) const { return half * kMmaRows / 2 + m_lane / 4; }

  const int m_lane, m_warp;
  const float m_scale;
  const LaneRows m_rows;
  Shared& m_shared;
  unsigned m_query[kSteps][4];
};

// The states of the rows' tiles become what attention gives.
template <class T>
__device__ void mergeRows(const Attention<T>& a, const AttentionRows& rows, int kvHead) {
  const int headDim = a.cache.headDim;
  for (int i = static_cast<int>(threadIdx.x); i < rows.tokens * a.group * headDim; i += kWarps * kWarp) {
    const int row = i / headDim, token = rows.first + row / a.group, head = kvHead * a.group + row % a.group;
    a.out.at(token, head)[i % headDim] = fromFloat<T>(mergedElement(
        a.states, token, head, i % headDim, seenFrom(a.batch.positions[token], a.batch.slidingWindow)));
  }
}

// blockIdx: block of rows, key-value head, tile (if they are computed apart). ended: for each block of rows
// and key-value head how many tiles have their state; 0 before and afterwards.
template <class T, int width, bool isSplit>
__global__ void __launch_bounds__(kWarps* kWarp)
    fewRowsKernel(const __grid_constant__ Attention<T> a, int* ended) {
#if __CUDA_ARCH__ >= 800
  extern __shared__ uint4 memory[];
  __shared__ Shared shared;
  __shared__ alignas(16) Queries<T, width> queries;
  auto* tiles = reinterpret_cast<Tile<T, width>*>(memory);  // one, or two
  letNextBegin();
  const AttentionRows rows = a.rowsOf(static_cast<int>(blockIdx.x));
  const int kvHead = static_cast<int>(blockIdx.y);
  const std::int32_t* table = a.tableOf(rows);
  const Seen seen = a.seenBy(rows);
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
  fetchTile(a, tiles[0], table, kvHead, tile, seen, {0, isEarly ? firstNew - 1 : seen.last});
  if (isEarly) waitForPrevious();
  readQueries(a, rows, kvHead, queries);
  if (isEarly && fetchesNew) fetchRows(a, tiles[0], table, kvHead, tile, firstNew, seen.last);
  commitCopies();
  __syncthreads();
  SharedRows<T, width> shares(a, rows, kvHead, queries, shared);

  if constexpr (isSplit) {
    waitForCopies<0>();
    __syncthreads();
    shares.attend(tiles[0], tile);
    storeState(a, tile, shares);
    __threadfence();
    __syncthreads();
    int* const mine = ended + blockIdx.x * gridDim.y + blockIdx.y;
    if (threadIdx.x == 0) {
      shared.isLast = atomicAdd(mine, 1) == count - 1;
      if (shared.isLast) *mine = 0;
    }
    __syncthreads();
    if (!shared.isLast) return;
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
    launchAttention<width(), isSplit()>(fewRowsKernel<T, width(), isSplit()>, a, blocks.count, kWarps * kWarp,
                                        queue, ended);
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
