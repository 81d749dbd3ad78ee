// Attention as it is written down, in three passes over paged keys and values (PagedAttention, arXiv
// 2309.06180): all scores of a token, their softmax, the weighted sum of the values.
//
// A token's result depends on what it sees and on nothing else: scores and values add as tile-inl.h says, and
// probabilities add up in sixteen lanes, position - first visible position mod 16, then folded. The scores of
// a token, four heads at a time, wait in memory: 16 KiB for a context of a thousand. Read next: flash.cpp.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/attention/reference.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include <algorithm>
#include <limits>

#include "backends/cpu/attention/tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr int kHeads = 4;  // query heads computed at once; a larger group takes several rounds

// A row's scores, filled up to whole strips of sixteen.
std::int64_t scoreStride(std::int64_t longest) {
  return (longest + kSumLanes - 1) / kSumLanes * kSumLanes + kScoreSlack;
}

// Turns n scores into exp(score - max), filled up with zeros to whole strips of sixteen; returns their sum.
float exponentials(float* scores, std::int64_t n) {
  const F32 d;
  const std::int64_t end = (n + kSumLanes - 1) / kSumLanes * kSumLanes;
  std::fill(scores + n, scores + end, -std::numeric_limits<float>::infinity());
  Vec top = hn::Set(d, -std::numeric_limits<float>::infinity());
  for (std::int64_t i = 0; i < end; i += int{kLanes}) top = hn::Max(top, hn::LoadU(d, scores + i));
  HWY_ALIGN float lanes[kSumLanes];
  hn::Store(top, d, lanes);
  const Vec max = hn::Set(d, *std::max_element(lanes, lanes + kLanes));
  Vec sums[kSumVectors];
  for (Vec& sum : sums) sum = hn::Zero(d);
  for (std::int64_t i = 0; i < end; i += kSumLanes) {
    for (std::size_t v = 0; v < kSumVectors; ++v) {
      float* at = scores + i + static_cast<std::int64_t>(v * kLanes);
      const Vec e = expNonPositive(hn::Sub(hn::LoadU(d, at), max));
      hn::StoreU(e, d, at);
      sums[v] = hn::Add(sums[v], e);
    }
  }
  for (std::size_t v = 0; v < kSumVectors; ++v) hn::Store(sums[v], d, lanes + v * kLanes);
  return foldLanes(lanes);
}

// Adds a head's probabilities, weights / sum, to the attention scores of their blocks.
void addScores(const AttentionTask& task, int token, const float* weights, float sum) {
  const int first = task.firstVisible(token);
  forEachBlock(task, first, task.positions[token] + 1, [&](std::int64_t, int, int position, int length) {
    float block = 0;
    for (int i = 0; i < length; ++i) block += weights[position - first + i];
    task.scores[token * task.scoresPerToken + position / task.blockSize] += block / sum;
  });
}

template <class T, int H>
void attendHeads(const AttentionTask& task, int token, int firstHead) {
  const int first = task.firstVisible(token), end = task.positions[token] + 1;
  const std::int64_t stride = scoreStride(end - first), width = paddedHead(task.headDim);
  const float* q[H];
  float *scores[H], *acc[H];
  for (int h = 0; h < H; ++h) {
    q[h] = task.q + token * task.qToken + (firstHead + h) * task.qHead;
    acc[h] = task.scratch + h * width;
    scores[h] = task.scratch + kHeads * width + h * stride;
  }
  scoreRange<T, H, false>(task, q, first, end, scores);
  float sums[H];
  for (int h = 0; h < H; ++h) sums[h] = exponentials(scores[h], end - first);
  if (task.scores != nullptr)
    for (int h = 0; h < H; ++h) addScores(task, token, scores[h], sums[h]);
  std::fill(acc[0], acc[0] + H * width, 0.0f);
  sumRange<T, H>(task, scores, first, end, acc);
  float* out = task.out + token * task.outToken + firstHead * task.outHead;
  for (int h = 0; h < H; ++h) divideRow(acc[h], sums[h], task.headDim, out + h * task.outHead);
}

template <class T>
void attendStored(const AttentionTask& task) {
  for (int token = 0; token < task.tokens; ++token)
    inRowGroups(task.heads, [&](int head, auto rows) { attendHeads<T, rows()>(task, token, head); });
}

void attend(const AttentionTask& task) {
  withStored(task.kv.type, [&](auto stored) { attendStored<decltype(stored)>(task); });
}

int tokensAtOnce(int) { return 1; }
std::int64_t scratchFloats(int, int headDim, std::int64_t longest) {
  return kHeads * (paddedHead(headDim) + scoreStride(longest));
}

}  // namespace

const AttentionKernel* referenceTable() {
  static constexpr AttentionKernel table = {tokensAtOnce, scratchFloats, attend, true};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(referenceTable);
const AttentionKernel& referenceAttention() { return *HWY_DYNAMIC_DISPATCH(referenceTable)(); }
}  // namespace vitrine::cpu
#endif
