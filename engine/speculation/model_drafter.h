// ModelDrafter: drafts with a second, smaller model with the same vocabulary, which has a KV cache of its
// own.
//
// For each running sequence it keeps the tokens whose KV it holds. Missing ones (a prompt, tokens that the
// model chose instead of the draft's) are computed when it is asked; rejected ones are overwritten. A
// sequence for which its pool has no block is not drafted. Thread: the engine's. Read next: round_drafter.h.
#pragma once

#include <map>

#include "cache/block_pool.h"
#include "execution/batch_builder.h"
#include "models/decoder.h"
#include "speculation/round_drafter.h"

namespace vitrine {

class ModelDrafter final : public RoundDrafter {
 public:
  // The backend must outlive it. At most `chunk` tokens of a sequence are computed at once.
  ModelDrafter(Backend& backend, std::shared_ptr<Decoder> decoder, int numBlocks, int blockSize, int chunk);

  void retain(std::span<Sequence* const> running) override;
  DraftOffer canPropose(const Sequence& sequence, int most) override;  // takes the blocks it needs

 private:
  struct Context {
    std::vector<TokenId> tokens;  // whose KV is in the blocks
    std::vector<BlockId> table;
  };

  std::span<const float> forward(const StepPlan& plan, std::span<Draft* const> drafts) override;
  void catchUp(Context& context, const std::vector<TokenId>& tokens);
  void extend(Context& context, std::span<const TokenId> tokens);
  int blocksFor(int tokens) const { return (tokens + m_blockSize - 1) / m_blockSize; }

  Backend& m_backend;
  const std::shared_ptr<Decoder> m_decoder;
  const int m_blockSize, m_chunk;
  const std::unique_ptr<KvCache> m_cache;
  BlockPool m_pool;
  std::map<SequenceId, Context> m_contexts;
  BatchBuilder m_batch;
  std::vector<float> m_logits;
};

}  // namespace vitrine
