// Attention of one token over paged keys and values (PagedAttention, arXiv 2309.06180), three passes:
// scores, softmax, weighted sum. A token's result depends on what it sees and on nothing else:
//   - a score adds over headDim ascending, in a lane of its own; keys lie transposed in a block so that the
//     lanes are neighbouring slots;
//   - probabilities add up in sixteen lanes, position - first visible position mod 16, then folded;
//   - values add over positions ascending.
// No block boundary, chunk or neighbour enters into any of the three.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/attention_kernels.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include <algorithm>
#include <limits>

#include "backends/cpu/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

// A vector's width of neighbouring slots: keys [headDim] rows of blockSize, and where the scores go.
struct Segment {
  const float* keys;
  std::int64_t at;
};

// Scores of H heads over S segments. A segment that ends a block computes lanes that belong to nobody; what
// they leave behind the block's own scores is overwritten by the next segment, or ignored after the last.
template <int H, int S>
HWY_INLINE void scoreTile(const AttentionTask& task, const float* q, const Segment* segments, float* scores) {
  const F32 d;
  Vec acc[H][S];
#pragma GCC unroll 4
  for (int h = 0; h < H; ++h)
#pragma GCC unroll 4
    for (int s = 0; s < S; ++s) acc[h][s] = hn::Zero(d);
  for (int i = 0; i < task.headDim; ++i) {
#pragma GCC unroll 4
    for (int s = 0; s < S; ++s) {
      const Vec k = hn::LoadU(d, segments[s].keys + std::int64_t{i} * task.blockSize);
#pragma GCC unroll 4
      for (int h = 0; h < H; ++h) acc[h][s] = hn::MulAdd(hn::Set(d, q[h * task.qStride + i]), k, acc[h][s]);
    }
  }
  const Vec scale = hn::Set(d, task.scale);
#pragma GCC unroll 4
  for (int s = 0; s < S; ++s)
#pragma GCC unroll 4
    for (int h = 0; h < H; ++h)
      hn::StoreU(hn::Mul(acc[h][s], scale), d, scores + h * task.scoreStride + segments[s].at);
}

template <int H>
void computeScores(const AttentionTask& task, const float* q) {
  constexpr int kSegments = 4 / H;  // four independent sums, to hide the latency of a multiply-add
  Segment segments[kSegments];
  int waiting = 0;
  for (int position = task.first; position <= task.last;) {
    const int slot = position % task.blockSize;
    const int length = std::min(task.blockSize - slot, task.last - position + 1);
    const float* keys = task.keys + task.table[position / task.blockSize] * task.blockStride + slot;
    for (int i = 0; i < length; i += int{kLanes}) {
      segments[waiting++] = {keys + i, position + i - task.first};
      if (waiting < kSegments) continue;
      scoreTile<H, kSegments>(task, q, segments, task.scores);
      waiting = 0;
    }
    position += length;
  }
  if constexpr (kSegments > 1)
    for (int i = 0; i < waiting; ++i) scoreTile<H, 1>(task, q, segments + i, task.scores);
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

// Columns [column, column + C vectors) of H heads' outputs: Σ over positions of probability × value, / sum.
template <int H, int C>
HWY_INLINE void sumValues(const AttentionTask& task, int column, const float* sums, float* out) {
  const F32 d;
  Vec acc[H][C];
#pragma GCC unroll 4
  for (int h = 0; h < H; ++h)
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) acc[h][c] = hn::Zero(d);
  for (int position = task.first; position <= task.last;) {
    const int slot = position % task.blockSize;
    const int length = std::min(task.blockSize - slot, task.last - position + 1);
    const float* values = task.values + task.table[position / task.blockSize] * task.blockStride +
                          std::int64_t{slot} * task.headDim + column;
    const float* p = task.scores + (position - task.first);
    for (int i = 0; i < length; ++i, values += task.headDim) {
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) {
        const Vec v = hn::LoadU(d, values + c * int{kLanes});
#pragma GCC unroll 4
        for (int h = 0; h < H; ++h)
          acc[h][c] = hn::MulAdd(hn::Set(d, p[h * task.scoreStride + i]), v, acc[h][c]);
      }
    }
    position += length;
  }
  HWY_ALIGN float row[C * kLanes];
  const int columns = std::min(C * int{kLanes}, task.headDim - column);
  for (int h = 0; h < H; ++h) {
    for (int c = 0; c < C; ++c) hn::Store(hn::Div(acc[h][c], hn::Set(d, sums[h])), d, row + c * int{kLanes});
    std::copy(row, row + columns, out + h * task.outStride + column);
  }
}

template <int H>
void attendHeads(const AttentionTask& task, int firstHead) {
  computeScores<H>(task, task.q + firstHead * task.qStride);
  float sums[H];
  for (int h = 0; h < H; ++h)
    sums[h] = exponentials(task.scores + h * task.scoreStride, task.last - task.first + 1);
  float* out = task.out + firstHead * task.outStride;
  int column = 0;
  const auto vectorsLeft = [&] { return (task.headDim - column + int{kLanes} - 1) / int{kLanes}; };
  for (; vectorsLeft() >= 4; column += 4 * int{kLanes}) sumValues<H, 4>(task, column, sums, out);
  for (; vectorsLeft() >= 1; column += int{kLanes}) sumValues<H, 1>(task, column, sums, out);
}

void attend(const AttentionTask& task) {
  int head = 0;
  for (; head + 4 <= task.heads; head += 4) attendHeads<4>(task, head);
  for (; head + 2 <= task.heads; head += 2) attendHeads<2>(task, head);
  for (; head < task.heads; ++head) attendHeads<1>(task, head);
}

}  // namespace

const AttentionKernels* attentionTable() {
  static constexpr AttentionKernels table = {attend};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(attentionTable);
const AttentionKernels& attentionKernels() { return *HWY_DYNAMIC_DISPATCH(attentionTable)(); }
}  // namespace vitrine::cpu
#endif
