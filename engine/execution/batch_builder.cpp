#include "execution/batch_builder.h"

#include <algorithm>

#include "core/check.h"

namespace vitrine {

void BatchBuilder::clear() {
  m_tokens.clear();
  m_positions.clear();
  m_rotaryPositions.clear();
  m_scores.clear();
  m_slots.clear();
  m_queryStart.assign(1, 0);
  m_contextLength.clear();
  m_logitRows.clear();
  m_tables.clear();
}

void BatchBuilder::add(std::span<const std::int32_t> tokens, int first, std::span<const std::int32_t> table,
                       int evicted, std::span<const int> starts) {
  const int begin = first - evicted, end = begin + static_cast<int>(tokens.size());
  VITRINE_CHECK(!tokens.empty() && begin >= 0 &&
                static_cast<std::int64_t>(table.size()) * m_blockSize >= end);
  VITRINE_CHECK(evicted == 0 || starts.size() == table.size());
  for (int position = begin; position < end; ++position) {
    m_positions.push_back(position);
    m_rotaryPositions.push_back(position + evicted);
    m_slots.push_back(table[static_cast<std::size_t>(position / m_blockSize)] * m_blockSize +
                      position % m_blockSize);
  }
  m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
  m_queryStart.push_back(static_cast<std::int32_t>(m_tokens.size()));
  m_contextLength.push_back(end);
  m_tables.push_back({table, evicted, starts});
}

void BatchBuilder::sumScores(float* scores, int width) {
  m_scores.resize(m_tables.size(), nullptr);
  m_scores.back() = scores;
  m_scoreWidth = width;
}

void BatchBuilder::wantAllLogits() {
  for (std::size_t row = 0; row < m_tokens.size(); ++row)
    m_logitRows.push_back(static_cast<std::int32_t>(row));
}

RaggedBatch BatchBuilder::finish() {
  std::size_t width = 0;
  bool whole = true;
  for (const Left& left : m_tables) {
    width = std::max(width, left.table.size());
    whole = whole && left.evicted == 0;
  }
  m_blockTables.assign(width * m_tables.size(), -1);
  m_blockShifts.assign(whole ? 0 : m_blockTables.size(), 0);
  for (std::size_t i = 0; i < m_tables.size(); ++i) {
    const Left& left = m_tables[i];
    std::ranges::copy(left.table, m_blockTables.begin() + static_cast<std::ptrdiff_t>(i * width));
    if (left.evicted == 0) continue;
    for (std::size_t place = 0; place < left.starts.size(); ++place) {
      const int before =
          left.starts[place] / m_blockSize - static_cast<int>(place);  // given up before this block
      m_blockShifts[i * width + place] = left.evicted / m_blockSize - before;
    }
  }
  RaggedBatch batch{m_positions,     m_slots,       m_queryStart,
                    m_contextLength, m_blockTables, static_cast<int>(width)};
  if (!m_scores.empty()) {
    m_scores.resize(m_tables.size(), nullptr);
    batch.attentionScores = m_scores;
    batch.scoreWidth = m_scoreWidth;
  }
  if (whole) return batch;
  batch.rotaryPositions = m_rotaryPositions;
  batch.blockShifts = m_blockShifts;
  return batch;
}

}  // namespace vitrine
