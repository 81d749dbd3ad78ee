// Attention over tiles of 128 positions (online_softmax-inl.h) with multiply-adds in float32: up to 32 rows
// take a tile together, four of them at a time. Positions of a tile that a row does not see weigh nothing and
// are not added. Within a tile the scores and values add as tile-inl.h says.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/attention/flash.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include <algorithm>
#include <array>
#include <type_traits>

#include "backends/cpu/attention/online_softmax-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr int kRows = 32;

// One tile, R rows, the First of those that share it or others. The rows may see different parts of it: a
// causal edge or a window's beginning may lie inside.
template <class T, int R, bool First>
void passTile(const AttentionTask& task, Row* rows, int tile) {
  const auto of = [&](auto member, int offset) {
    std::array<std::remove_reference_t<decltype(rows->*member)>, R> all;
    for (int r = 0; r < R; ++r) all[static_cast<std::size_t>(r)] = rows[r].*member + offset;
    return all;
  };
  Seen seen[R];
  int from = kTile, to = 0, commonFrom = 0, commonTo = kTile;
  for (int r = 0; r < R; ++r) {
    seen[r] = seenOf(rows[r], tile);
    if (seen[r].lo == seen[r].hi) continue;
    from = std::min(from, seen[r].lo);
    to = std::max(to, seen[r].hi);
  }
  if (from >= to) return;
  scoreRange<T, R, First>(task, of(&Row::q, 0).data(), tile + from, tile + to, of(&Row::scores, from).data());
  for (int r = 0; r < R; ++r) {
    if (seen[r].lo < seen[r].hi && !takeScores(rows[r], seen[r], task.headDim)) seen[r].hi = seen[r].lo;
    commonFrom = std::max(commonFrom, seen[r].lo);
    commonTo = std::min(commonTo, seen[r].hi);
  }
  // Positions that all rows see are summed together, the others row by row; each row's positions ascend.
  const auto alone = [&](int r, int begin, int end) {
    const float* weights = rows[r].scores + begin;
    if (begin < end) sumRange<T, 1>(task, &weights, tile + begin, tile + end, &rows[r].acc);
  };
  const bool together = commonFrom < commonTo;
  for (int r = 0; r < R; ++r) alone(r, seen[r].lo, together ? commonFrom : seen[r].hi);
  if (!together) return;
  sumRange<T, R>(task, of(&Row::scores, commonFrom).data(), tile + commonFrom, tile + commonTo,
                 of(&Row::acc, 0).data());
  for (int r = 0; r < R; ++r) alone(r, commonTo, seen[r].hi);
}

void attend(const AttentionTask& task) {
  withStored(task.kv.type, [&](auto stored) {
    using T = decltype(stored);
    inRows<kRows>(task, task.scratch, [&](Row* rows, int n) {
      overTiles(task, rows, n, [&](int tile) {
        inRowGroups(n, [&](int row, auto group) {
          row == 0 ? passTile<T, group(), true>(task, rows, tile)
                   : passTile<T, group(), false>(task, rows + row, tile);
        });
      });
    });
  });
}

int tokensAtOnce(int heads) { return std::max(1, kRows / heads); }
std::int64_t scratchFloats(int, int headDim, std::int64_t) { return kRows * rowFloats(headDim); }

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
