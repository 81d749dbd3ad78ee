// KvRebuild: computes the KV of blocks whose bookkeeping is known and whose content is not, by prefill.
//
// Chunks, batches and prefix hits change no bit of the KV (engine/README.md, "The law"), so computing the
// tokens of a table anew gives the blocks that the run had. Each block is computed once, also a shared one;
// one that only the prefix index knows, when a sequence first hits it. Not so for a context that has evicted
// blocks: resume.cpp computes those steps again. Errors: EngineError of the backend and of the swap file, and
// what `report` throws. Thread: the engine's. Read next: resume.cpp.
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

  // `chunk`: the most tokens of a forward. Runner and blocks must outlive the object.
  KvRebuild(ModelRunner& runner, const KvBlocks& blocks, int chunk);

  // The computed tokens of a running sequence, in its table.
  void compute(const Sequence& sequence, const Report& report);
  // The blocks of a sequence that are outside the pool.
  void computeSwapped(const Sequence& sequence, Swap& swap, const Report& report);

  // After these: the other blocks of the prefix index have no content. A sequence that was admitted may have
  // hit some; they are computed now.
  void noteCached();
  void computeHits(const Sequence& sequence);

  std::int64_t tokens() const { return m_tokens; }  // computed so far

 private:
  void compute(std::span<const TokenId> tokens, std::span<const BlockId> table, std::size_t firstBlock,
               const Report& report);
  bool isMissing(BlockId block) const;

  ModelRunner& m_runner;
  const KvBlocks& m_blocks;
  const std::size_t m_chunk, m_blockSize;
  std::vector<int> m_filled;  // of each block: slots that are computed
  // Of each block: the id of its entry in the prefix index when it has no content, otherwise 0. An entry of
  // another id has content, since it came later.
  std::vector<std::uint64_t> m_missing;
  std::int64_t m_tokens = 0;
};

}  // namespace vitrine
