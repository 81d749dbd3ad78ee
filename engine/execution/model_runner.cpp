#include "execution/model_runner.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.h"

namespace vitrine {
float l2Norm(std::span<const float> state) {
  return static_cast<float>(std::sqrt(std::inner_product(state.begin(), state.end(), state.begin(), 0.0)));
}

ModelRunner::ModelRunner(std::shared_ptr<Backend> backend, std::shared_ptr<Decoder> decoder, const Kv& kv)
    : m_backend(std::move(backend)),
      m_decoder(std::move(decoder)),
      m_kv(kv),
      m_cache(m_backend->allocateKv(m_decoder->kvShape(kv.numBlocks, kv.blockSize, kv.type))),
      m_batch(kv.blockSize),
      m_early(kv.blockSize),
      m_next(kv.blockSize),
      m_logits(*m_backend, *m_decoder) {}

void ModelRunner::copyBlocks(const StepPlan& plan) {
  m_copies.clear();
  for (const KvBlocks::Copy& copy : plan.copies) m_copies.push_back({copy.from, copy.to});
  if (!m_copies.empty()) m_backend->copyBlocks(*m_cache, m_copies);
  m_rowsOf.clear();
  m_stateRows = 0;
}

std::span<const float> ModelRunner::exitEarly(const StepPlan& plan, std::span<const EarlyRow> rows,
                                              int exitLayer) {
  if (m_rowsOf.empty()) {  // the step's first round: every token of the plan will have one state
    m_rowsOf.resize(plan.work.size());
    m_exitLayer = exitLayer;
    reserveStates(plan.tokens());
  }
  m_early.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto at = static_cast<std::size_t>(rows[i].work);
    const Work& work = plan.work[at];
    const int position = work.firstPosition + static_cast<int>(m_rowsOf[at].size());
    m_early.add(std::span(&rows[i].token, 1), position, work.sequence->blockTable);
    m_early.wantLogits();
    m_rowsOf[at].push_back(static_cast<std::int32_t>(m_stateRows + static_cast<std::int64_t>(i)));
  }
  const auto count = static_cast<std::int64_t>(rows.size());
  const TensorView states = m_states.view().rows(m_stateRows, count);
  m_stateRows += count;
  m_decoder->embed(m_early.tokens(), states);
  m_decoder->runLayers({0, exitLayer}, m_early.finish(), *m_cache, states);
  const TensorView logits = m_decoder->head(m_early.logitRows());
  m_earlyLogits.resize(static_cast<std::size_t>(logits.elements()));
  m_backend->download(logits, m_earlyLogits.data());
  return m_earlyLogits;
}

void ModelRunner::reserveStates(std::int64_t rows) {
  if (rows <= m_stateRoom) return;
  const std::int64_t width = m_decoder->config().hiddenSize;
  m_states = m_backend->allocate(DType::kF32, {rows, width});
  m_ordered = m_backend->allocate(DType::kF32, {rows, width});
  m_stateRoom = rows;
}

// The last row of each work passes through every layer of its batch, so taps look there.
LayerObserver ModelRunner::watch(const StepPlan& plan, std::span<const int> layers, const Tap& tap,
                                 const BatchBuilder& batch) {
  if (layers.empty()) return {};
  return {.hidden = [this, &plan, layers, &tap, &batch](int layer, const TensorView& hidden) {
    if (std::ranges::find(layers, layer) == layers.end()) return;
    m_hidden.resize(static_cast<std::size_t>(hidden.extent(1)));
    for (std::size_t i = 0; i < plan.work.size(); ++i) {
      m_backend->download(hidden.rows(batch.lastRow(i), 1), m_hidden.data());
      tap(plan.work[i], layer, l2Norm(m_hidden));
    }
  }};
}

void ModelRunner::forward(const StepPlan& plan, std::span<const RowWish> wishes, std::span<const int> layers,
                          const Tap& tap) {
  m_batch.clear();
  for (const Work& work : plan.work) {
    Sequence& sequence = *work.sequence;
    const auto first = static_cast<std::size_t>(work.firstPosition),
               known = static_cast<std::size_t>(work.tokens - work.draftTokens);
    VITRINE_CHECK(static_cast<std::size_t>(work.draftTokens) == sequence.draft.size());
    m_tokens.assign(sequence.tokens.begin() + work.firstPosition,
                    sequence.tokens.begin() + static_cast<std::ptrdiff_t>(first + known));
    m_tokens.insert(m_tokens.end(), sequence.draft.begin(), sequence.draft.end());
    m_batch.add(m_tokens, work.firstPosition, sequence.blockTable, sequence.evictedTokens,
                sequence.blockStarts);
    if (work.samples) m_batch.wantLogits(1 + work.draftTokens);
    if (m_kv.scoredBlocks == 0) continue;
    const ModelConfig& config = m_decoder->config();
    sequence.attentionScores.resize(static_cast<std::size_t>(config.layers) *
                                    static_cast<std::size_t>(config.kvHeads) *
                                    static_cast<std::size_t>(m_kv.scoredBlocks));
    m_batch.sumScores(sequence.attentionScores.data(), m_kv.scoredBlocks);
  }
  if (m_stateRows > 0) finishStates(plan, watch(plan, layers, tap, m_early));
  const LayerObserver observer = watch(plan, layers, tap, m_batch);
  const TensorView logits = m_stateRows > 0 ? forwardAbove(observer)
                                            : m_decoder->forward(m_batch.tokens(), m_batch.finish(), *m_cache,
                                                                 m_batch.logitRows(), observer);
  if (m_batch.logitRows().empty()) return m_logits.forget();
  m_logits.take(logits, wishes);
}

void ModelRunner::beginNext(std::span<const NextToken> tokens) {
  m_next.clear();
  for (const NextToken& token : tokens) {
    const TokenId id = m_logits.nextToken(token.row);
    m_next.add(std::span(&id, 1), token.position, token.table);
    m_next.wantLogits();
  }
  m_logits.drop();
  m_logits.giveTokens();
  m_logits.begin(m_decoder->forward(m_next.tokens(), m_next.finish(), *m_cache, m_next.logitRows()));
}

int ModelRunner::rowsOf(int nextTokens) const {
  return static_cast<int>(m_decoder->paddedRows(nextTokens, nextTokens));
}

int ModelRunner::rowsOf(const StepPlan& plan) const {
  const auto tokens = std::int64_t{plan.tokens()};
  return static_cast<int>(
      m_stateRows > 0 ? tokens : m_decoder->paddedRows(tokens, static_cast<std::int64_t>(plan.work.size())));
}

// Below the exit layer: the rows of the batch that no round of drafting has computed.
void ModelRunner::finishStates(const StepPlan& plan, const LayerObserver& observer) {
  m_early.clear();
  for (std::size_t i = 0; i < plan.work.size(); ++i) {
    const Work& work = plan.work[i];
    const int known = static_cast<int>(m_rowsOf[i].size());
    const int first = m_batch.lastRow(i) + 1 - work.tokens + known;
    m_early.add(m_batch.tokens().subspan(static_cast<std::size_t>(first),
                                         static_cast<std::size_t>(work.tokens - known)),
                work.firstPosition + known, work.sequence->blockTable);
    for (int row = known; row < work.tokens; ++row)
      m_rowsOf[i].push_back(static_cast<std::int32_t>(m_stateRows++));
  }
  const auto count = static_cast<std::int64_t>(m_early.tokens().size());
  const TensorView states = m_states.view().rows(m_stateRows - count, count);
  m_decoder->embed(m_early.tokens(), states);
  m_decoder->runLayers({0, m_exitLayer}, m_early.finish(), *m_cache, states, observer);
}

// Above it: all rows, each with the state it has.
TensorView ModelRunner::forwardAbove(const LayerObserver& observer) {
  m_order.clear();
  for (const auto& rows : m_rowsOf) m_order.insert(m_order.end(), rows.begin(), rows.end());
  const TensorView states = m_ordered.view().rows(0, m_stateRows);
  m_backend->gatherRows(m_states.view(), m_order, states);
  m_decoder->runLayers({m_exitLayer, m_decoder->config().layers}, m_batch.finish(), *m_cache, states,
                       observer);
  return m_decoder->head(m_batch.logitRows());
}

void ModelRunner::fillKv(std::span<const TokenId> tokens, int first, std::span<const BlockId> table) {
  m_batch.clear();
  m_batch.add(tokens, first, table);
  m_decoder->forward(m_batch.tokens(), m_batch.finish(), *m_cache, {});
}

std::unique_ptr<KvCache> ModelRunner::kvOf(std::span<const TokenId> tokens, int chunk) {
  return forwardAlone(tokens, chunk, false, {});
}

// Without blocks to share, the table is 0, 1, 2, ...: a contiguous cache.
std::unique_ptr<KvCache> ModelRunner::eachChunkAlone(std::span<const TokenId> tokens, int chunk,
                                                     const ComputeChunk& compute) {
  const int count = static_cast<int>(tokens.size());
  const int blocks = (count + m_kv.blockSize - 1) / m_kv.blockSize;
  std::unique_ptr<KvCache> cache =
      m_backend->allocateKv(m_decoder->kvShape(blocks, m_kv.blockSize, m_kv.type));
  std::vector<BlockId> table(static_cast<std::size_t>(blocks));
  std::iota(table.begin(), table.end(), 0);
  BatchBuilder batch(m_kv.blockSize);
  for (int first = 0; first < count; first += chunk) {
    const int size = std::min(chunk, count - first);
    batch.clear();
    batch.add(tokens.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(size)), first, table);
    compute(batch, *cache, first, first + size == count);
  }
  return cache;
}

std::unique_ptr<KvCache> ModelRunner::forwardAlone(std::span<const TokenId> tokens, int chunk, bool allLogits,
                                                   const LayerObserver& observer,
                                                   const std::function<void(const Chunk&)>& done) {
  return eachChunkAlone(tokens, chunk, [&](BatchBuilder& batch, KvCache& cache, int first, bool isLast) {
    if (allLogits)
      batch.wantAllLogits();
    else if (isLast)
      batch.wantLogits();
    const TensorView logits =
        m_decoder->forward(batch.tokens(), batch.finish(), cache, batch.logitRows(), observer);
    if (done) done({logits, first, static_cast<int>(batch.tokens().size())});
  });
}

ForwardReport ModelRunner::examine(std::span<const TokenId> tokens, bool hiddenStates, int chunk) {
  ForwardReport report;
  LayerObserver observer;
  if (hiddenStates) {
    observer.hidden = [&](int layer, const TensorView& hidden) {
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
      requireNumbers(logits);
    }
  });
  return report;
}

void ModelRunner::observeAlone(std::span<const TokenId> tokens, int chunk, int layers,
                               const LayerObserver& observer) {
  const auto rows = std::min<std::int64_t>(chunk, static_cast<std::int64_t>(tokens.size()));
  const Tensor states = m_backend->allocate(DType::kF32, {rows, m_decoder->config().hiddenSize});
  eachChunkAlone(tokens, chunk, [&](BatchBuilder& batch, KvCache& cache, int, bool) {
    const TensorView hidden = states.view().rows(0, static_cast<std::int64_t>(batch.tokens().size()));
    m_decoder->embed(batch.tokens(), hidden);
    m_decoder->runLayers({0, layers}, batch.finish(), cache, hidden, observer);
  });
}

std::vector<float> ModelRunner::lastLogits(std::span<const TokenId> tokens, int chunk) {
  std::vector<float> last(static_cast<std::size_t>(m_decoder->config().vocabularySize));
  forwardAlone(tokens, chunk, false, {}, [&](const Chunk& part) {
    if (part.first + part.count == static_cast<int>(tokens.size()))
      m_backend->download(part.logits, last.data());
  });
  requireNumbers(last);
  return last;
}

}  // namespace vitrine
