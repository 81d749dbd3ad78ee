// The events' bookkeeping, done again. It follows scheduling/ and cache/ rule for rule: queue and running set
// are sorted by rank, a preempted sequence stands before its request's others, a freed block goes to the back
// when it is cached and to the front otherwise, and blocks are taken from the front. Computed tokens advance
// when the forward has ended, not when it was planned.
#include "vitrine/machine_state.h"

#include <algorithm>
#include <numeric>

namespace vitrine {
namespace {

// Only a damaged trace contains such an event. The message helps to find the damage.
void require(bool holds, const char* what) {
  if (!holds)
    throw EngineError(ErrorCode::kFileCorrupt, std::string("the event contradicts the state: ") + what);
}

class Replay {
 public:
  Replay(MachineState& state, const Event& event) : m(state), m_event(event) {}

  void operator()(const EngineLoaded& e) const {
    require(e.blockSize >= 1 && e.blockSize <= 65536, "block size");
    require(e.numBlocks >= 1 && e.numBlocks <= kMaxBlocks, "number of blocks");
    m = {};
    m.blockSize = e.blockSize;
    require(e.hostSwapBlocks >= 0 && e.diskSwapBlocks >= 0, "room for swapping");
    m.swapBlocks = {e.hostSwapBlocks, e.diskSwapBlocks};
    m.blocks.resize(static_cast<std::size_t>(e.numBlocks));
    m.freeQueue.resize(m.blocks.size());
    std::iota(m.freeQueue.begin(), m.freeQueue.end(), 0);
  }
  void operator()(const Snapshot& e) const {
    require(e.state != nullptr, "a snapshot without a state");
    m = MachineState(*e.state);
  }

  void operator()(const RequestSubmitted& e) const {
    require(e.request > 0 && !m.requests.contains(e.request), "the request is not new");
    require(e.firstSequence > 0 && !m.sequences.contains(e.firstSequence), "the sequence is not new");
    require(!e.tokenIds.empty(), "an empty prompt");
    require(e.beamWidth >= 1 && e.beamWidth <= kMaxBeams, "beam width");
    RequestState& request = m.requests[e.request];
    request.id = e.request;
    request.name = e.name;
    request.prompt = e.prompt;
    request.maxTokens = e.maxTokens;
    request.sequences = {e.firstSequence};
    request.priority = e.priority;
    request.deadlineMs = e.deadlineMs;
    request.beamWidth = e.beamWidth;
    SequenceState& sequence = m.sequences[e.firstSequence];
    sequence.id = e.firstSequence;
    sequence.request = e.request;
    sequence.tokens = e.tokenIds;
    sequence.promptTokens = static_cast<int>(e.tokenIds.size());
    sequence.rank = e.rank;
    insertBehindEquals(m.waiting, e.firstSequence);
  }
  void operator()(const RequestCancelled& e) const { request(e.request).cancelled = true; }
  void operator()(const SamplingChanged& e) const { request(e.request); }
  void operator()(const RequestFinished& e) const {
    RequestState& r = request(e.request);
    r.finished = true;
    if (e.reason != FinishReason::kFailed) return;
    r.beams.clear();  // of a search that failed nothing is left
    r.hypotheses.clear();
  }
  void operator()(const RequestForgotten& e) const {
    const RequestState& r = request(e.request);
    require(r.finished, "forgotten before it has finished");
    for (SequenceId id : r.sequences) {
      const SequenceState& s = sequence(id);
      require(s.status == SequenceStatus::kFinished && s.blockTable.empty(),
              "forgotten with a sequence in flight");
    }
    for (SequenceId id : r.sequences) m.sequences.erase(id);
    m.requests.erase(e.request);
  }

  void operator()(const SequenceWaiting& e) const { sequence(e.sequence); }
  void operator()(const SequenceAged& e) const {
    SequenceState& s = sequence(e.sequence);
    require(e.rank < s.rank, "aging that does not bring it forward");
    auto& list = s.status == SequenceStatus::kRunning ? m.running : m.waiting;
    require(take(list, e.sequence), "aged when it had finished");
    s.rank = e.rank;
    insertBehindEquals(list, e.sequence);
  }
  void operator()(const SequenceAdmitted& e) const {
    SequenceState& s = sequence(e.sequence);
    require(take(m.waiting, e.sequence), "the admitted sequence did not wait");
    require(e.cachedTokens >= 0 && e.cachedTokens < length(s) && e.totalTokens == length(s), "token counts");
    insertBehindEquals(m.running, e.sequence);
    s.status = SequenceStatus::kRunning;
    s.cachedTokens = e.cachedTokens;
    s.computedTokens = std::max(s.computedTokens, e.cachedTokens);  // above 0 only when it was swapped out
    require(e.swappedTokens == s.computedTokens - s.cachedTokens, "tokens that were swapped out");
    std::erase_if(s.swapped, [&](const SwappedBlock& b) { return b.index * m.blockSize < e.cachedTokens; });
  }
  void operator()(const SequenceScheduled& e) const {
    const SequenceState& s = running(e.sequence);
    require(e.firstPosition == s.computedTokens, "computing must go on where it stopped");
    require(e.draftTokens >= 0 && e.draftTokens < e.tokens && e.totalTokens == length(s) &&
                e.tokens - e.draftTokens <= length(s) - e.firstPosition,
            "token counts");
    require(e.draftTokens == 0 || e.firstPosition + (e.tokens - e.draftTokens) == length(s),
            "a draft behind tokens that are not computed");
    require(!scheduled(e.sequence), "scheduled twice in a step");
    m.batch.push_back({e.sequence, e.kind, e.firstPosition, e.tokens, e.draftTokens});
  }
  void operator()(const SequencePreempted& e) const {
    SequenceState& s = running(e.sequence);
    require(!scheduled(e.sequence), "preempted after it was scheduled");
    take(m.running, e.sequence);
    insertBeforeEquals(m.waiting, e.sequence);
    const bool swap = e.how == Preemption::kSwap;
    require(s.swapped.size() == (swap ? s.blockTable.size() : 0), "what of it was swapped out");
    require(!swap || s.evictedTokens == 0, "a table that has closed ranks is not swapped");
    s.status = swap ? SequenceStatus::kSwapped : SequenceStatus::kPreempted;
    if (!swap) s.computedTokens = 0;
    s.cachedTokens = s.evictedTokens = 0;
    ++s.preemptions;
  }
  void operator()(const KvForgotten& e) const {
    SequenceState& s = running(e.sequence);
    require(!scheduled(e.sequence) && e.lostTokens == s.computedTokens, "token counts");
    s.computedTokens = s.cachedTokens = s.evictedTokens = 0;
  }
  void operator()(const SequenceForked& e) const {
    const SequenceState& parent = running(e.parent);
    require(e.child > 0 && !m.sequences.contains(e.child), "the forked sequence is not new");
    require(e.request == parent.request, "forked into another request");
    const std::size_t answers = request(e.request).sequences.size();
    require(e.index >= 1 && static_cast<std::size_t>(e.index) == answers, "the index of the forked sequence");
    SequenceState child = parent;
    child.id = e.child;
    child.index = e.index;
    child.preemptions = 0;
    child.blockTable.clear();
    m.sequences[e.child] = std::move(child);
    insertBehindEquals(m.running, e.child);
    request(e.request).sequences.push_back(e.child);
  }
  void operator()(const SequenceReplaced& e) const {
    SequenceState& s = running(e.sequence);
    const SequenceState& parent = running(e.parent);
    require(e.sequence != e.parent && s.request == parent.request, "replaced by another request");
    s.tokens = parent.tokens;
    s.text = parent.text;
    s.computedTokens = parent.computedTokens;
    s.cachedTokens = parent.cachedTokens;
  }
  void operator()(const BeamStep& e) const {
    RequestState& r = request(e.request);
    for (int number : e.displaced)
      std::erase_if(r.hypotheses, [&](const HypothesisState& one) { return one.number == number; });
    r.beams.clear();
    for (const BeamCandidate& candidate : e.candidates) {
      if (candidate.fate == BeamFate::kKept) r.beams.push_back({candidate.sequence, candidate.cumulative});
      if (candidate.fate != BeamFate::kFinished) continue;
      const auto worse = [&](const HypothesisState& one) { return one.score < candidate.score; };
      r.hypotheses.insert(std::find_if(r.hypotheses.begin(), r.hypotheses.end(), worse),
                          {candidate.hypothesis, candidate.score});
    }
    require(static_cast<int>(r.beams.size()) <= r.beamWidth, "more beams than the search is wide");
    require(static_cast<int>(r.hypotheses.size()) <= r.beamWidth, "more hypotheses than the search is wide");
  }
  void operator()(const BeamChosen& e) const {
    SequenceState& s = running(e.sequence);
    s.tokens.resize(static_cast<std::size_t>(s.promptTokens));
    s.tokens.insert(s.tokens.end(), e.tokenIds.begin(), e.tokenIds.end());
    s.computedTokens = std::min(s.computedTokens, length(s));
    s.cachedTokens = std::min(s.cachedTokens, length(s));
    s.text = e.text;
    s.score = e.score;
  }
  void operator()(const AnswersRanked& e) const {
    for (const RankedAnswer& answer : e.answers) {
      require(sequence(answer.sequence).request == e.request, "an answer of another request");
      sequence(answer.sequence).score = answer.score;
    }
  }
  void operator()(const SequenceFinished& e) const {
    SequenceState& s = sequence(e.sequence);
    require(take(m.running, e.sequence) || take(m.waiting, e.sequence), "it had finished already");
    require(e.completionTokens == length(s) - s.promptTokens, "token counts");
    std::erase_if(m.batch, [&](const ScheduledWork& work) { return work.sequence == e.sequence; });
    s.status = SequenceStatus::kFinished;
    s.finishReason = e.reason;
    s.draft.clear();
    s.computedTokens = std::min(s.computedTokens, length(s));
    s.swapped.clear();
  }

  void operator()(const BlockAllocated& e) const {
    takeFront(e.block);
    append(e.sequence, e.block, e.index);
    SequenceState& s = sequence(e.sequence);
    if (s.evictedTokens > 0) s.blockStarts.push_back(s.evictedTokens + e.index * m.blockSize);
  }
  void operator()(const BlockShared& e) const {
    BlockState& b = block(e.block);
    require(b.refCount >= 1, "a free block cannot be shared");
    require(++b.refCount == e.refCount, "reference count");
    append(e.sequence, e.block, e.index);
  }
  void operator()(const BlockHit& e) const {
    BlockState& b = block(e.block);
    require(b.cached && b.hash == e.hash, "a hit on a block that is not in the index");
    if (b.refCount == 0) require(take(m.freeQueue, e.block), "the block is neither free nor held");
    require(++b.refCount == e.refCount, "reference count");
    append(e.sequence, e.block, e.index);
  }
  void operator()(const BlockCopied& e) const {
    SequenceState& s = running(e.sequence);
    require(e.index >= 0 && e.index < static_cast<int>(s.blockTable.size()), "place in the block table");
    BlockId& place = s.blockTable[static_cast<std::size_t>(e.index)];
    require(place == e.from && block(e.from).refCount >= 2,
            "the copied block is not a shared one of the sequence");
    takeFront(e.to);
    block(e.to).filled = block(e.from).filled;
    --block(e.from).refCount;
    place = e.to;
  }
  void operator()(const BlockCached& e) const {
    BlockState& b = block(e.block);
    require(b.refCount >= 1 && !b.cached && b.filled == m.blockSize, "only a full block is cached, and once");
    b.cached = true;
    b.hash = e.hash;
  }
  void operator()(const BlockEvicted& e) const {
    BlockState& b = block(e.block);
    require(b.cached && b.hash == e.hash && !m.freeQueue.empty() && m.freeQueue.front() == e.block,
            "the evicted block is not the cached one in front of the free queue");
    b = {};
  }
  void operator()(const ContextEvicted& e) const {
    SequenceState& s = running(e.sequence);
    const auto size = static_cast<int>(s.blockTable.size());
    require(e.index >= 0 && e.index < size && s.blockTable[static_cast<std::size_t>(e.index)] == e.block,
            "the evicted block is not at its place in the table");
    require(!scheduled(e.sequence) && resident(s) == size * m.blockSize,
            "evicted out of a block being filled");
    if (s.evictedTokens == 0)
      for (int i = 0; i < size; ++i) s.blockStarts.push_back(i * m.blockSize);
    require(s.blockStarts.size() == s.blockTable.size(), "a block without a position");
    require(e.tokens == m.blockSize && e.firstPosition == s.blockStarts[static_cast<std::size_t>(e.index)],
            "the positions of the evicted block");
    s.evictedTokens += e.tokens;
    s.blockTable.erase(s.blockTable.begin() + e.index);
    s.blockStarts.erase(s.blockStarts.begin() + e.index);
    release(e.block, e.refCount);
  }
  void operator()(const BlockFreed& e) const {
    SequenceState& s = sequence(e.sequence);
    require(!s.blockTable.empty() && s.blockTable.back() == e.block, "a table is freed from its end");
    s.blockTable.pop_back();
    if (!s.blockStarts.empty()) s.blockStarts.pop_back();
    release(e.block, e.refCount);
  }

  void operator()(const BlockSwappedOut& e) const {
    SequenceState& s = running(e.sequence);
    require(e.index == static_cast<int>(s.swapped.size()), "a table is swapped out from its beginning");
    require(e.index < static_cast<int>(s.blockTable.size()) &&
                s.blockTable[static_cast<std::size_t>(e.index)] == e.block,
            "place in the block table");
    requireSlot(e.tier, e.slot);
    s.swapped.push_back({e.index, e.tier, e.slot});
  }
  void operator()(const BlockDemoted& e) const {
    requireSlot(SwapTier::kDisk, e.diskSlot);
    for (SwappedBlock& b : sequence(e.sequence).swapped) {
      if (b != SwappedBlock{e.index, SwapTier::kHost, e.hostSlot}) continue;
      b.tier = SwapTier::kDisk;
      b.slot = e.diskSlot;
      return;
    }
    require(false, "demoted what is not in host memory");
  }
  void operator()(const BlockSwappedIn& e) const {
    SequenceState& s = running(e.sequence);
    require(!s.swapped.empty() && s.swapped.front() == SwappedBlock{e.index, e.tier, e.slot},
            "swapped in what was not swapped out");
    require(e.index + 1 == static_cast<int>(s.blockTable.size()) && s.blockTable.back() == e.block,
            "place in the block table");
    s.swapped.erase(s.swapped.begin());
    block(e.block).filled = std::clamp(s.computedTokens - e.index * m.blockSize, 0, m.blockSize);
  }
  void operator()(const SwapFailed& e) const {
    SequenceState& s = running(e.sequence);
    s.swapped.clear();
    if (e.move != SwapMove::kIn) return;  // a SequencePreempted says the rest
    require(e.index + 1 == static_cast<int>(s.blockTable.size()) && e.lostTokens >= 1 &&
                e.lostTokens == s.computedTokens - e.index * m.blockSize,
            "what was lost on its way back");
    s.computedTokens -= e.lostTokens;
    std::erase_if(m.batch, [&](const ScheduledWork& work) { return work.sequence == e.sequence; });
  }

  void operator()(const StepStarted&) const {
    require(m.batch.empty(), "a step began inside another");
    m.step = m_event.step;
  }
  void operator()(const PhaseStarted& e) const {
    if (e.phase == Phase::kSample) forwardEnded();
  }
  void operator()(const StepFinished&) const {
    m.batch.clear();  // not empty when the forward failed
    for (SequenceId id : m.running) sequence(id).draft.clear();
  }
  void operator()(const DraftProposed& e) const {
    SequenceState& s = running(e.sequence);
    const ScheduledWork* work = workOf(e.sequence);
    require(work && s.draft.empty() && e.firstPosition == length(s) &&
                e.tokens.size() == static_cast<std::size_t>(work->draftTokens),
            "the draft is not the one that was planned");
    s.draft = e.tokens;
  }
  void operator()(const DraftVerified& e) const {
    require(e.firstPosition == length(running(e.sequence)) && e.accepted >= 0 &&
                static_cast<std::size_t>(e.accepted) <= e.judgements.size(),
            "the judgement of a draft");
  }
  void operator()(const DraftRolledBack& e) const {
    SequenceState& s = running(e.sequence);
    require(e.lostTokens >= 1 && e.computedTokens == length(s) - 1 &&
                e.lostTokens == s.computedTokens - e.computedTokens,
            "computed tokens after a rollback");
    s.computedTokens = e.computedTokens;
    s.draft.clear();
    const int tail = resident(s) / m.blockSize;
    require(resident(s) >= 0 && tail < static_cast<int>(s.blockTable.size()),
            "computed tokens without a block");
    BlockState& last = block(s.blockTable[static_cast<std::size_t>(tail)]);
    require(!last.cached, "a rollback into a block of the index");
    last.filled = s.computedTokens % m.blockSize;
  }
  void operator()(const TokenSampled& e) const {
    SequenceState& s = running(e.sequence);
    require(e.position == length(s) && s.computedTokens >= length(s), "the place of the sampled token");
    s.tokens.push_back(e.token);
    s.text += e.text;
  }

  // What tells of the machine without changing it.
  void operator()(const EngineFailed&) const {}
  void operator()(const RequestRejected&) const {}
  void operator()(const StepPlanned&) const {}
  void operator()(const StepSpeculated&) const {}
  void operator()(const TokenCandidates&) const {}
  void operator()(const LayerTap&) const {}
  void operator()(const StepSwapped&) const {}
  void operator()(const EventsDropped&) const {}

 private:
  static int length(const SequenceState& s) { return static_cast<int>(s.tokens.size()); }
  static int resident(const SequenceState& s) { return s.computedTokens - s.evictedTokens; }

  template <typename Id>
  static bool take(std::vector<Id>& list, Id id) {
    const auto found = std::find(list.begin(), list.end(), id);
    if (found == list.end()) return false;
    list.erase(found);
    return true;
  }

  // What the lists are sorted by.
  std::pair<std::int64_t, RequestId> orderOf(SequenceId id) const {
    const SequenceState& s = sequence(id);
    return {s.rank, s.request};
  }
  void insertBehindEquals(std::vector<SequenceId>& list, SequenceId id) const {
    const auto order = [this](SequenceId one) { return orderOf(one); };
    list.insert(std::ranges::upper_bound(list, orderOf(id), {}, order), id);
  }
  void insertBeforeEquals(std::vector<SequenceId>& list, SequenceId id) const {
    const auto order = [this](SequenceId one) { return orderOf(one); };
    list.insert(std::ranges::lower_bound(list, orderOf(id), {}, order), id);
  }

  RequestState& request(RequestId id) const {
    const auto found = m.requests.find(id);
    require(found != m.requests.end(), "an unknown request");
    return found->second;
  }
  SequenceState& sequence(SequenceId id) const {
    const auto found = m.sequences.find(id);
    require(found != m.sequences.end(), "an unknown sequence");
    return found->second;
  }
  SequenceState& running(SequenceId id) const {
    SequenceState& found = sequence(id);
    require(found.status == SequenceStatus::kRunning, "the sequence is not running");
    return found;
  }
  const ScheduledWork* workOf(SequenceId id) const {
    const auto found = std::ranges::find(m.batch, id, &ScheduledWork::sequence);
    return found == m.batch.end() ? nullptr : &*found;
  }
  bool scheduled(SequenceId id) const { return workOf(id) != nullptr; }
  BlockState& block(BlockId id) const {
    require(id >= 0 && static_cast<std::size_t>(id) < m.blocks.size(), "an unknown block");
    return m.blocks[static_cast<std::size_t>(id)];
  }

  void release(BlockId id, int refCount) const {
    BlockState& b = block(id);
    require(b.refCount >= 1 && --b.refCount == refCount, "reference count");
    if (b.refCount > 0) return;
    if (!b.cached) b.filled = 0;
    m.freeQueue.insert(b.cached ? m.freeQueue.end() : m.freeQueue.begin(), id);
  }
  void requireSlot(SwapTier tier, int slot) const {
    require(slot >= 0 && slot < m.swapBlocks[static_cast<std::size_t>(tier)],
            "a slot the tier does not have");
  }

  void takeFront(BlockId id) const {
    BlockState& b = block(id);
    require(!m.freeQueue.empty() && m.freeQueue.front() == id, "the block is not in front of the free queue");
    require(!b.cached, "a cached block is evicted before it is taken");
    m.freeQueue.erase(m.freeQueue.begin());
    b.refCount = 1;
    b.filled = 0;
  }
  void append(SequenceId id, BlockId block, int index) const {
    SequenceState& s = running(id);
    require(index == static_cast<int>(s.blockTable.size()), "place in the block table");
    s.blockTable.push_back(block);
  }

  // The KV of the batch is in its blocks now.
  void forwardEnded() const {
    for (const ScheduledWork& work : m.batch) {
      SequenceState& s = running(work.sequence);
      require(s.draft.size() == static_cast<std::size_t>(work.draftTokens),
              "a draft that was never proposed");
      s.computedTokens = work.firstPosition + work.tokens;
      const int first = (work.firstPosition - s.evictedTokens) / m.blockSize,
                last = (resident(s) - 1) / m.blockSize;
      require(last < static_cast<int>(s.blockTable.size()), "computed tokens without a block");
      for (int i = first; i <= last; ++i)
        block(s.blockTable[static_cast<std::size_t>(i)]).filled =
            std::min(m.blockSize, resident(s) - i * m.blockSize);
    }
    m.batch.clear();
  }

  MachineState& m;
  const Event& m_event;
};

}  // namespace

void MachineState::apply(const Event& event) {
  const bool begins =
      isA<EngineLoaded>(event) || isA<EngineFailed>(event) || std::holds_alternative<Snapshot>(event.body);
  const std::int64_t expected =
      std::int64_t{step} + (std::holds_alternative<StepStarted>(event.body) ? 1 : 0);
  require(begins || (blockSize > 0 && event.step == expected), "the step");
  std::visit(Replay(*this, event), event.body);
}

}  // namespace vitrine
