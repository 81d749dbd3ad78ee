#include "speculation/model_drafter.h"

#include <algorithm>

namespace vitrine {

ModelDrafter::ModelDrafter(Backend& backend, std::shared_ptr<Decoder> decoder, int numBlocks, int blockSize,
                           int chunk)
    : m_backend(backend),
      m_decoder(std::move(decoder)),
      m_blockSize(blockSize),
      m_chunk(chunk),
      m_cache(backend.allocateKv(m_decoder->kvShape(numBlocks, blockSize))),
      m_pool(numBlocks),
      m_batch(blockSize) {}

void ModelDrafter::retain(std::span<Sequence* const> running) {
  std::erase_if(m_contexts, [&](const auto& item) {
    if (std::ranges::find(running, item.first, &Sequence::id) != running.end()) return false;
    for (BlockId block : item.second.table) m_pool.release(block, BlockPool::End::kFront);
    return true;
  });
}

// The last token of a draft is never computed here, so `most` tokens need room for one less.
DraftOffer ModelDrafter::canPropose(const Sequence& sequence, int most) {
  std::vector<BlockId>& table = m_contexts[sequence.id].table;
  const int total = sequence.totalTokens(), held = static_cast<int>(table.size());
  const int context = m_decoder->config().contextLength;
  if (total > context) return {.reason = NoDraftReason::kDraftContext, .needed = total, .available = context};
  const int room = std::min((held + m_pool.freeCount()) * m_blockSize, context);
  const int tokens = std::min(most, room - total + 1);
  if (tokens <= 0)
    return {.reason = NoDraftReason::kDraftBlocks,
            .needed = blocksFor(total) - held,
            .available = m_pool.freeCount()};
  while (static_cast<int>(table.size()) < blocksFor(total + tokens - 1)) table.push_back(m_pool.take());
  return {.tokens = tokens};
}

std::span<const float> ModelDrafter::forward(const StepPlan&, std::span<Draft* const> drafts) {
  for (const Draft* draft : drafts)
    if (draft->tokens.empty()) catchUp(m_contexts.at(draft->sequence->id), draft->sequence->tokens);
  m_batch.clear();
  for (const Draft* draft : drafts) {
    const std::vector<TokenId>& known = draft->sequence->tokens;
    Context& context = m_contexts.at(draft->sequence->id);
    const std::span<const TokenId> fresh = draft->tokens.empty()
                                               ? std::span(known).subspan(context.tokens.size())
                                               : std::span(draft->tokens).last(1);
    extend(context, fresh);
    m_batch.wantLogits();
  }
  const TensorView logits =
      m_decoder->forward(m_batch.tokens(), m_batch.finish(), *m_cache, m_batch.logitRows());
  m_logits.resize(static_cast<std::size_t>(logits.elements()));
  m_backend.download(logits, m_logits.data());
  return m_logits;
}

// Drops tokens that the sequence did not take, and computes the missing ones except for their last chunk.
void ModelDrafter::catchUp(Context& context, const std::vector<TokenId>& tokens) {
  const auto [mine, its] = std::ranges::mismatch(context.tokens, tokens);
  const auto known = std::min<std::ptrdiff_t>(mine - context.tokens.begin(), std::ssize(tokens) - 1);
  context.tokens.resize(static_cast<std::size_t>(known));
  while (std::ssize(tokens) - std::ssize(context.tokens) > m_chunk) {
    m_batch.clear();
    extend(context, std::span(tokens).subspan(context.tokens.size(), static_cast<std::size_t>(m_chunk)));
    m_decoder->forward(m_batch.tokens(), m_batch.finish(), *m_cache, {});
  }
}

void ModelDrafter::extend(Context& context, std::span<const TokenId> tokens) {
  m_batch.add(tokens, static_cast<int>(context.tokens.size()), context.table);
  context.tokens.insert(context.tokens.end(), tokens.begin(), tokens.end());
}

}  // namespace vitrine
