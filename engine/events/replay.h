// Replay: what each event changes in a MachineState. It repeats the rules of scheduling/ and cache/: waiting
// and running sequences are sorted by rank, a preempted sequence stands before its request's others, a cached
// block is freed to the back of the free queue and another one to its front, and blocks are taken from the
// front. Computed tokens advance when the forward has ended, not when the step was planned.
//
// A source for each subject: replay_requests.cpp, replay_sequences.cpp, replay_blocks.cpp, replay_steps.cpp.
// Thread: any. Read next: replay_sequences.cpp.
#pragma once

#include <utility>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine {

class Replay {
 public:
  Replay(MachineState& state, const Event& event) : m(state), m_event(event) {}

  // Only a damaged trace contains an event that contradicts the state. The message helps to find the damage.
  static void require(bool holds, const char* what) {
    if (!holds)
      throw EngineError(ErrorCode::kFileCorrupt, std::string("the event contradicts the state: ") + what);
  }

  void operator()(const EngineLoaded& e) const;
  void operator()(const OptionsChanged& e) const;
  void operator()(const Snapshot& e) const;

  void operator()(const RequestSubmitted& e) const;
  void operator()(const RequestCancelled& e) const;
  void operator()(const SamplingChanged& e) const;
  void operator()(const RequestFinished& e) const;
  void operator()(const RequestForgotten& e) const;
  void operator()(const BeamStep& e) const;
  void operator()(const BeamChosen& e) const;
  void operator()(const AnswersRanked& e) const;

  void operator()(const SequenceWaiting& e) const;
  void operator()(const SequenceAged& e) const;
  void operator()(const SequenceAdmitted& e) const;
  void operator()(const SequenceScheduled& e) const;
  void operator()(const SequencePreempted& e) const;
  void operator()(const KvForgotten& e) const;
  void operator()(const SequenceForked& e) const;
  void operator()(const SequenceReplaced& e) const;
  void operator()(const SequenceFinished& e) const;

  void operator()(const BlockAllocated& e) const;
  void operator()(const BlockShared& e) const;
  void operator()(const BlockHit& e) const;
  void operator()(const BlockCopied& e) const;
  void operator()(const BlockCached& e) const;
  void operator()(const BlockEvicted& e) const;
  void operator()(const ContextEvicted& e) const;
  void operator()(const BlockFreed& e) const;
  void operator()(const PrefixMissed& e) const;
  void operator()(const BlockSwappedOut& e) const;
  void operator()(const BlockDemoted& e) const;
  void operator()(const BlockSwappedIn& e) const;
  void operator()(const SwapFailed& e) const;

  void operator()(const StepStarted& e) const;
  void operator()(const PhaseStarted& e) const;
  void operator()(const StepFinished& e) const;
  void operator()(const DraftProposed& e) const;
  void operator()(const DraftVerified& e) const;
  void operator()(const DraftRolledBack& e) const;
  void operator()(const TokenSampled& e) const;

  // Every other event reports on the machine without changing it.
  template <typename Body>
  void operator()(const Body&) const {}

 private:
  static int length(const SequenceState& s) { return static_cast<int>(s.tokens.size()); }
  static int resident(const SequenceState& s) { return s.computedTokens - s.evictedTokens; }

  RequestState& request(RequestId id) const;
  SequenceState& sequence(SequenceId id) const;
  SequenceState& running(SequenceId id) const;
  BlockState& block(BlockId id) const;
  const ScheduledWork* workOf(SequenceId id) const;  // null when the step does not compute it
  bool scheduled(SequenceId id) const { return workOf(id) != nullptr; }
  void unschedule(SequenceId id) const;
  void noteToken(RequestId id) const;

  using SequenceList = std::vector<SequenceId>;
  std::pair<std::int64_t, RequestId> orderOf(SequenceId id) const;  // of the lists
  void insertBehindEquals(SequenceList& list, SequenceId id) const;
  void insertBeforeEquals(SequenceList& list, SequenceId id) const;
  static bool take(SequenceList& list, SequenceId id);  // false when it is not there

  void takeFront(BlockId id) const;
  void tellOf(const BlockCached& e) const;
  void append(SequenceId id, BlockId block, int index) const;
  void release(BlockId id, int refCount) const;
  void requireSlot(SwapTier tier, int slot) const;
  void forwardEnded() const;

  MachineState& m;
  const Event& m_event;
};

}  // namespace vitrine
