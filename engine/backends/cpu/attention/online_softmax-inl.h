// The rows of an attention that never holds all scores (FlashAttention, arXiv 2205.14135; the loop order of
// FlashAttention-2, 2307.08691; online softmax, 1805.02867): tiles of 128 positions pass by, and each row
// keeps its largest score so far, its sum and its weighted values. Where a tile brings a larger score, both
// are scaled down:
//
//   m' = max(m, max s)    l' = l exp(m - m') + Σ exp(s - m')    o' = o exp(m - m') + Σ exp(s - m') v
//
// A row is one query head of one token; some rows take a tile together, so its keys and values come from
// memory once for all of them. The law holds because tiles lie where absolute positions say (128 t to 128 t +
// 127), not where a chunk, a block or a window begins: a row meets the same tiles in the same order in any
// batch. Σ exp adds in sixteen lanes, position mod 16, folded at the end. Included once for each instruction
// set (see simd-inl.h). Read next: flash.cpp, bf16.cpp.
#if defined(VITRINE_BACKENDS_CPU_ATTENTION_ONLINE_SOFTMAX_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef VITRINE_BACKENDS_CPU_ATTENTION_ONLINE_SOFTMAX_INL_H
#undef VITRINE_BACKENDS_CPU_ATTENTION_ONLINE_SOFTMAX_INL_H
#else
#define VITRINE_BACKENDS_CPU_ATTENTION_ONLINE_SOFTMAX_INL_H
#endif

#include <algorithm>
#include <limits>

#include "backends/cpu/attention/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {

constexpr int kTile = 128;
constexpr std::int64_t kScoreRow = kTile + kScoreSlack;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

struct Row {
  const float* q;
  float *out, *acc, *sums, *scores;  // acc [paddedHead] and behind it sums [16], scores [kScoreRow]
  int first, end;                    // positions it sees
  float max;
};
constexpr std::int64_t rowFloats(int headDim) { return paddedHead(headDim) + kSumLanes + kScoreRow; }

// The positions [lo, hi) of a tile that a row sees, counted from the tile's first; none: lo == hi.
struct Seen {
  int lo, hi;
};
HWY_INLINE Seen seenOf(const Row& row, int tile) {
  const int lo = std::clamp(row.first - tile, 0, kTile);
  return {lo, std::clamp(row.end - tile, lo, kTile)};
}

// Takes the scores of what the row sees of a tile: they become exp(score - max), and what the row has so far
// is scaled to the new maximum. False when there was nothing to see: every score is -infinity.
HWY_INLINE bool takeScores(Row& row, const Seen& seen, int headDim) {
  const F32 d;
  const int begin = seen.lo / int{kSumLanes} * int{kSumLanes};
  const int end = (seen.hi + int{kSumLanes} - 1) / int{kSumLanes} * int{kSumLanes};
  for (int i = begin; i < seen.lo; ++i) row.scores[i] = kNothing;
  for (int i = seen.hi; i < end; ++i) row.scores[i] = kNothing;
  Vec top = hn::Set(d, row.max);
  for (int i = begin; i < end; i += int{kLanes}) top = hn::Max(top, hn::LoadU(d, row.scores + i));
  const float max = hn::GetLane(hn::MaxOfLanes(d, top));
  if (max == kNothing) return false;
  if (max != row.max) {
    const Vec shrink = expNonPositive(hn::Set(d, row.max - max));
    for (std::int64_t i = 0; i < paddedHead(headDim) + kSumLanes; i += int{kLanes})
      hn::StoreU(hn::Mul(hn::LoadU(d, row.acc + i), shrink), d, row.acc + i);
    row.max = max;
  }
  Vec sums[kSumVectors];
  for (std::size_t v = 0; v < kSumVectors; ++v) sums[v] = hn::LoadU(d, row.sums + v * kLanes);
  const Vec level = hn::Set(d, max);
  for (int i = begin; i < end; i += int{kSumLanes}) {
    for (std::size_t v = 0; v < kSumVectors; ++v) {
      float* at = row.scores + i + v * kLanes;
      const Vec e = expNonPositive(hn::Sub(hn::LoadU(d, at), level));
      hn::StoreU(e, d, at);
      sums[v] = hn::Add(sums[v], e);
    }
  }
  for (std::size_t v = 0; v < kSumVectors; ++v) hn::StoreU(sums[v], d, row.sums + v * kLanes);
  return true;
}

// Runs pass(tile) for each tile that one of n rows sees, between their beginning and their end.
template <class Pass>
HWY_INLINE void overTiles(const AttentionTask& task, Row* rows, int n, const Pass& pass) {
  int first = rows[0].first, end = 0;
  for (int r = 0; r < n; ++r) {
    std::fill(rows[r].acc, rows[r].sums + kSumLanes, 0.0f);
    rows[r].max = kNothing;
    first = std::min(first, rows[r].first);
    end = std::max(end, rows[r].end);
  }
  for (int tile = first / kTile * kTile; tile < end; tile += kTile) pass(tile);
  for (int r = 0; r < n; ++r) divideRow(rows[r].acc, foldLanes(rows[r].sums), task.headDim, rows[r].out);
}

// Runs work(rows, n) for all rows of a task, Most at once; scratch has room for their rowFloats().
template <int Most, class Work>
HWY_INLINE void inRows(const AttentionTask& task, float* scratch, const Work& work) {
  Row rows[Most];
  int n = 0;
  const std::int64_t width = paddedHead(task.headDim);
  for (int token = 0; token < task.tokens; ++token) {
    for (int head = 0; head < task.heads; ++head) {
      float* const own = scratch + n * rowFloats(task.headDim);
      rows[n++] = {task.q + token * task.qToken + head * task.qHead,
                   task.out + token * task.outToken + head * task.outHead,
                   own,
                   own + width,
                   own + width + kSumLanes,
                   task.firstVisible(token),
                   task.positions[token] + 1,
                   kNothing};
      if (n < Most) continue;
      work(rows, n);
      n = 0;
    }
  }
  if (n > 0) work(rows, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#endif  // per target
