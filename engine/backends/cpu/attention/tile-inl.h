// What attention kernels share: scores of some rows over a stretch of positions, and their weighted sums of
// values. A row is one query head of one token. Included once for each instruction set (see simd-inl.h).
//
// A score adds over headDim ascending, in a lane of its own: keys lie transposed in a block, so that the
// lanes are neighbouring slots. Values add over positions ascending. Both by fused multiply-add, and both the
// same however many rows are computed together and wherever a stretch is cut.
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

// T is what the cache stores: float; the bits of bfloat16, the upper half of a float; or int8 with a scale
// for each slot.
HWY_INLINE Vec loadStored(const float* from) { return hn::LoadU(F32(), from); }
HWY_INLINE Vec loadStored(const std::uint16_t* from) { return widenBf16(from); }
HWY_INLINE Vec loadStored(const std::int8_t* from) {
  const hn::Rebind<std::int8_t, F32> d8;
  return hn::ConvertTo(F32(), hn::PromoteTo(I32(), hn::LoadU(d8, from)));
}
template <class T>
constexpr bool kQuantized = std::is_same_v<T, std::int8_t>;

// Calls work(a number of the type T that the cache stores).
template <class Work>
HWY_INLINE void withStored(KvType type, const Work& work) {
  switch (type) {
    case KvType::kSame:
      return work(float());
    case KvType::kBf16:
      return work(std::uint16_t());
    case KvType::kInt8:
      return work(std::int8_t());
  }
}

template <class T>
const T* inBlock(const void* ofBlockZero, std::int64_t block) {
  return reinterpret_cast<const T*>(static_cast<const char*>(ofBlockZero) + block);
}

// A vector's width of neighbouring slots: keys [headDim] rows of blockSize, and where the scores go; then
// what is read soon, the keys some strips ahead and the slots' own values.
template <class T>
struct Strip {
  const T* keys;
  const float* scales;
  std::int64_t at;
  const T *nextKeys, *values;
};

// A strip that ends a block computes lanes that belong to no token; what they leave behind the block's own
// scores is overwritten by the next strip, or ignored after the last.
//
// Ahead: what is read soon is asked for, since blocks lie apart, where the processor does not look ahead. To
// the second-level cache: more than the first level waits for at once would make it wait.
template <class T, int R, int S, bool Ahead>
HWY_INLINE void scoreStrips(const AttentionTask& task, const float* const* q, const Strip<T>* strips,
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
    for (int s = 0; s < S; ++s) k[s] = loadStored(strips[s].keys + std::int64_t{i} * task.blockSize);
    constexpr int kStripsOfLine = std::max(1, 64 / static_cast<int>(kLanes * sizeof(T)));
    if (Ahead && i % kStripsOfLine == 0) {
#pragma GCC unroll 4
      for (int s = 0; s < S; ++s) {
        __builtin_prefetch(strips[s].nextKeys + std::int64_t{i} * task.blockSize, 0, 2);
        __builtin_prefetch(strips[s].values + i * int{kLanes}, 0, 2);
      }
    }
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) {
      const Vec x = hn::Set(d, q[r][i]);
#pragma GCC unroll 4
      for (int s = 0; s < S; ++s) acc[r][s] = hn::MulAdd(x, k[s], acc[r][s]);
    }
  }
#pragma GCC unroll 4
  for (int s = 0; s < S; ++s) {
    Vec scale = hn::Set(d, task.scale);
    if constexpr (kQuantized<T>) scale = hn::Mul(scale, hn::LoadU(d, strips[s].scales));
#pragma GCC unroll 4
    for (int r = 0; r < R; ++r) hn::StoreU(hn::Mul(acc[r][s], scale), d, scores[r] + strips[s].at);
  }
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
template <class T, int R, bool Ahead>
void scoreUnturned(const AttentionTask& task, const float* const* q, int from, int to, float* const* scores) {
  constexpr int kStrips = kVectorsAtOnce<R>;
  Strip<T> strips[kStrips];
  int waiting = 0;
  forEachBlock(task, from, to, [&](std::int64_t block, int slot, int position, int length) {
    const T* const keys = inBlock<T>(task.kv.keys, block) + slot;
    const T* const values = inBlock<T>(task.kv.values, block) + std::int64_t{slot} * task.headDim;
    const float* const scales = kQuantized<T> ? inBlock<float>(task.kv.keyScales, block) + slot : nullptr;
    for (int i = 0; i < length; i += int{kLanes}) {
      Strip<T>& strip = strips[waiting++];
      strip = {keys + i, kQuantized<T> ? scales + i : nullptr, position + i - from, nullptr, nullptr};
      if constexpr (Ahead) {
        const int next = std::min(position + i + kStrips * int{kLanes}, task.lastVisible());
        strip.nextKeys = inBlock<T>(task.kv.keys, task.kv.table[next / task.blockSize] * task.kv.blockBytes) +
                         next % task.blockSize;
        strip.values = values + std::int64_t{i} * task.headDim;
      }
      if (waiting < kStrips) continue;
      scoreStrips<T, R, kStrips, Ahead>(task, q, strips, scores);
      waiting = 0;
    }
  });
  for (int i = 0; i < waiting; ++i) scoreStrips<T, R, 1, Ahead>(task, q, strips + i, scores);
}

// x [2 half] turned back by an angle: R(-a) x, halves as in rotary() (backend.h).
HWY_INLINE void turnBack(const float* x, const float* cos, const float* sin, int half, float* out) {
  for (int i = 0; i < half; ++i) {
    out[i] = x[i] * cos[i] + x[i + half] * sin[i];
    out[i + half] = x[i + half] * cos[i] - x[i] * sin[i];
  }
}

// Calls visit(begin, end, shift) for each stretch of [from, to) whose blocks have one shift; a context that
// lost no blocks is one, with shift 0.
template <class Visit>
HWY_INLINE void forEachShift(const AttentionTask& task, int from, int to, const Visit& visit) {
  if (task.blockShifts == nullptr) return visit(from, to, 0);
  const auto shiftAt = [&](int position) { return task.blockShifts[position / task.blockSize]; };
  for (int begin = from; begin < to;) {
    const std::int32_t shift = shiftAt(begin);
    int end = begin;
    while (end < to && shiftAt(end) == shift) end = std::min(to, (end / task.blockSize + 1) * task.blockSize);
    visit(begin, end, shift);
    begin = end;
  }
}

// A query as blocks with that shift meet it: itself, or turned for them into row `row` of task.turned.
HWY_INLINE const float* turnedQuery(const AttentionTask& task, const float* q, std::int32_t shift, int row) {
  if (shift == 0) return q;
  float* const turned = task.turned + row * task.headDim;
  const int half = task.headDim / 2;
  const std::int64_t angle = std::int64_t{shift} * half;
  turnBack(q, task.turnCos + angle, task.turnSin + angle, half, turned);
  return turned;
}

// scoreUnturned() for a context that may have lost blocks: each stretch with one shift meets queries turned
// for it.
template <class T, int R, bool Ahead>
void scoreRange(const AttentionTask& task, const float* const* q, int from, int to, float* const* scores) {
  forEachShift(task, from, to, [&](int begin, int end, std::int32_t shift) {
    const float* turned[R];
    float* at[R];
    for (int r = 0; r < R; ++r) {
      turned[r] = turnedQuery(task, q[r], shift, r);
      at[r] = scores[r] + (begin - from);
    }
    scoreUnturned<T, R, Ahead>(task, turned, begin, end, at);
  });
}

// Columns [column, column + C vectors) of: acc[r] += Σ over positions of weights[r][p - from] * value p.
template <class T, int R, int C>
HWY_INLINE void sumColumns(const AttentionTask& task, const float* const* weights, int from, int to,
                           int column, float* const* acc) {
  const F32 d;
  Vec sums[R][C];
#pragma GCC unroll 4
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 4
    for (int c = 0; c < C; ++c) sums[r][c] = hn::LoadU(d, acc[r] + column + c * int{kLanes});
  forEachBlock(task, from, to, [&](std::int64_t block, int slot, int position, int length) {
    const T* values = inBlock<T>(task.kv.values, block) + std::int64_t{slot} * task.headDim + column;
    const float* scales = kQuantized<T> ? inBlock<float>(task.kv.valueScales, block) + slot : nullptr;
    for (int i = 0; i < length; ++i, values += task.headDim) {
      Vec v[C];
#pragma GCC unroll 4
      for (int c = 0; c < C; ++c) {
        v[c] = loadStored(values + c * int{kLanes});
        if constexpr (kQuantized<T>) v[c] = hn::Mul(v[c], hn::Set(d, scales[i]));
      }
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
constexpr std::int64_t paddedHead(int headDim) { return (headDim + kSumLanes - 1) / kSumLanes * kSumLanes; }

// acc [R][paddedHead(headDim)] += Σ over p in [from, to) of weights[r][p - from] * value p, ascending.
template <class T, int R>
void sumRange(const AttentionTask& task, const float* const* weights, int from, int to, float* const* acc) {
  constexpr int kColumns = kVectorsAtOnce<R>;
  int column = 0;
  const auto vectorsLeft = [&] { return (task.headDim - column + int{kLanes} - 1) / int{kLanes}; };
  for (; vectorsLeft() >= kColumns; column += kColumns * int{kLanes})
    sumColumns<T, R, kColumns>(task, weights, from, to, column, acc);
  for (; vectorsLeft() >= 1; column += int{kLanes}) sumColumns<T, R, 1>(task, weights, from, to, column, acc);
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
