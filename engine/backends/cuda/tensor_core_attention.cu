// Causal attention over the paged cache on tensor cores, for prompts and for decoding alike (arXiv
// 2205.14135).
//
// The rows of a product are pairs of a token and a head of one key-value head's group, token after token: of
// a prompt a warp takes 16 / group tokens; a decoded token fills `group` rows of sixteen, and its warp is
// bound by the memory anyway. So keys and values are read once for the heads that share them (arXiv
// 2305.13245), and a decoded token has the bits that it has in a prompt. The order of sums: tile_softmax.cuh.
//
// A block of threads shares the keys and values of a tile, in shared memory: as many warps as there are
// sixteens of rows, up to four. The next tile is on its way (cp.async) while this one is computed.
#include <algorithm>

#include "backends/cuda/mma.cuh"
#include "backends/cuda/reduce.cuh"
#include "backends/cuda/shared_memory.cuh"
#include "backends/cuda/tile_softmax.cuh"

namespace vitrine::cuda {
namespace {

constexpr int kPadding = 8;  // elements behind a row in shared memory: rows begin in different banks

template <class T>
struct Attention {
  Rows<const T> q;
  Rows<T> out;
  PagedKv cache;
  int layer, group;  // heads of a key-value head
  AttentionBatch batch;
  TileStates states;
  const AttentionRows* blocks;  // of threads
  bool hasPairs;                // queries may be read two elements at a time
};

// Rows of keys and values in shared memory, `width` elements each, behind the last one zeros.
template <class T, int width>
struct Tile {
  static constexpr int kStride = width + kPadding;
  T keys[kTile][kStride], values[kTile][kStride];
  std::int64_t places[kTile];  // of the keys in the cache, in elements; -1: not seen
};

// Begins to copy the tile's positions [first, last]; the others become zeros, since 0 times what lies there
// must be 0.
template <class T, int width>
__device__ void fetchTile(const Attention<T>& a, Tile<T, width>& tile, const std::int32_t* table, int kvHead,
                          int number, int first, int last) {
  constexpr int kVector = 8, kVectors = width / kVector;
  const int headDim = a.cache.headDim, threads = static_cast<int>(blockDim.x);
  // A row's place is looked up once, not for each of its vectors.
  for (int row = static_cast<int>(threadIdx.x); row < kTile; row += threads) {
    const int position = number * kTile + row;
    tile.places[row] = position < first || position > last
                           ? -1
                           : a.cache.offset(table[position / a.cache.blockSize], a.layer, 0, kvHead) +
                                 position % a.cache.blockSize * headDim;
  }
  __syncthreads();
  const std::int64_t toValues = a.cache.offset(0, 0, 1, 0);
#pragma unroll 8
  for (int i = static_cast<int>(threadIdx.x); i < 2 * kTile * kVectors; i += threads) {
    const int which = i / (kTile * kVectors), row = i / kVectors % kTile, element = i % kVectors * kVector;
    T* to = which == 0 ? &tile.keys[row][element] : &tile.values[row][element];
    const std::int64_t place = tile.places[row];
    if (place < 0 || element >= headDim) {
      *reinterpret_cast<uint4*>(to) = {};
      continue;
    }
    const T* from = static_cast<const T*>(a.cache.data) + place + which * toValues + element;
    if (headDim % kVector == 0) {
      copyAsync16(to, from);
    } else {
      for (int j = 0; j < kVector; ++j) to[j] = element + j < headDim ? from[j] : fromFloat<T>(0);
    }
  }
}

// A warp's sixteen rows; a lane has parts of two, 8 apart.
template <class T, int width>
class WarpRows {
 public:
  static constexpr int kSteps = width / kMmaDepth, kColumns = width / kMmaColumns;

  __device__ WarpRows(const Attention<T>& a, const AttentionRows& rows, int kvHead)
      : m_lane(static_cast<int>(threadIdx.x) % kWarp), m_scale(a.batch.scale * kLog2E) {
    const int first = static_cast<int>(threadIdx.x) / kWarp * kMmaRows;
    for (int half = 0; half < 2; ++half) {
      const int row = first + half * kMmaRows / 2 + m_lane / 4;
      m_isThere[half] = row < rows.tokens * a.group;
      m_token[half] = rows.first + min(row / a.group, rows.tokens - 1);
      m_head[half] = kvHead * a.group + row % a.group;
      m_seen[half] = seenFrom(a.batch.positions[m_token[half]], a.batch.slidingWindow);
    }
    for (int step = 0; step < kSteps; ++step)
      for (int part = 0; part < 4; ++part)
        m_query[step][part] =
            queryPair(a, part % 2, step * kMmaDepth + part / 2 * kMmaDepth / 2 + m_lane % 4 * 2);
  }

  // The state of a tile.
  __device__ void attend(const Tile<T, width>& tile, int number) {
    float scores[kTile / kMmaColumns][4] = {};
    for (int step = 0; step < kSteps; ++step)
      for (int column = 0; column < kTile / kMmaColumns; column += 2) {
        unsigned keys[4];  // of eight positions: elements 0 to 7 and 8 to 15; then of the next eight
        loadMatrices(keys, &tile.keys[column * kMmaColumns + m_lane / 16 * kMmaColumns + m_lane % 8]
                                     [step * kMmaDepth + m_lane / 8 % 2 * 8]);
        mma(scores[column], m_query[step], keys[0], keys[1], T{});
        mma(scores[column + 1], m_query[step], keys[2], keys[3], T{});
      }
    for (int half = 0; half < 2; ++half) toProbabilities(scores, number, half);
    for (auto& column : values)
      for (float& value : column) value = 0;
    for (int step = 0; step < kTile / kMmaDepth; ++step) {
      const unsigned probabilities[4] = {packPair(scores[2 * step][0], scores[2 * step][1], T{}),
                                         packPair(scores[2 * step][2], scores[2 * step][3], T{}),
                                         packPair(scores[2 * step + 1][0], scores[2 * step + 1][1], T{}),
                                         packPair(scores[2 * step + 1][2], scores[2 * step + 1][3], T{})};
      for (int column = 0; column < kColumns; column += 2) {
        unsigned columns[4];  // of eight elements: positions 0 to 7 and 8 to 15; then of the next eight
        loadTransposed(columns,
                       &tile.values[step * kMmaDepth + m_lane % 16][(column + m_lane / 16) * kMmaColumns]);
        mma(values[column], probabilities, columns[0], columns[1], T{});
        mma(values[column + 1], probabilities, columns[2], columns[3], T{});
      }
    }
  }

  // Calls `store` with each of the lane's rows that is there, and for each pair of its elements.
  template <class StoreRow, class StorePair>
  __device__ void each(const StoreRow& row, const StorePair& pair) const {
    for (int half = 0; half < 2; ++half) {
      if (!m_isThere[half]) continue;
      if (m_lane % 4 == 0) row(half, m_token[half], m_head[half]);
      for (int column = 0; column < kColumns; ++column)
        pair(half, m_token[half], m_head[half], column, column * kMmaColumns + m_lane % 4 * 2);
    }
  }
  __device__ Seen seen(int half) const { return m_seen[half]; }

  float largest[2], sum[2];  // of the tile
  float values[kColumns][4];

 private:
  __device__ unsigned queryPair(const Attention<T>& a, int half, int element) const {
    const T* from = a.q.at(m_token[half], m_head[half]) + element;
    if (!m_isThere[half] || element >= a.cache.headDim) return 0;
    if (a.hasPairs) return *reinterpret_cast<const unsigned*>(from);
    T pair[2] = {from[0], element + 1 < a.cache.headDim ? from[1] : fromFloat<T>(0)};
    return *reinterpret_cast<const unsigned*>(pair);
  }

  __device__ void toProbabilities(float (&scores)[kTile / kMmaColumns][4], int number, int half) {
    float most = -INFINITY;
    for (int column = 0; column < kTile / kMmaColumns; ++column)
      for (int i = 0; i < 2; ++i) {
        const int position = number * kTile + column * kMmaColumns + m_lane % 4 * 2 + i;
        float& score = scores[column][2 * half + i];
        const bool isSeen = position >= m_seen[half].first && position <= m_seen[half].last;
        score = isSeen ? score * m_scale : -INFINITY;
        most = fmaxf(most, score);
      }
    most = fmaxf(most, __shfl_xor_sync(~0u, most, 1));
    most = fmaxf(most, __shfl_xor_sync(~0u, most, 2));
    const float zero = most == -INFINITY ? 0 : most;
    float total = 0;
    for (int column = 0; column < kTile / kMmaColumns; ++column)
      for (int i = 0; i < 2; ++i) {
        float& score = scores[column][2 * half + i];
        score = exp2f(score - zero);
        total += score;
      }
    total += __shfl_xor_sync(~0u, total, 1);
    total += __shfl_xor_sync(~0u, total, 2);
    largest[half] = most;
    sum[half] = total;
  }

  const int m_lane;
  const float m_scale;
  bool m_isThere[2];
  int m_token[2], m_head[2];
  Seen m_seen[2];
  unsigned m_query[kSteps][4];
};

// blockIdx: block of rows, key-value head, tile (if they are computed apart).
template <class T, int width, bool isSplit>
__global__ void attentionKernel(const __grid_constant__ Attention<T> a) {
#if __CUDA_ARCH__ >= 800
  extern __shared__ uint4 shared[];
  auto* tiles = reinterpret_cast<Tile<T, width>*>(shared);  // one, or two
  const AttentionRows rows = a.blocks[blockIdx.x];
  const int kvHead = static_cast<int>(blockIdx.y);
  const std::int32_t* table = a.batch.tables + std::int64_t{rows.sequence} * a.batch.tableWidth;
  // What any of the block's tokens sees; their positions ascend.
  const int first = seenFrom(a.batch.positions[rows.first], a.batch.slidingWindow).first,
            last = a.batch.positions[rows.first + rows.tokens - 1];
  int tile = first / kTile, lastTile = last / kTile;
  if (isSplit) {
    if (static_cast<int>(blockIdx.z) < tile || static_cast<int>(blockIdx.z) > lastTile) return;
    tile = lastTile = static_cast<int>(blockIdx.z);
  }
  fetchTile(a, tiles[0], table, kvHead, tile, first, last);
  commitCopies();
  WarpRows<T, width> warp(a, rows, kvHead);

  if constexpr (isSplit) {
    waitForCopies<0>();
    __syncthreads();
    warp.attend(tiles[0], tile);
    warp.each(
        [&](int half, int token, int head) {
          float* state = a.states.at(tile, token, head);
          state[0] = warp.largest[half];
          state[1] = warp.sum[half];
        },
        [&](int half, int token, int head, int column, int element) {
          float* state = a.states.at(tile, token, head) + 2;
          for (int i = 0; i < 2; ++i)
            if (element + i < a.cache.headDim) state[element + i] = warp.values[column][2 * half + i];
        });
  } else {
    float largest[2] = {-INFINITY, -INFINITY}, sum[2] = {};
    float all[WarpRows<T, width>::kColumns][4] = {};
    for (int stage = 0; tile <= lastTile; ++tile, stage ^= 1) {
      if (tile < lastTile) fetchTile(a, tiles[stage ^ 1], table, kvHead, tile + 1, first, last);
      commitCopies();
      waitForCopies<1>();
      __syncthreads();
      warp.attend(tiles[stage], tile);
      for (int half = 0; half < 2; ++half) {
        const Merging merging(largest[half], warp.largest[half]);
        sum[half] = merging(sum[half], warp.sum[half]);
        for (int column = 0; column < WarpRows<T, width>::kColumns; ++column)
          for (int i = 2 * half; i < 2 * half + 2; ++i)
            all[column][i] = merging(all[column][i], warp.values[column][i]);
        largest[half] = merging.largest;
      }
      __syncthreads();  // before the next copies overwrite what other warps may still read
    }
    warp.each([](int, int, int) {},
              [&](int half, int token, int head, int column, int element) {
                T* to = a.out.at(token, head);
                for (int i = 0; i < 2; ++i)
                  if (element + i < a.cache.headDim)
                    to[element + i] = fromFloat<T>(all[column][2 * half + i] / sum[half]);
              });
  }
#else
  __trap();  // not launched before compute capability 8.0
#endif
}

template <class T, int width, bool isSplit>
void launch(const Attention<T>& a, int blocks, int warps, cudaStream_t stream) {
  constexpr int kShared = static_cast<int>(sizeof(Tile<T, width>)) * (isSplit ? 1 : 2);
  const auto kernel = attentionKernel<T, width, isSplit>;
  [[maybe_unused]] static const bool isAllowed = allowShared(kernel, kShared);
  kernel<<<dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(a.cache.kvHeads),
                isSplit ? static_cast<unsigned>(a.batch.tiles()) : 1),
           static_cast<unsigned>(warps * kWarp), kShared, stream>>>(a);
}

}  // namespace

std::int64_t attentionStates(const TensorView& q, const AttentionBatch& batch) {
  return batch.tiles() * q.extent(0) * q.extent(1) * TileStates::floatsOf(static_cast<int>(q.extent(2)));
}

void tensorCoreAttention(const TensorView& q, const PagedKv& cache, int layer, const AttentionBatch& batch,
                         const AttentionBlocks& blocks, const TensorView& out, float* states,
                         cudaStream_t stream) {
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
        {states, static_cast<int>(q.extent(0)), static_cast<int>(q.extent(1)), cache.headDim},
        blocks.rows,
        cache.headDim % 2 == 0 && q.stride(0) % 2 == 0 && q.stride(1) % 2 == 0 &&
            reinterpret_cast<std::uintptr_t>(q.data()) % 4 == 0};
    constexpr int kNarrow = kMostTensorCoreHeadDim / 2;
    const bool isNarrow = cache.headDim <= kNarrow;
    if (states != nullptr) {
      isNarrow ? launch<T, kNarrow, true>(a, blocks.count, blocks.warps, stream)
               : launch<T, 2 * kNarrow, true>(a, blocks.count, blocks.warps, stream);
      launchMerge(a.states, a.out, a.batch, stream);
    } else {
      isNarrow ? launch<T, kNarrow, false>(a, blocks.count, blocks.warps, stream)
               : launch<T, 2 * kNarrow, false>(a, blocks.count, blocks.warps, stream);
    }
  };
  if (q.type() == DType::kBf16)
    run(Bf16{});
  else
    run(F16{});
}

}  // namespace vitrine::cuda
