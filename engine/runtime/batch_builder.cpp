#include "runtime/batch_builder.h"

#include <algorithm>

#include "core/check.h"

namespace vitrine {

void BatchBuilder::clear() {
  m_tokens.clear();
  m_positions.clear();
  m_slots.clear();
  m_queryStart.assign(1, 0);
  m_contextLength.clear();
  m_logitRows.clear();
  m_tables.clear();
}

void BatchBuilder::add(std::span<const std::int32_t> tokens, int first, std::span<const std::int32_t> table) {
  const int end = first + static_cast<int>(tokens.size());
  VITRINE_CHECK(!tokens.empty() && static_cast<std::int64_t>(table.size()) * m_blockSize >= end);
  for (int position = first; position < end; ++position) {
    m_positions.push_back(position);
    m_slots.push_back(table[static_cast<std::size_t>(position / m_blockSize)] * m_blockSize +
                      position % m_blockSize);
  }
  m_tokens.insert(m_tokens.end(), tokens.begin(), tokens.end());
  m_queryStart.push_back(static_cast<std::int32_t>(m_tokens.size()));
  m_contextLength.push_back(end);
  m_tables.push_back(table);
}

void BatchBuilder::wantAllLogits() {
  for (std::size_t row = 0; row < m_tokens.size(); ++row)
    m_logitRows.push_back(static_cast<std::int32_t>(row));
}

RaggedBatch BatchBuilder::finish() {
  std::size_t width = 0;
  for (const auto& table : m_tables) width = std::max(width, table.size());
  m_blockTables.assign(width * m_tables.size(), -1);
  for (std::size_t i = 0; i < m_tables.size(); ++i) {
    std::ranges::copy(m_tables[i], m_blockTables.begin() + static_cast<std::ptrdiff_t>(i * width));
  }
  return {m_positions, m_slots, m_queryStart, m_contextLength, m_blockTables, static_cast<int>(width)};
}

}  // namespace vitrine
