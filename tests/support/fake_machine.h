// FakeMachine: the scheduler with a model that has no tensors, for tests of policy alone.
//
// Its KV cache holds, for each slot, a hash of the tokens up to that position. forward() reads the whole
// context of each sequence back through its block table before it writes, so a stale table, a missing copy or
// a block cached too early is caught in the step in which it happens. The next token is a hash of all before.
// It can draft: tokens that are right up to a place and wrong behind it, verified and rolled back as an
// engine does.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "scheduling/scheduler.h"
#include "support/event_log.h"
#include "support/fake_search.h"

namespace vitrine {

struct FakeSwap {
  int hostSlots = 0, diskSlots = 0;  // without any, preemption is by recompute
  int failEvery = 0;                 // every so many moves to or from the disk fails; 0: none
};

class FakeMachine : private SwapMover {
 public:
  explicit FakeMachine(SchedulerOptions options, PrefixIndex::Hash hash = PrefixIndex::chainHash,
                       FakeSwap swap = {})
      : m_options(options),
        m_stream(log, 1, [this] { return nowNs; }),
        m_kv(static_cast<std::size_t>(options.numBlocks * options.blockSize)),
        m_failEvery(swap.failEvery),
        swapSpace(swap.hostSlots, swap.diskSlots, 100, *this, m_stream),
        scheduler(options, m_stream, hash, swap.hostSlots + swap.diskSlots > 0 ? &swapSpace : nullptr) {}

  // A request with `answers` sequences; returns the first, which computes the prompt.
  Sequence& submit(std::vector<TokenId> prompt, int maxTokens, int answers = 1, int priority = 0,
                   double deadlineMs = 0) {
    const SequenceId first = m_nextId;
    m_nextId += answers;
    Sequence& sequence = make(first, ++m_requests, 0);
    sequence.tokens = std::move(prompt);
    sequence.promptTokens = sequence.totalTokens();
    sequence.sequenceSlots = answers;
    m_maxTokens[sequence.request] = maxTokens;
    Request request;
    request.maxTokens = maxTokens;
    request.priority = priority;
    request.deadlineMs = deadlineMs;
    scheduler.stamp(sequence, request);
    scheduler.submit(sequence);
    return sequence;
  }

  // A beam search; returns the first of its sequences, which computes the prompt.
  Sequence& search(std::vector<TokenId> prompt, int maxTokens, int width, int priority = 0,
                   double deadlineMs = 0) {
    Sequence& first = submit(std::move(prompt), maxTokens, width, priority, deadlineMs);
    first.beams = width;
    m_searches[first.request].assign(1, &first);
    return first;
  }

  // Each decode of a step drafts up to so many tokens, as many as the scheduler grants.
  int draftLength = 0;

  // A step takes a millisecond.
  void step() {
    nowNs += 1000000;
    m_stream.beginStep();
    scheduler.admit();
    for (Sequence* sequence : scheduler.running()) {
      const int left = m_maxTokens[sequence->request] - sequence->outputTokens();
      const bool drafts = sequence->isDecoding() && sequence->beams == 1;
      sequence->wantedDraft = drafts ? std::max(std::min(draftLength, left - 1), 0) : 0;
    }
    scheduler.plan();
    scheduler.allocate();
    propose();
    forward();
    scheduler.advance();
    sample();
    for (const Work& work : scheduler.currentPlan().work)
      if (work.draftTokens > 0) scheduler.rollBack(*work.sequence);
    scheduler.registerBlocks();
    finish();
  }

  void run(int mostSteps = 10000) {
    while (scheduler.hasWork()) {
      if (--mostSteps < 0) throw std::runtime_error("the scheduler does not come to an end");
      step();
    }
  }

  Sequence& sequence(SequenceId id) { return *m_sequences.at(id); }
  const std::map<SequenceId, std::unique_ptr<Sequence>>& sequences() const { return m_sequences; }

  // What each token should be, computed without any machine.
  static std::vector<TokenId> expected(std::vector<TokenId> tokens, int count, int index) {
    for (int i = 0; i < count; ++i) tokens.push_back(next(tokens, index));
    return tokens;
  }
  // The same of a search, for each of its sequences.
  static FakeSearch::Beams expectedBeams(std::vector<TokenId> tokens, int count, int width) {
    FakeSearch::Beams beams{std::move(tokens)};
    for (int i = 0; i < count; ++i) {
      FakeSearch::Beams children;
      for (const std::size_t parent : FakeSearch::parents(beams, width)) {
        children.push_back(beams[parent]);
        children.back().push_back(next(children.back(), static_cast<int>(children.size()) - 1));
      }
      beams = std::move(children);
    }
    return beams;
  }

  // Counts are owners, free + used = total. Empty when all is well.
  std::string brokenInvariant() const {
    const BlockPool& pool = scheduler.blocks().pool();
    std::vector<int> owners(static_cast<std::size_t>(pool.totalCount()));
    for (const auto& [id, sequence] : m_sequences) {
      for (BlockId block : sequence->blockTable) ++owners[static_cast<std::size_t>(block)];
      const bool running = sequence->status == SequenceStatus::kRunning;
      const int blocks = running ? scheduler.blocks().blocksFor(sequence->computedTokens) : 0;
      if (static_cast<int>(sequence->blockTable.size()) != blocks) return "a table of the wrong length";
    }
    int free = 0;
    for (BlockId block = 0; block < pool.totalCount(); ++block) {
      if (pool.refCount(block) != owners[static_cast<std::size_t>(block)])
        return "a count that is not its owners";
      if (pool.refCount(block) == 0) ++free;
    }
    return free == pool.freeCount() ? "" : "free + used is not all";
  }

  EventLog log;
  std::int64_t nowNs = 0;

 private:
  using Content = std::vector<std::uint64_t>;
  std::span<std::uint64_t> blockOf(BlockId block) {
    const auto size = static_cast<std::size_t>(m_options.blockSize);
    return std::span(m_kv).subspan(static_cast<std::size_t>(block) * size, size);
  }
  Content& slotOf(SwapSlot place) {
    if (place.tier == SwapTier::kDisk && m_failEvery > 0 && ++m_diskMoves % m_failEvery == 0)
      throw EngineError(ErrorCode::kIo, "no disk, as the test asked", "none");
    return m_swapped[{place.tier, place.slot}];
  }
  void moveOut(SwapKey, BlockId from, SwapSlot to) override {
    slotOf(to).assign(blockOf(from).begin(), blockOf(from).end());
  }
  void demote(SwapKey, int hostSlot, int diskSlot) override {
    slotOf({SwapTier::kDisk, diskSlot}) = std::move(slotOf({SwapTier::kHost, hostSlot}));
  }
  void moveIn(SwapKey, SwapSlot from, BlockId to) override {
    std::ranges::copy(slotOf(from), blockOf(to).begin());
  }

  static TokenId next(const std::vector<TokenId>& tokens, int index) {
    const std::uint64_t seed = tokens.size() % 3 == 0 ? static_cast<std::uint64_t>(index) : 0;
    return static_cast<TokenId>(PrefixIndex::chainHash(seed, tokens) % 5);
  }

  Sequence& make(SequenceId id, RequestId request, int index) {
    auto& sequence = m_sequences[id];
    sequence = std::make_unique<Sequence>();
    sequence->id = id;
    sequence->request = request;
    sequence->index = index;
    return *sequence;
  }

  std::size_t slot(const Sequence& sequence, int position) const {
    const auto block = static_cast<std::size_t>(position / m_options.blockSize);
    return static_cast<std::size_t>(sequence.blockTable.at(block) * m_options.blockSize +
                                    position % m_options.blockSize);
  }
  static std::uint64_t content(const Sequence& sequence, int position) {
    std::vector<TokenId> tokens = sequence.tokens;
    tokens.insert(tokens.end(), sequence.draft.begin(), sequence.draft.end());
    return PrefixIndex::chainHash(1, std::span(tokens).first(static_cast<std::size_t>(position) + 1));
  }

  // Right for as many tokens as a hash of the context says, wrong from there on.
  void propose() {
    for (const Work& work : scheduler.currentPlan().work) {
      std::vector<TokenId> tokens = work.sequence->tokens;
      const auto right = PrefixIndex::chainHash(7, tokens) % 5;
      for (int i = 0; i < work.draftTokens; ++i) {
        const TokenId token = next(tokens, work.sequence->index);
        tokens.push_back(static_cast<std::uint64_t>(i) < right ? token : token + 1);
        work.sequence->draft.push_back(tokens.back());
      }
    }
  }

  void accept(Sequence& sequence) {
    const std::vector<TokenId> draft = sequence.draft;
    for (std::size_t i = 0; i <= draft.size(); ++i) {
      sequence.tokens.push_back(next(sequence.tokens, sequence.index));
      if (i == draft.size() || sequence.tokens.back() != draft[i]) return;
    }
  }

  void forward() {
    const StepPlan& plan = scheduler.currentPlan();
    for (const KvBlocks::Copy& copy : plan.copies) {
      for (int i = 0; i < m_options.blockSize; ++i) {
        m_kv[static_cast<std::size_t>(copy.to * m_options.blockSize + i)] =
            m_kv[static_cast<std::size_t>(copy.from * m_options.blockSize + i)];
      }
    }
    for (const Work& work : plan.work) {  // all write before any reads, as in one batch
      for (int i = 0; i < work.tokens; ++i) {
        m_kv[slot(*work.sequence, work.firstPosition + i)] = content(*work.sequence, work.firstPosition + i);
      }
    }
    for (const Work& work : plan.work) {
      for (int position = 0; position < work.firstPosition + work.tokens; ++position) {
        if (m_kv[slot(*work.sequence, position)] != content(*work.sequence, position)) {
          throw std::runtime_error("sequence " + std::to_string(work.sequence->id) +
                                   " reads a foreign token at " + std::to_string(position));
        }
      }
    }
  }

  void sample() {
    m_sampled.clear();
    std::set<RequestId> searches;
    for (const Work& work : scheduler.currentPlan().work) {
      if (!work.samples) continue;
      Sequence& sequence = *work.sequence;
      if (sequence.beams > 1) {
        searches.insert(sequence.request);
        continue;
      }
      m_sampled.push_back(&sequence);
      for (int index = 1, answers = sequence.sequenceSlots; index < answers; ++index) {
        Sequence& child = make(sequence.id + index, sequence.request, index);
        scheduler.fork(sequence, child);
        m_sampled.push_back(&child);
      }
    }
    for (const RequestId request : searches) choose(m_searches[request]);
    for (Sequence* sequence : m_sampled) accept(*sequence);
  }

  // Goes on when all beams are there and computed.
  void choose(std::vector<Sequence*>& beams) {
    FakeSearch::Beams tokens;
    for (const Sequence* beam : beams) {
      if (beam->status != SequenceStatus::kRunning || beam->remainingTokens() > 0) return;
      tokens.push_back(beam->tokens);
    }
    const std::vector<std::size_t> parents = FakeSearch::parents(tokens, beams.front()->beams);
    for (std::size_t place = 0; place < parents.size(); ++place) {
      const Sequence& first = *beams.front();
      Sequence& parent = *beams[parents[place]];
      if (place == beams.size()) {
        const int index = static_cast<int>(place);
        beams.push_back(&make(first.id + index, first.request, index));
        scheduler.fork(parent, *beams.back());
      } else if (&parent != beams[place]) {
        scheduler.replace(parent, *beams[place]);
      }
    }
    m_sampled.insert(m_sampled.end(), beams.begin(), beams.end());
  }

  void finish() {
    for (Sequence* sequence : m_sampled) {
      if (sequence->outputTokens() >= m_maxTokens[sequence->request]) {
        scheduler.finish(*sequence, FinishReason::kLength);
      }
    }
  }

  const SchedulerOptions m_options;
  EventStream m_stream;
  std::vector<std::uint64_t> m_kv;
  std::map<std::pair<SwapTier, int>, Content> m_swapped;
  const int m_failEvery;
  int m_diskMoves = 0;

 public:
  SwapSpace swapSpace;
  Scheduler scheduler;

 private:
  std::map<SequenceId, std::unique_ptr<Sequence>> m_sequences;
  std::map<RequestId, int> m_maxTokens;
  std::map<RequestId, std::vector<Sequence*>> m_searches;  // their sequences, by index
  std::vector<Sequence*> m_sampled;
  SequenceId m_nextId = 1;
  RequestId m_requests = 0;
};

}  // namespace vitrine
