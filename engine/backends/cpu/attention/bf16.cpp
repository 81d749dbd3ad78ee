// Attention over tiles of 128 positions (online_softmax-inl.h) whose two products are those of
// bf16_products.h: queries, keys, probabilities and values are rounded to bfloat16 and their products added
// in float32, as PyTorch's attention in bfloat16 has it; softmax and what a row gathers stay float32. A
// tile's keys and values are packed into panels as weights are, once for up to 96 rows.
//
//   scores [rows, 128] = queries [rows, headDim] · keys      a tile's keys: 4 panels, headDim inputs
//   sums [rows, headDim] = probabilities [rows, 128] · values  a tile's values: headDim columns, 128 inputs
//
// The law holds within an instruction set, as for the products: a row of a product is the same in any
// company, and tiles lie where absolute positions say. A probability of a position that the row does not see
// is zero, which leaves a sum as it is but for the sign of a zero, so a zero is made positive before a row
// gathers it. What zero cannot leave as it is are values that are not finite: they are taken out of the
// panels, and added as floats to the rows that see them.
#include "backends/cpu/simd_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/cpu/attention/bf16.cpp"
#include "hwy/foreach_target.h"
// after foreach_target.h
#include <algorithm>
#include <cmath>

#include "backends/cpu/attention/online_softmax-inl.h"
#include "backends/cpu/bf16_products.h"

HWY_BEFORE_NAMESPACE();
namespace vitrine::cpu {
namespace HWY_NAMESPACE {
namespace {

constexpr int kRows = 96;
static_assert(kTile == kRoundedBlock && kTile % kPairedInputs == 0 && kTile % kPanelColumns == 0);

// The tasks' scratch behind the rows' own, in floats; every part begins with a cache line.
struct Parts {
  std::int64_t queries, weights, keys, values, products, all;
  std::int64_t queryBlocks, valuePanels;
  explicit Parts(int headDim)
      : queryBlocks((headDim + kRoundedBlock - 1) / kRoundedBlock),
        valuePanels((headDim + kPanelColumns - 1) / kPanelColumns) {
    const auto rounded = [](std::int64_t blocks) {
      return RoundedRows{kRows, rowStride(kRows), blocks}.valueCount() / 2;
    };
    queries = kRows * rowFloats(headDim);
    weights = queries + rounded(queryBlocks);
    keys = weights + rounded(1);
    values = keys + pairedInputs(headDim) / 2 * kTile;
    products = values + valuePanels * kPanelColumns * kTile / 2;
    all = products + kRows * std::max<std::int64_t>(kTile, paddedHead(headDim));
  }
};

// kLanes numbers of the cache in bfloat16, rounded to the nearest; a NaN stays one. Codes of int8 are exact.
HWY_INLINE hn::Vec<U32> bf16Bits(const std::uint16_t* from) {
  return hn::PromoteTo(U32(), hn::LoadU(U16(), from));
}
HWY_INLINE hn::Vec<U32> bf16Bits(const std::int8_t* from) {
  return hn::ShiftRight<16>(hn::BitCast(U32(), loadStored(from)));
}
HWY_INLINE hn::Vec<U32> bf16Bits(const float* from) {
  const U32 d;
  const Vec x = loadStored(from);
  const auto bits = hn::BitCast(d, x), upper = hn::ShiftRight<16>(bits);
  const auto half = hn::Add(hn::Set(d, 0x7FFFU), hn::And(upper, hn::Set(d, 1U)));
  return hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(x)), hn::Or(upper, hn::Set(d, 0x40U)),
                        hn::ShiftRight<16>(hn::Add(bits, half)));
}

// Pairs of the first `count` lanes to a panel.
HWY_INLINE void storePairs(hn::Vec<U32> firsts, hn::Vec<U32> seconds, int count, std::uint16_t* to) {
  const U32 d;
  const auto pairs = hn::Or(firsts, hn::ShiftLeft<16>(seconds));
  auto* const at = reinterpret_cast<std::uint32_t*>(to);
  if (count == int{kLanes})
    hn::StoreU(pairs, d, at);
  else
    hn::BlendedStore(pairs, hn::FirstN(d, static_cast<std::size_t>(count)), d, at);
}

// A task's tile in panels, and what has become of its rows.
template <class T>
class Tile {
 public:
  Tile(const AttentionTask& task, const Parts& parts, int rows)
      : m_task(task),
        m_valuePanels(parts.valuePanels),
        m_queries{rows, rowStride(rows), parts.queryBlocks, roundedAt(parts.queries)},
        m_weights{rows, rowStride(rows), 1, roundedAt(parts.weights)},
        m_keys(roundedAt(parts.keys)),
        m_values(roundedAt(parts.values)),
        m_products(task.scratch + parts.products) {
    // Inputs behind a head's last one.
    const std::int64_t inputs = pairedInputs(task.headDim);
    if (inputs != task.headDim) std::fill_n(m_keys, inputs * kTile, std::uint16_t{0});
  }

  void pass(Row* rows, int tile) {
    Seen seen[kRows];
    int from = kTile, to = 0;
    for (int r = 0; r < count(); ++r) {
      seen[r] = seenOf(rows[r], tile);
      if (seen[r].lo == seen[r].hi) continue;
      from = std::min(from, seen[r].lo);
      to = std::max(to, seen[r].hi);
    }
    if (from >= to) return;
    packKeys(tile, from, to);
    score(rows, tile, from, to);
    const int inputs = (to + int{kPairedInputs} - 1) / int{kPairedInputs} * int{kPairedInputs};
    packValues(tile, from, to, inputs);
    for (int r = 0; r < count(); ++r) {
      if (seen[r].lo < seen[r].hi && !takeScores(rows[r], seen[r], m_task.headDim)) seen[r].hi = seen[r].lo;
      weigh(rows[r], seen[r], r);
    }
    multiply({{m_task.headDim, nullptr, m_products, paddedHead(m_task.headDim)}, m_weights, m_values, inputs},
             0, m_valuePanels);
    for (int r = 0; r < count(); ++r) gather(rows[r], r);
    if (m_anyLeftOut)
      for (int r = 0; r < count(); ++r) gatherLeftOut(rows[r], seen[r], tile);
  }

 private:
  int count() const { return static_cast<int>(m_queries.rows); }
  std::uint16_t* roundedAt(std::int64_t floats) const {
    return reinterpret_cast<std::uint16_t*>(m_task.scratch + floats);
  }

  void multiply(const Bf16Task& product, std::int64_t panelBegin, std::int64_t panelEnd) const {
    for (std::int64_t first = 0; first < count(); first += m_kernels.rowsAtOnce)
      m_kernels.multiply(product, panelBegin, panelEnd, first,
                         std::min<std::int64_t>(first + m_kernels.rowsAtOnce, count()));
  }

  // Positions [from, to) of the tile; those before and behind leave columns whose scores are not read.
  void packKeys(int tile, int from, int to) {
    const std::int64_t panel = pairedInputs(m_task.headDim) * kPanelColumns, blockSize = m_task.blockSize;
    forEachBlock(m_task, tile + from, tile + to, [&](std::int64_t block, int slot, int position, int length) {
      const T* const keys = inBlock<T>(m_task.kv.keys, block) + slot;
      if constexpr (kQuantized<T>)
        std::copy_n(inBlock<float>(m_task.kv.keyScales, block) + slot, length,
                    m_keyScales + (position - tile));
      // While a block's keys are packed, the next one's are asked for, and its own values, which are packed
      // behind the scores (as scoreStrips() does).
      const int next = std::min(position + length, m_task.lastVisible()) / m_task.blockSize;
      const char* const nextKeys =
          inBlock<char>(m_task.kv.keys, m_task.kv.table[next] * m_task.kv.blockBytes);
      const char* const values = inBlock<char>(m_task.kv.values, block);
      const std::int64_t ofPair = 2 * blockSize * std::int64_t{sizeof(T)};
      const auto fetch = [&](int input) {
        for (std::int64_t line = input / 2 * ofPair; line < (input / 2 + 1) * ofPair; line += 64) {
          __builtin_prefetch(nextKeys + line, 0, 2);
          __builtin_prefetch(values + line, 0, 2);
        }
      };
      for (int i = 0; i < length;) {
        const int column = (position - tile + i) % int{kPanelColumns};
        const int here = std::min({int{kLanes}, length - i, int{kPanelColumns} - column});
        std::uint16_t* at = m_keys + (position - tile + i) / kPanelColumns * panel + column * 2;
        const T* key = keys + i;
        int input = 0;
        for (; input + 1 < m_task.headDim; input += 2, at += kPanelColumns * 2, key += 2 * blockSize) {
          storePairs(bf16Bits(key), bf16Bits(key + blockSize), here, at);
          if (i == 0) fetch(input);
        }
        if (input < m_task.headDim) storePairs(bf16Bits(key), hn::Zero(U32()), here, at);
        i += here;
      }
    });
  }

  const T* valueAt(int position) const {
    const std::int64_t block = m_task.kv.table[position / m_task.blockSize] * m_task.kv.blockBytes;
    return inBlock<T>(m_task.kv.values, block) + std::int64_t{position % m_task.blockSize} * m_task.headDim;
  }

  // Positions [from, to) of the tile, and zeros for the others of [0, inputs).
  void packValues(int tile, int from, int to, int inputs) {
    const U32 d;
    m_anyLeftOut = false;
    if constexpr (kQuantized<T>)
      forEachBlock(m_task, tile + from, tile + to,
                   [&](std::int64_t block, int slot, int position, int length) {
                     std::copy_n(inBlock<float>(m_task.kv.valueScales, block) + slot, length,
                                 m_valueScales + (position - tile));
                   });
    const auto notFinite = hn::Set(d, 0x7F80U);  // and what else has its exponent
    auto largest = hn::Zero(d);
    for (int position = 0; position < inputs; position += 2) {
      const T* const first = from <= position && position < to ? valueAt(tile + position) : nullptr;
      const T* const second =
          from <= position + 1 && position + 1 < to ? valueAt(tile + position + 1) : nullptr;
      for (int column = 0; column < m_task.headDim; column += int{kLanes}) {
        const auto firsts = first != nullptr ? bf16Bits(first + column) : hn::Zero(d);
        const auto seconds = second != nullptr ? bf16Bits(second + column) : hn::Zero(d);
        largest = hn::Max(largest, hn::Max(hn::And(firsts, notFinite), hn::And(seconds, notFinite)));
        storePairs(firsts, seconds, int{kLanes}, valuePair(position, column, inputs));
      }
    }
    if (!kQuantized<T> && !hn::AllFalse(d, hn::Eq(largest, notFinite))) leaveOut(from, to, inputs);
  }
  std::uint16_t* valuePair(int position, int column, int inputs) const {
    return m_values + (column / kPanelColumns * inputs + position / 2 * 2) * kPanelColumns +
           column % kPanelColumns * 2;
  }

  // Takes what is not finite out of the panels.
  void leaveOut(int from, int to, int inputs) {
    for (int position = from; position < to; ++position) {
      m_leftOut[position] = false;
      for (int column = 0; column < m_task.headDim; ++column) {
        std::uint16_t& number = valuePair(position, column, inputs)[position % 2];
        if ((number & 0x7F80U) != 0x7F80U) continue;
        number = 0;
        m_leftOut[position] = m_anyLeftOut = true;
      }
    }
  }
  void gatherLeftOut(const Row& row, const Seen& seen, int tile) const {
    const F32 d;
    for (int position = seen.lo; position < seen.hi; ++position) {
      if (!m_leftOut[position]) continue;
      HWY_ALIGN float values[kLanes];
      for (int column = 0; column < m_task.headDim; column += int{kLanes}) {
        const auto bits = bf16Bits(valueAt(tile + position) + column);
        hn::Store(hn::BitCast(d, hn::ShiftLeft<16>(bits)), d, values);
        for (int i = 0; i < std::min(int{kLanes}, m_task.headDim - column); ++i)
          if (!std::isfinite(values[i])) row.acc[column + i] += row.scores[position] * values[i];
      }
    }
  }

  // Scores of positions [from, to); where the context has lost blocks, each stretch of them with one shift
  // meets queries turned for it.
  void score(Row* rows, int tile, int from, int to) {
    float factors[kTile];
    for (int i = from; i < to; ++i) factors[i] = kQuantized<T> ? m_task.scale * m_keyScales[i] : m_task.scale;
    forEachShift(m_task, tile + from, tile + to, [&](int first, int last, std::int32_t shift) {
      const int begin = first - tile, end = last - tile;
      roundQueries(rows, shift);
      multiply({{kTile, nullptr, m_products, kTile}, m_queries, m_keys, pairedInputs(m_task.headDim)},
               begin / kPanelColumns, (end + kPanelColumns - 1) / kPanelColumns);
      for (int r = 0; r < count(); ++r)
        for (int i = begin; i < end; ++i) rows[r].scores[i] = m_products[r * kTile + i] * factors[i];
    });
  }

  void roundQueries(const Row* rows, std::int32_t shift) {
    if (m_turnedBy == shift) return;
    m_turnedBy = shift;
    for (int r = 0; r < count(); ++r)
      m_kernels.round(turnedQuery(m_task, rows[r].q, shift, 0), m_task.headDim, m_queries, r);
  }

  // The row's probabilities, with the scales of the values, as the second product reads them.
  void weigh(const Row& row, const Seen& seen, int r) {
    std::fill(row.scores, row.scores + seen.lo, 0.0f);
    std::fill(row.scores + seen.hi, row.scores + kTile, 0.0f);
    if constexpr (kQuantized<T>)
      for (int i = seen.lo; i < seen.hi; ++i) row.scores[i] *= m_valueScales[i];
    m_kernels.round(row.scores, kTile, m_weights, r);
  }

  void gather(const Row& row, int r) const {
    const float* const sums = m_products + r * paddedHead(m_task.headDim);
    for (int i = 0; i < m_task.headDim; ++i) row.acc[i] += sums[i] + 0.0f;
  }

  const AttentionTask& m_task;
  const Bf16Kernels& m_kernels = *bf16Kernels().front();
  const std::int64_t m_valuePanels;
  RoundedRows m_queries, m_weights;
  std::uint16_t *m_keys, *m_values;                // panels
  float* m_products;                               // [rows][128], then [rows][paddedHead]
  std::int32_t m_turnedBy = -1;                    // the queries, in blocks; -1: there are none yet
  float m_keyScales[kTile], m_valueScales[kTile];  // of int8, by position
  bool m_anyLeftOut = false, m_leftOut[kTile];     // by position
};

void attend(const AttentionTask& task) {
  const Parts parts(task.headDim);
  withStored(task.kv.type, [&](auto stored) {
    inRows<kRows>(task, task.scratch, [&](Row* rows, int n) {
      Tile<decltype(stored)> tile(task, parts, n);
      overTiles(task, rows, n, [&](int at) { tile.pass(rows, at); });
    });
  });
}

int tokensAtOnce(int heads) { return std::max(1, kRows / heads); }
std::int64_t scratchFloats(int, int headDim, std::int64_t) { return Parts(headDim).all; }

}  // namespace

const AttentionKernel* bf16Table() {
  static constexpr AttentionKernel table = {tokensAtOnce, scratchFloats, attend, false};
  return &table;
}

}  // namespace HWY_NAMESPACE
}  // namespace vitrine::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vitrine::cpu {
HWY_EXPORT(bf16Table);
const AttentionKernel& bf16Attention() { return *HWY_DYNAMIC_DISPATCH(bf16Table)(); }
}  // namespace vitrine::cpu
#endif
