// Attention that never holds all scores (FlashAttention, arXiv 2205.14135; the loop order of
// FlashAttention-2, 2307.08691; online softmax, 1805.02867): tiles of 128 positions pass by, and each row
// keeps its largest score so far, its sum and its weighted values. Where a tile brings a larger score, both
// are scaled down:
//
//   m' = max(m, max s)    l' = l exp(m - m') + Σ exp(s - m')    o' = o exp(m - m') + Σ exp(s - m') v
//
// A row is one query head of one token; up to 32 rows take a tile together, so its keys and values come from
// memory once for all of them. The law holds because tiles lie where absolute positions say (128 t to 128 t +
// 127), not where a chunk, a block or a window begins: a row meets the same tiles in the same order in any
// batch. Positions of a tile that a row does not see weigh nothing and are not added. Within a tile the
// scores and values add as tile-inl.h says, and Σ exp in sixteen lanes, position mod 16, folded at the end.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/attention/flash.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>

#include "backends/cpu/attention/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr int kTile = 128, kRows = 32;
constexpr std::int64_t kScoreRow = kTile + kScoreSlack;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

struct Row {
  const float* q;
  float *out, *acc, *sums, *scores;  // acc [paddedHead] and behind it sums [16], scores [kScoreRow]
  int first, end;                    // positions it sees
  float max;
};

// Takes the scores of a tile's positions [lo, hi) into the row: they become exp(score - max), and what the
// row has so far is scaled to the new maximum. False when there was nothing to see: every score is -infinity.
bool takeScores(Row& row, int lo, int hi, int headDim) {
  const F32 d;
  const int begin = lo / int{kSumLanes} * int{kSumLanes};
  const int end = (hi + int{kSumLanes} - 1) / int{kSumLanes} * int{kSumLanes};
  for (int i = begin; i < lo; ++i) row.scores[i] = kNothing;
  for (int i = hi; i < end; ++i) row.scores[i] = kNothing;
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

// One tile, R rows. The rows may see different parts of it: a causal edge or a window's beginning may lie
// inside.
template <class T, int R>
void passTile(const AttentionTask& task, Row* rows, int tile) {
  const auto of = [&](auto member, int offset) {
    std::array<std::remove_reference_t<decltype(rows->*member)>, R> all;
    for (int r = 0; r < R; ++r) all[static_cast<std::size_t>(r)] = rows[r].*member + offset;
    return all;
  };
  int lo[R], hi[R], from = tile + kTile, to = tile, commonFrom = tile, commonTo = tile + kTile;
  for (int r = 0; r < R; ++r) {
    lo[r] = std::max(tile, rows[r].first);
    hi[r] = std::max(lo[r], std::min(tile + kTile, rows[r].end));
    if (lo[r] == hi[r]) continue;
    from = std::min(from, lo[r]);
    to = std::max(to, hi[r]);
  }
  if (from >= to) return;
  scoreRange<T, R>(task, of(&Row::q, 0).data(), from, to, of(&Row::scores, from - tile).data());
  for (int r = 0; r < R; ++r) {
    if (lo[r] < hi[r] && !takeScores(rows[r], lo[r] - tile, hi[r] - tile, task.headDim)) hi[r] = lo[r];
    commonFrom = std::max(commonFrom, lo[r]);
    commonTo = std::min(commonTo, hi[r]);
  }
  // Positions that all rows see are summed together, the others row by row; each row's positions ascend.
  const auto alone = [&](int r, int begin, int end) {
    const float* weights = rows[r].scores + (begin - tile);
    if (begin < end) sumRange<T, 1>(task, &weights, begin, end, &rows[r].acc);
  };
  const bool together = commonFrom < commonTo;
  for (int r = 0; r < R; ++r) alone(r, lo[r], together ? commonFrom : hi[r]);
  if (!together) return;
  sumRange<T, R>(task, of(&Row::scores, commonFrom - tile).data(), commonFrom, commonTo,
                 of(&Row::acc, 0).data());
  for (int r = 0; r < R; ++r) alone(r, commonTo, hi[r]);
}

template <class T>
void attendRows(const AttentionTask& task, Row* rows, int n) {
  int first = rows[0].first, end = 0;
  for (int r = 0; r < n; ++r) {
    std::fill(rows[r].acc, rows[r].sums + kSumLanes, 0.0f);
    rows[r].max = kNothing;
    first = std::min(first, rows[r].first);
    end = std::max(end, rows[r].end);
  }
  for (int tile = first / kTile * kTile; tile < end; tile += kTile)
    inRowGroups(n, [&](int row, auto count) { passTile<T, count()>(task, rows + row, tile); });
  for (int r = 0; r < n; ++r) divideRow(rows[r].acc, foldLanes(rows[r].sums), task.headDim, rows[r].out);
}

template <class T>
void attendStored(const AttentionTask& task) {
  Row rows[kRows];
  int n = 0;
  const std::int64_t width = paddedHead(task.headDim);
  for (int token = 0; token < task.tokens; ++token) {
    for (int head = 0; head < task.heads; ++head) {
      float* scratch = task.scratch + n * (width + kSumLanes + kScoreRow);
      rows[n++] = {task.q + token * task.qToken + head * task.qHead,
                   task.out + token * task.outToken + head * task.outHead,
                   scratch,
                   scratch + width,
                   scratch + width + kSumLanes,
                   task.firstVisible(token),
                   task.positions[token] + 1,
                   kNothing};
      if (n < kRows) continue;
      attendRows<T>(task, rows, n);
      n = 0;
    }
  }
  if (n > 0) attendRows<T>(task, rows, n);
}

void attend(const AttentionTask& task) {
  withStored(task.kv.type, [&](auto stored) { attendStored<decltype(stored)>(task); });
}

int tokensAtOnce(int heads) { return std::max(1, kRows / heads); }
std::int64_t scratchFloats(int, int headDim, std::int64_t) {
  return kRows * (paddedHead(headDim) + kSumLanes + kScoreRow);
}

}  // namespace

const AttentionKernel* flashTable() {
  static constexpr AttentionKernel table = {tokensAtOnce, scratchFloats, attend, false};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(flashTable);
const AttentionKernel& flashAttention() { return *HWY_DYNAMIC_DISPATCH(flashTable)(); }
}  // namespace vitrine::cpu
#endif
