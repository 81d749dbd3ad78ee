// What attention kernels share: scores of some rows over a stretch of positions, and their weighted sums of
// values. A row is one query head of one token. Included once for each instruction set (see simd-inl.h).
//
// A score adds over headDim ascending, in a lane of its own: keys lie transposed in a block, so that the lanes
// are neighbouring slots. Values add over positions ascending. Both by fused multiply-add, and both the same
// however many rows are computed together and wherever a stretch is cut.
#if defined(VITRINE_BACKENDS_CPU_ATTENTION_TILE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRINE_BACKENDS_CPU_ATTENTION_TILE_INL_H
#undef VITRINE_BACKENDS_CPU_ATTENTION_TILE_INL_H
#else
#define VITRINE_BACKENDS_CPU_ATTENTION_TILE_INL_H
#endif

#include <algorithm>
#include <type_traits>

#include "backends/cpu/attention/attention.h"
#include "backends/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {

// Independent sums that hide the latency of a multiply-add, and fit the registers beside R rows.
template <int R>
constexpr int kVectorsAtOnce = R >= 4 && kLanes < 16 ? 2 : 4;
// Floats that a stretch of scores may be overrun by: the lanes of its last strip beyond the end.
constexpr std::int64_t kScoreSlack = 16;

// A vector's width of neighbouring slots: keys [headDim] rows of blockSize, and where the scores go.
struct Strip {
  const float* keys;
  std::int64_t at;
};

// A strip that ends a block computes lanes that belong to nobody; what they leave behind the block's own
// scores is overwritten by the next strip, or ignored after the last.
template <int R, int S>
HWY_INLINE void scoreStrips(const AttentionTask& task, const float* const* q, const Strip* strips,
                            float* const* scores) {
  const F32 d;
  Vec acc[R][S];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
    for (int s = 0; s < S; ++s) acc[r][s] = hn::Zero(d);
  for (int i = 0; i < task.headDim; ++i) {
    Vec k[S];
#pragma GCC unroll 4
    for (int s = 0; s < S; ++s) k[s] = hn::LoadU(d, strips[s].keys + std::int64_t{i} * task.blockSize);
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      const Vec x = hn::Set(d, q[r][i]);
#pragma GCC unroll 4
      for (int s = 0; s < S; ++s) acc[r][s] = hn::MulAdd(x, k[s], acc[r][s]);
    }
  }
  const Vec scale = hn::Set(d, task.scale);
#pragma GCC unroll 4
  for (int s = 0; s < S; ++s)
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) hn::StoreU(hn::Mul(acc[r][s], scale), d, scores[r] + strips[s].at);
}

// Calls visit(block's own offset in the pool, slot, position, length) for each block's part of [from, to).
template <class Visit>
HWY_INLINE void forEachBlock(const AttentionTask& task, int from, int to, const Visit& visit) {
  for (int position = from; position < to;) {
    const int slot = position % task.blockSize;
    const int length = std::min(task.blockSize - slot, to - position);
    visit(task.kv.table[position / task.blockSize] * task.kv.blockBytes, slot, position, length);
    position += length;
  }
}

// scores[r][p - from] = scale * q[r] · key p, for p in [from, to); overruns it by up to kScoreSlack floats.
template <int R>
void scoreRange(const AttentionTask& task, const float* const* q, int from, int to, float* const* scores) {
  constexpr int kStrips = kVectorsAtOnce<R>;
  Strip strips[kStrips];
  int waiting = 0;
  forEachBlock(task, from, to, [&](std::int64_t block, int slot, int position, int length) {
    const auto* keys = reinterpret_cast<const float*>(static_cast<const char*>(task.kv.keys) + block) + slot;
    for (int i = 0; i < length; i += int{kLanes}) {
      strips[waiting++] = {keys + i, position + i - from};
      if (waiting < kStrips) continue;
      scoreStrips<R, kStrips>(task, q, strips, scores);
      waiting = 0;
    }
  });
  for (int i = 0; i < waiting; ++i) scoreStrips<R, 1>(task, q, strips + i, scores);
}

// Columns [column, column + C vectors) of: acc[r] += Σ over positions of weights[r][p - from] * value p.
template <int R, int C>
HWY_INLINE void sumColumns(const AttentionTask& task, const float* const* weights, int from, int to, int column,
                           float* const* acc) {
  const F32 d;
  Vec sums[R][C];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) sums[r][c] = hn::LoadU(d, acc[r] + column + c * int{kLanes});
  forEachBlock(task, from, to, [&](std::int64_t block, int slot, int position, int length) {
    const float* values = reinterpret_cast<const float*>(static_cast<const char*>(task.kv.values) + block) +
                          std::int64_t{slot} * task.headDim + column;
    for (int i = 0; i < length; ++i, values += task.headDim) {
      Vec v[C];
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) v[c] = hn::LoadU(d, values + c * int{kLanes});
#pragma GCC unroll 4
      for (int r = 0; r < R; ++r) {
        const Vec w = hn::Set(d, weights[r][position - from + i]);
#pragma GCC unroll 4
        for (int c = 0; c < C; ++c) sums[r][c] = hn::MulAdd(w, v[c], sums[r][c]);
      }
    }
  });
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) hn::StoreU(sums[r][c], d, acc[r] + column + c * int{kLanes});
}

// The floats of a row of sums: whole vectors.
constexpr std::int64_t paddedHead(int headDim) {
  return (headDim + kSumLanes - 1) / kSumLanes * kSumLanes;
}

// acc [R][paddedHead(headDim)] += Σ over p in [from, to) of weights[r][p - from] * value p, ascending.
template <int R>
void sumRange(const AttentionTask& task, const float* const* weights, int from, int to, float* const* acc) {
  constexpr int kColumns = kVectorsAtOnce<R>;
  int column = 0;
  const auto vectorsLeft = [&] { return (task.headDim - column + int{kLanes} - 1) / int{kLanes}; };
  for (; vectorsLeft() >= kColumns; column += kColumns * int{kLanes})
    sumColumns<R, kColumns>(task, weights, from, to, column, acc);
  for (; vectorsLeft() >= 1; column += int{kLanes}) sumColumns<R, 1>(task, weights, from, to, column, acc);
}

// Runs work(first row, std::integral_constant R) over n rows, four, two or one at a time.
template <class Work>
HWY_INLINE void inRowGroups(int n, const Work& work) {
  int row = 0;
  for (; row + 4 <= n; row += 4) work(row, std::integral_constant<int, 4>());
  for (; row + 2 <= n; row += 2) work(row, std::integral_constant<int, 2>());
  for (; row < n; ++row) work(row, std::integral_constant<int, 1>());
}

// out[headDim] = acc / sum
HWY_INLINE void divideRow(const float* acc, float sum, int headDim, float* out) {
  for (int i = 0; i < headDim; ++i) out[i] = acc[i] / sum;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#endif  // per target
