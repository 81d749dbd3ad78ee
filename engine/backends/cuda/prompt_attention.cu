// Causal attention over the paged cache on tensor cores, for prompts (arXiv 2205.14135).
//
// The rows of a product are pairs of a token and a head of one key-value head's group, token after token: a
// warp takes 16 / group tokens. So keys and values are read once for the heads that share them (arXiv
// 2305.13245). The order of sums: tile_softmax.cuh.
//
// A block of threads shares the keys and values of a tile, in shared memory: as many warps as there are
// sixteens of rows, up to four. The next tile is on its way (cp.async) while this one is computed.
#include "backends/cuda/attention_tile.cuh"

namespace vitrine::cuda {
namespace {

// A warp's sixteen rows; a lane has parts of two, 8 apart.
template <class T, int width>
class WarpRows {
 public:
  static constexpr int kSteps = width / kMmaDepth, kColumns = width / kMmaColumns;

  template <class Stored>
  __device__ WarpRows(const Attention<T, Stored>& a, const AttentionRows& rows, int kvHead)
      : m_lane(static_cast<int>(threadIdx.x) % kWarp),
        m_scale(a.batch.scale * kLog2E),
        m_rows(a, rows, kvHead, static_cast<int>(threadIdx.x) / kWarp * kMmaRows) {
    for (int step = 0; step < kSteps; ++step)
      for (int part = 0; part < 4; ++part)
        m_query[step][part] = a.queryPair(m_rows.token[part % 2], m_rows.head[part % 2],
                                          step * kMmaDepth + part / 2 * kMmaDepth / 2 + m_lane % 4 * 2);
  }

  // The state of a tile.
  __device__ void attend(const Tile<T, width>& tile, int number) {
    float scores[kTile / kMmaColumns][4] = {};
    for (int step = 0; step < kSteps; ++step)
      for (int column = 0; column < kTile / kMmaColumns; column += 2) {
        unsigned keys[4];  // of eight positions: elements 0 to 7 and 8 to 15; then of the next eight
        loadMatrices(keys, keysAt(tile, m_lane, column * kMmaColumns, step * kMmaDepth));
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
        loadTransposed(columns, valuesAt(tile, m_lane, step * kMmaDepth, column * kMmaColumns));
        mma(values[column], probabilities, columns[0], columns[1], T{});
        mma(values[column + 1], probabilities, columns[2], columns[3], T{});
      }
    }
  }

  // Calls `store` with each of the lane's rows that is there, and for each pair of its elements.
  template <class StoreRow, class StorePair>
  __device__ void each(const StoreRow& row, const StorePair& pair) const {
    for (int half = 0; half < 2; ++half) {
      if (!m_rows.isThere[half]) continue;
      if (m_lane % 4 == 0) row(half, m_rows.token[half], m_rows.head[half]);
      for (int column = 0; column < kColumns; ++column)
        pair(half, m_rows.token[half], m_rows.head[half], column, column * kMmaColumns + m_lane % 4 * 2);
    }
  }

  __device__ int halves() const { return 2; }  // of the rows that are computed

  float largest[2], sum[2];  // of the tile
  float values[kColumns][4];

 private:
  __device__ void toProbabilities(float (&scores)[kTile / kMmaColumns][4], int number, int half) {
    float most = -INFINITY;
    for (int column = 0; column < kTile / kMmaColumns; ++column)
      for (int i = 0; i < 2; ++i) {
        float& score = scores[column][2 * half + i];
        score = scoreOf(score, m_scale, number * kTile + column * kMmaColumns + m_lane % 4 * 2 + i,
                        m_rows.seen[half]);
        most = fmaxf(most, score);
      }
    largest[half] = rowMax(most);
    const float zero = zeroOf(largest[half]);
    float quarters[4] = {};
    for (int column = 0; column < kTile / kMmaColumns; ++column)
      for (int i = 0; i < 2; ++i) {
        float& score = scores[column][2 * half + i];
        score = exp2f(score - zero);
        quarters[column / 2] += score;
      }
    sum[half] = rowSum(quarters);
  }

  const int m_lane;
  const float m_scale;
  const LaneRows m_rows;
  unsigned m_query[kSteps][4];
};

// Tiles that a block of threads has room for.
template <bool isSplit>
constexpr int kRoom = isSplit ? 1 : 2;

// blockIdx: block of rows, key-value head, tile (if they are computed apart).
template <class T, class Stored, int width, bool isSplit>
__global__ void attentionKernel(const __grid_constant__ Attention<T, Stored> a) {
#if __CUDA_ARCH__ >= 800
  extern __shared__ uint4 shared[];
  auto* tiles = reinterpret_cast<Tile<T, width>*>(shared);  // one, or two
  beginKernel();
  const AttentionRows rows = a.rowsOf(static_cast<int>(blockIdx.x));
  const int kvHead = static_cast<int>(blockIdx.y);
  const std::int32_t* table = a.tableOf(rows);
  const Seen seen = a.seenBy(rows);
  if (seen.last < 0) return;  // padding
  int tile = seen.firstTile(), lastTile = seen.lastTile();
  if (isSplit) {
    if (static_cast<int>(blockIdx.z) < tile || static_cast<int>(blockIdx.z) > lastTile) return;
    tile = lastTile = static_cast<int>(blockIdx.z);
  }
  fetchFirst<kRoom<isSplit>>(a, tiles, table, kvHead, tile, seen, seen);
  commitCopies();
  if (!isSplit) fetchSecond(a, tiles, tile, lastTile);
  WarpRows<T, width> warp(a, rows, kvHead);

  if constexpr (isSplit) {
    waitForCopies<0>();
    __syncthreads();
    openTile(a, tiles[0]);
    warp.attend(tiles[0], tile);
    storeState(a, tile, warp);
  } else {
    walk<kRoom<isSplit>>(a, tiles, table, kvHead, tile, lastTile, seen, warp);
  }
#else
  __trap();  // not launched before compute capability 8.0
#endif
}

}  // namespace

template <class T, class Stored>
void promptAttention(const Attention<T, Stored>& a, int blocks, int warps, const Queue& queue) {
  withKernelOf(a, [&](auto width, auto isSplit) {
    launchAttention<width(), isSplit(), kRoom<isSplit()>>(attentionKernel<T, Stored, width(), isSplit()>, a,
                                                          blocks, warps * kWarp, queue);
  });
  if (a.states.data != nullptr) launchMerge(a.states, a.out, a.batch, queue);
}

template void promptAttention(const Attention<Bf16>&, int, int, const Queue&);
template void promptAttention(const Attention<F16>&, int, int, const Queue&);
template void promptAttention(const Attention<Bf16, Code>&, int, int, const Queue&);
template void promptAttention(const Attention<F16, Code>&, int, int, const Queue&);

}  // namespace vitrine::cuda
