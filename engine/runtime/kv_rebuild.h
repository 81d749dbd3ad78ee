// KvRebuild: computes the KV of blocks whose bookkeeping is known and whose content is not, by prefill.
//
// Chunks, batches and prefix hits change no bit of the KV (engine/README.md, "The law"), so computing the
// tokens of a table anew gives the blocks that the run had. Each block is computed once, whoever holds it.
// Not so for a context that has evicted blocks: resume.cpp computes those steps again. Errors: EngineError of
// the backend and of the swap file, and what `report` throws. Thread: the engine's. Read next: resume.cpp.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "execution/model_runner.h"
#include "execution/swap_store.h"

namespace vitrine {

class KvRebuild {
 public:
  using Report = std::function<void(std::int64_t tokens)>;  // after each forward: computed so far

  // `chunk`: the most tokens of a forward. All of it must outlive the object.
  KvRebuild(ModelRunner& runner, const KvBlocks& blocks, int chunk, const Report& report);

  // The computed tokens of a running sequence, in its table.
  void compute(const Sequence& sequence);
  // The blocks that only the prefix index knows, the longest chains first.
  void computeCached();
  // The blocks of a sequence that are outside the pool.
  void computeSwapped(const Sequence& sequence, Swap& swap);

  std::int64_t tokens() const { return m_tokens; }

 private:
  struct Chain {
    std::vector<TokenId> tokens;
    BlockTable table;
  };
  Chain chainOf(const PrefixIndex::Entry& end) const;  // empty when it cannot be found any more
  void compute(std::span<const TokenId> tokens, std::span<const BlockId> table);
  void count(std::size_t tokens);

  ModelRunner& m_runner;
  const KvBlocks& m_blocks;
  const std::size_t m_chunk, m_blockSize;
  const Report& m_report;
  std::vector<int> m_filled;  // of each block: slots that are computed
  std::int64_t m_tokens = 0;
};

}  // namespace vitrine
