// WatchedBackend: keeps the last ragged batch that another backend was given, for tests of what says the
// same.
#pragma once

#include <algorithm>
#include <vector>

#include "support/forwarding_backend.h"

namespace vitrine::test {

// A batch as vectors, and the rows whose logits were computed.
struct KernelBatch {
  std::vector<std::int32_t> tokens, positions, rotary, slotNumbers, queryStart, contextLength, logitRows;
  std::vector<std::vector<std::int32_t>> tables;  // without the padding
  bool tokensKnown = true;  // a verification behind an early exit embeds a part of its tokens alone

  bool operator==(const KernelBatch&) const = default;
};

inline std::vector<std::int32_t> copyOf(std::span<const std::int32_t> values) {
  return {values.begin(), values.end()};
}

// Keeps the batch that it was given last, and what was asked for with it.
class WatchedBackend final : public ForwardingBackend {
 public:
  WatchedBackend(std::unique_ptr<Backend> inner, std::shared_ptr<KernelBatch> last, int hiddenSize)
      : ForwardingBackend(std::move(inner)), m_last(std::move(last)), m_hiddenSize(hiddenSize) {}

  void embed(std::span<const std::int32_t> ids, const TensorView& table, const TensorView& out) override {
    m_embedded = copyOf(ids);
    ForwardingBackend::embed(ids, table, out);
  }
  void beginStep(const RaggedBatch& batch) override {
    *m_last = {m_embedded,
               copyOf(batch.positions),
               copyOf(batch.rotaryPositions.empty() ? batch.positions : batch.rotaryPositions),
               copyOf(batch.slots),
               copyOf(batch.queryStart),
               copyOf(batch.contextLength),
               {},
               {},
               m_embedded.size() == batch.positions.size()};
    const auto width = static_cast<std::size_t>(batch.tableWidth);
    for (std::size_t i = 0; i < batch.contextLength.size(); ++i) {
      std::vector<std::int32_t> table = copyOf(batch.blockTables.subspan(i * width, width));
      std::erase(table, -1);
      m_last->tables.push_back(std::move(table));
    }
    ForwardingBackend::beginStep(batch);
  }
  // The head picks its rows from the hidden states; other tables have another width.
  void gatherRows(const TensorView& x, std::span<const std::int32_t> rows, const TensorView& out) override {
    if (x.extent(1) == m_hiddenSize) m_last->logitRows = copyOf(rows);
    ForwardingBackend::gatherRows(x, rows, out);
  }

 private:
  const std::shared_ptr<KernelBatch> m_last;
  const int m_hiddenSize;
  std::vector<std::int32_t> m_embedded;
};

}  // namespace vitrine::test
