// Sequence: one answer in progress: its tokens, how far they are computed, and the blocks that hold their KV.
//
// One rule covers chunked prefill, prefix hits and recompute after a preemption: computedTokens catches up
// with tokens.size(), and a sequence samples in the step in which it does. Invariant: computedTokens <
// tokens.size() between steps, except for a beam that has computed all and waits for its siblings; blockTable
// covers computedTokens exactly while running and is empty otherwise.
// A draft (arXiv 2211.17192) is computed ahead of the tokens: while it is verified computedTokens runs beyond
// them, and a rollback brings it back. With eviction the table covers the resident tokens, without gaps.
// Thread: the engine's. Read next: scheduler.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "cache/kv_blocks.h"
#include "core/object_pool.h"
#include "vitrine/machine_state.h"

namespace vitrine {

struct alignas(kPooledAlignment) Sequence {
  // What every step reads comes first, in one cache line and the beginning of the next.
  SequenceId id = 0;            // ids count up in order of submission: the smaller id was submitted earlier
  std::vector<TokenId> tokens;  // prompt, then output
  int promptTokens = 0;
  int computedTokens = 0;
  int evictedTokens = 0;  // computed tokens that were evicted from the context
  int registeredBlocks = 0;
  int wantedDraft = 0;    // tokens that the drafter could propose in this step
  int sequenceSlots = 1;  // in the running set: one for each answer until the request forks, then 1
  int beams = 1;  // above 1: the width of its beam search, whose sequences are preempted and resume together
  SequenceStatus status = SequenceStatus::kWaiting;
  bool forked = false;  // a sibling has shared its whole table, a half filled block included, since admission
  BlockTable blockTable;
  PrefixLink chain;  // of the last registered full block

  RequestId request = 0;
  int index = 0;  // which of the request's answers
  std::uint64_t cacheSalt = 0;
  std::int64_t rank = 0;         // by policy: the smaller goes first (policy.h)
  std::int64_t submittedNs = 0;  // in engine time
  int submittedStep = 0;
  int cachedTokens = 0;  // found in the prefix index at the last admission
  int preemptions = 0;
  FinishReason finishReason = FinishReason::kStop;
  std::vector<int> blockStarts;  // with evicted tokens, the first position in each block; otherwise empty
  // For heavy hitters: attention that each block received so far, [layers * kvHeads,
  // EvictionRule::mostBlocks()].
  std::vector<float> attentionScores;
  std::vector<TokenId> draft;         // tokens that the drafter proposed, until the step ends
  std::optional<WaitState> lastWait;  // as published, so that the same reason is not published again
  std::shared_ptr<const PrefixMissed> prefixMiss;  // as published, or null

  int totalTokens() const { return static_cast<int>(tokens.size()); }
  int residentTokens() const { return computedTokens - evictedTokens; }  // those whose KV is in the pool
  int remainingTokens() const { return totalTokens() - computedTokens; }
  int outputTokens() const { return totalTokens() - promptTokens; }
  // A decode computes only the token that was sampled last. Everything else is a prefill, also the last token
  // of a forced beginning behind which a request forks.
  bool isDecoding() const { return remainingTokens() == 1 && outputTokens() > 0 && sequenceSlots == 1; }

  static void* operator new(std::size_t bytes) { return allocatePooled(bytes); }
  static void operator delete(void* sequence, std::size_t bytes) { releasePooled(sequence, bytes); }
};

}  // namespace vitrine
