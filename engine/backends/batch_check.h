// What every backend requires of a RaggedBatch before it reads it.
#pragma once

#include <algorithm>

#include "backends/backend.h"

namespace vitrine {

// The positions that the longest context has. A batch that contradicts itself is a bug (VITRINE_CHECK).
inline std::int64_t checkedContext(const RaggedBatch& batch) {
  const std::size_t tokens = batch.positions.size(), sequences = batch.contextLength.size();
  VITRINE_CHECK(batch.slots.size() == tokens);
  VITRINE_CHECK(batch.queryStart.size() == sequences + 1 || (sequences == 0 && batch.queryStart.empty()));
  VITRINE_CHECK(batch.tableWidth >= 0 &&
                batch.blockTables.size() == sequences * static_cast<std::size_t>(batch.tableWidth));
  VITRINE_CHECK(batch.rotaryPositions.empty() || batch.rotaryPositions.size() == tokens);
  VITRINE_CHECK(batch.blockShifts.empty() || batch.blockShifts.size() == batch.blockTables.size());
  VITRINE_CHECK(batch.attentionScores.empty() ||
                (batch.attentionScores.size() == sequences && batch.scoreWidth >= batch.tableWidth));
  std::int64_t mostContext = 0;
  VITRINE_CHECK(batch.queryStart.empty() ? tokens == 0 : batch.queryStart.front() == 0);
  for (std::size_t s = 0; s < sequences; ++s) {
    const std::int32_t begin = batch.queryStart[s], end = batch.queryStart[s + 1];
    VITRINE_CHECK(begin >= 0 && begin <= end && static_cast<std::size_t>(end) <= tokens);
    for (std::int32_t token = begin; token < end; ++token) {
      const std::int32_t position = batch.positions[static_cast<std::size_t>(token)];
      VITRINE_CHECK(position >= 0 && position < batch.contextLength[s]);
      mostContext = std::max<std::int64_t>(mostContext, position + 1);
    }
  }
  VITRINE_CHECK(sequences == 0 || static_cast<std::size_t>(batch.queryStart[sequences]) == tokens);
  return mostContext;
}

}  // namespace vitrine
