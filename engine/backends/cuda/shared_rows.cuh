// A tile of attention whose work four warps share, for few rows: the heads that share a key-value head,
// sixteen at most.
//
// Each warp takes a quarter of the tile's positions for the scores, and a quarter of the elements for the
// weighted values; the probabilities pass from one to the others through shared memory. The order of every
// sum is that of prompt_attention.cu, so a decoded token has the bits that it has in a prompt.
#pragma once

#include "backends/cuda/attention_tile.cuh"

namespace vitrine::cuda {

inline constexpr int kTileWarps = 4;

// The threads that share a tile, if they are all of a block: thread() counts them from 0, meet() waits for
// all.
struct WholeBlock {
  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ void meet() { __syncthreads(); }
};

// What the warps tell each other.
struct SharedByWarps {
  float largest[kTileWarps][kMmaRows], quarters[kTileWarps][kMmaRows][4];
  uint4 probabilities[kTileWarps][kWarp];
  bool isLast;
};

// The queries of the rows, behind them zeros; rows begin in different banks.
template <class T, int width>
struct Queries {
  T rows[kMmaRows][width + 8];
};

template <class T, int width, class Team>
class SharedRows {
 public:
  static constexpr int kSteps = width / kMmaDepth, kColumns = width / kMmaColumns / kTileWarps;

  template <class Stored>
  __device__ SharedRows(const Attention<T, Stored>& a, const AttentionRows& rows, int kvHead,
                        const Queries<T, width>& queries, SharedByWarps& shared)
      : m_lane(Team::thread() % kWarp),
        m_warp(Team::thread() / kWarp),
        m_scale(a.batch.scale * kLog2E),
        m_rows(a, rows, kvHead, 0),
        m_shared(shared),
        m_halves(rows.tokens * a.group > kMmaRows / 2 ? 2 : 1) {
    for (int step = 0; step < kSteps; ++step)
      loadMatrices(m_query[step], &queries.rows[m_lane % kMmaRows][step * kMmaDepth + m_lane / kMmaRows * 8]);
  }

  // The state of a tile; all threads of the team take part.
  __device__ void attend(const Tile<T, width>& tile, int number) {
    constexpr int kQuarter = kTile / kTileWarps;
    float scores[kQuarter / kMmaColumns][4] = {};
    for (int step = 0; step < kSteps; ++step) {
      unsigned keys[4];
      loadMatrices(keys, keysAt(tile, m_lane, m_warp * kQuarter, step * kMmaDepth));
      mma(scores[0], m_query[step], keys[0], keys[1], T{});
      mma(scores[1], m_query[step], keys[2], keys[3], T{});
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (half >= m_halves) break;
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
    Team::meet();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (half >= m_halves) break;
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
    Team::meet();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (half >= m_halves) break;
      float quarters[4];
      for (int warp = 0; warp < kTileWarps; ++warp)
        quarters[warp] = m_shared.quarters[warp][rowOf(half)][m_lane % 4];
      sum[half] = rowSum(quarters);
    }
    for (auto& column : values)
      for (float& value : column) value = 0;
    for (int step = 0; step < kTileWarps; ++step) {
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

  // Halves of the sixteen rows that are there: with one, half of the arithmetic is left out.
  __device__ int halves() const { return m_halves; }

  float largest[2], sum[2];  // of the tile
  float values[kColumns][4];

 private:
  __device__ int rowOf(int half) const { return half * kMmaRows / 2 + m_lane / 4; }

  const int m_lane, m_warp;
  const float m_scale;
  const LaneRows m_rows;
  SharedByWarps& m_shared;
  const int m_halves;
  unsigned m_query[kSteps][4];
};

}  // namespace vitrine::cuda
