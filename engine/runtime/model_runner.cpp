#include "runtime/model_runner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"

namespace vitrine {

ModelRunner::ModelRunner(std::unique_ptr<Backend> backend, std::unique_ptr<Decoder> decoder, int numBlocks,
                         int blockSize)
    : m_backend(std::move(backend)),
      m_decoder(std::move(decoder)),
      m_blockSize(blockSize),
      m_cache(m_backend->allocateKv(m_decoder->kvShape(numBlocks, blockSize))),
      m_batch(blockSize) {}

void ModelRunner::forward(const StepPlan& plan, std::span<const int> layers, const Tap& tap) {
  m_copies.clear();
  for (const KvBlocks::Copy& copy : plan.copies) m_copies.push_back({copy.from, copy.to});
  if (!m_copies.empty()) m_backend->copyBlocks(*m_cache, m_copies);

  m_batch.clear();
  for (const Work& work : plan.work) {
    const Sequence& sequence = *work.sequence;
    const auto first = static_cast<std::size_t>(work.firstPosition),
               count = static_cast<std::size_t>(work.tokens);
    m_batch.add(std::span(sequence.tokens).subspan(first, count), work.firstPosition, sequence.blockTable);
    if (work.samples) m_batch.wantLogits();
  }

  LayerObserver observer;
  if (!layers.empty()) {
    observer = [&](int layer, const TensorView& hidden) {  // hidden [T, hidden]
      if (std::ranges::find(layers, layer) == layers.end()) return;
      m_hidden.resize(static_cast<std::size_t>(hidden.extent(1)));
      for (std::size_t i = 0; i < plan.work.size(); ++i) {
        m_backend->download(hidden.rows(m_batch.lastRow(i), 1), m_hidden.data());
        const double square = std::inner_product(m_hidden.begin(), m_hidden.end(), m_hidden.begin(), 0.0);
        tap(plan.work[i], layer, static_cast<float>(std::sqrt(square)));
      }
    };
  }
  const TensorView logits =
      m_decoder->forward(m_batch.tokens(), m_batch.finish(), *m_cache, m_batch.logitRows(), observer);
  if (m_batch.logitRows().empty()) return;
  m_logits.resize(static_cast<std::size_t>(logits.elements()));
  m_backend->download(logits, m_logits.data());
}

std::span<const float> ModelRunner::logits(int i) const {
  const auto vocabulary = static_cast<std::size_t>(m_decoder->config().vocabularySize);
  return std::span(m_logits).subspan(static_cast<std::size_t>(i) * vocabulary, vocabulary);
}

// Without blocks to share, the table is 0, 1, 2, ...: a contiguous cache.
void ModelRunner::forwardAlone(std::span<const TokenId> tokens, int chunk, bool allLogits,
                               const LayerObserver& observer, const std::function<void(const Chunk&)>& done) {
  const int count = static_cast<int>(tokens.size());
  const int blocks = (count + m_blockSize - 1) / m_blockSize;
  const std::unique_ptr<KvCache> cache = m_backend->allocateKv(m_decoder->kvShape(blocks, m_blockSize));
  std::vector<BlockId> table(static_cast<std::size_t>(blocks));
  std::iota(table.begin(), table.end(), 0);
  BatchBuilder batch(m_blockSize);
  for (int first = 0; first < count; first += chunk) {
    const int size = std::min(chunk, count - first);
    batch.clear();
    batch.add(tokens.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)), first, table);
    if (allLogits)
      batch.wantAllLogits();
    else if (first + size == count)
      batch.wantLogits();
    const TensorView logits =
        m_decoder->forward(batch.tokens(), batch.finish(), *cache, batch.logitRows(), observer);
    done({logits, first, size});
  }
}

ForwardReport ModelRunner::examine(std::span<const TokenId> tokens, bool hiddenStates, int chunk) {
  ForwardReport report;
  LayerObserver observer;
  if (hiddenStates) {
    observer = [&](int layer, const TensorView& hidden) {
      if (report.hidden.size() <= static_cast<std::size_t>(layer))
        report.hidden.resize(static_cast<std::size_t>(layer) + 1);
      std::vector<float>& all = report.hidden[static_cast<std::size_t>(layer)];
      all.resize(all.size() + static_cast<std::size_t>(hidden.elements()));
      m_backend->download(hidden, all.data() + all.size() - hidden.elements());
    };
  }
  forwardAlone(tokens, chunk, true, observer, [&](const Chunk& part) {
    for (int row = 0; row < part.count; ++row) {
      std::vector<float>& logits =
          report.logits.emplace_back(static_cast<std::size_t>(part.logits.extent(1)));
      m_backend->download(part.logits.rows(row, 1), logits.data());
    }
  });
  return report;
}

std::vector<float> ModelRunner::lastLogits(std::span<const TokenId> tokens, int chunk) {
  std::vector<float> last(static_cast<std::size_t>(m_decoder->config().vocabularySize));
  forwardAlone(tokens, chunk, false, {}, [&](const Chunk& part) {
    if (part.first + part.count == static_cast<int>(tokens.size()))
      m_backend->download(part.logits, last.data());
  });
  return last;
}

}  // namespace vitrine
