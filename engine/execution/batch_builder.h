// BatchBuilder: collects the work of a step and lays it out as one ragged batch, as backends expect it.
//
// Chunks of prompts and single decoded tokens stand one after another; they differ only in the position of
// each token in its sequence and in the blocks that it may see. Keeps its memory from step to step. Thread:
// the engine's. Read next: backends/backend.h, model_runner.h.
#pragma once

#include <span>
#include <vector>

#include "backends/backend.h"

namespace vitrine {

class BatchBuilder {
 public:
  explicit BatchBuilder(int blockSize) : m_blockSize(blockSize) {}

  void clear();
  // The next tokens of a sequence, at positions from `first`. The table has the blocks of all positions
  // before their end, and must stay valid until finish(). For a sequence with `evicted` tokens the table has
  // the remaining blocks, and `starts` the first position in each of them.
  void add(std::span<const std::int32_t> tokens, int first, std::span<const std::int32_t> table,
           int evicted = 0, std::span<const int> starts = {});
  // Where the attention scores of the last sequence added are summed (backend.h).
  void sumScores(float* scores, int width);
  // Asks for the logits of the last rows added.
  void wantLogits(int rows = 1) {
    for (int row = rows; row > 0; --row)
      m_logitRows.push_back(static_cast<std::int32_t>(m_tokens.size()) - row);
  }
  void wantAllLogits();
  // The batch; good until clear() or add().
  RaggedBatch finish();

  std::span<const std::int32_t> tokens() const { return m_tokens; }
  std::span<const std::int32_t> logitRows() const { return m_logitRows; }
  // The row of each added sequence's last token.
  std::int32_t lastRow(std::size_t sequence) const { return m_queryStart[sequence + 1] - 1; }

 private:
  const int m_blockSize;
  std::vector<std::int32_t> m_tokens, m_positions, m_slots, m_queryStart, m_contextLength, m_logitRows;
  std::vector<std::int32_t> m_rotaryPositions;
  std::vector<float*> m_scores;  // [S]; empty when attention is not measured
  int m_scoreWidth = 0;
  struct Left {
    std::span<const std::int32_t> table;
    int evicted;
    std::span<const int> starts;
  };
  std::vector<Left> m_tables;
  std::vector<std::int32_t> m_blockTables;  // [S, width], padded with -1
  std::vector<std::int32_t> m_blockShifts;  // [S, width]; empty while no sequence has given anything up
};

}  // namespace vitrine
