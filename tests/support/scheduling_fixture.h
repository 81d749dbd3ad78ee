// SchedulingFixture: a SchedulingState with sequences in it, for tests of one class of the scheduler alone.
#pragma once

#include <deque>

#include "scheduling/policy.h"
#include "scheduling/scheduling_state.h"
#include "support/event_log.h"

namespace vitrine {

struct SchedulingFixture {
  explicit SchedulingFixture(const SchedulerOptions& options)
      : stream(log, 1, [this] { return nowNs; }), state(options, stream) {}

  static SchedulerOptions options(int numBlocks, int tokenBudget = 64, int maxSequences = 8) {
    SchedulerOptions chosen;
    chosen.blockSize = 4;
    chosen.numBlocks = numBlocks;
    chosen.tokenBudget = tokenBudget;
    chosen.maxSequences = maxSequences;
    return chosen;
  }

  // A sequence of its own request with these tokens, all of its prompt, in no list.
  Sequence& make(std::vector<TokenId> tokens, std::int64_t rank = 0) {
    Sequence& sequence = sequences.emplace_back();
    sequence.id = static_cast<SequenceId>(sequences.size());
    sequence.request = static_cast<RequestId>(sequences.size());
    sequence.tokens = std::move(tokens);
    sequence.promptTokens = sequence.totalTokens();
    sequence.rank = rank;
    return sequence;
  }
  Sequence& make(int tokens, std::int64_t rank = 0) {
    std::vector<TokenId> all(static_cast<std::size_t>(tokens));
    for (int i = 0; i < tokens; ++i) all[static_cast<std::size_t>(i)] = 100 * (next + 1) + i;
    ++next;
    return make(std::move(all), rank);
  }
  // One that waits.
  Sequence& wait(Sequence& sequence) {
    WaitingQueue::Entry entry(sequence);
    state.waiting.add(std::move(entry));
    return sequence;
  }
  // One that runs, with so many tokens computed, in blocks of its own.
  Sequence& run(Sequence& sequence, int computed) {
    sequence.status = SequenceStatus::kRunning;
    sequence.computedTokens = computed;
    while (static_cast<int>(sequence.blockTable.size()) < state.blocks.blocksFor(computed))
      state.blocks.allocate(sequence.id, sequence.blockTable);
    insertBehindEquals(state.running, sequence);
    return sequence;
  }
  // Registers its full computed blocks in the prefix index.
  void cache(Sequence& sequence) {
    const auto size = static_cast<std::size_t>(state.options.blockSize);
    for (; (sequence.registeredBlocks + 1) * state.options.blockSize <= sequence.computedTokens;
         ++sequence.registeredBlocks) {
      const auto i = static_cast<std::size_t>(sequence.registeredBlocks);
      sequence.chain = state.blocks.registerBlock(sequence.chain, sequence.cacheSalt,
                                                  std::span(sequence.tokens).subspan(i * size, size),
                                                  sequence.blockTable[i]);
    }
  }

  EventLog log;
  std::int64_t nowNs = 0;
  EventStream stream;
  SchedulingState state;
  std::deque<Sequence> sequences;
  int next = 0;
};

}  // namespace vitrine
