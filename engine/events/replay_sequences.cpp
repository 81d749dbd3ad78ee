#include "events/replay.h"

#include <algorithm>

namespace vitrine {

void Replay::operator()(const SequenceWaiting& e) const {
  SequenceState& s = sequence(e.sequence);
  require(s.status != SequenceStatus::kRunning && s.status != SequenceStatus::kFinished,
          "a sequence waits that does not");
  s.wait = WaitState{e.reason, e.needed, e.available, m_event.step};
}

void Replay::operator()(const SequenceAged& e) const {
  SequenceState& s = sequence(e.sequence);
  require(e.rank < s.rank, "aging that does not bring it forward");
  auto& list = s.status == SequenceStatus::kRunning ? m.running : m.waiting;
  require(take(list, e.sequence), "aged when it had finished");
  s.rank = e.rank;
  insertBehindEquals(list, e.sequence);
}

void Replay::operator()(const SequenceAdmitted& e) const {
  SequenceState& s = sequence(e.sequence);
  require(take(m.waiting, e.sequence), "the admitted sequence did not wait");
  require(
      e.cachedTokens >= 0 && (m.isFromOutside() || e.cachedTokens < length(s)) && e.totalTokens == length(s),
      "token counts");
  insertBehindEquals(m.running, e.sequence);
  s.status = SequenceStatus::kRunning;
  s.wait.reset();
  s.cachedTokens = e.cachedTokens;
  s.computedTokens = std::max(s.computedTokens, e.cachedTokens);  // above 0 only when it was swapped out
  require(e.swappedTokens == s.computedTokens - s.cachedTokens, "tokens that were swapped out");
  std::erase_if(s.swapped, [&](const SwappedBlock& b) { return b.index * m.blockSize < e.cachedTokens; });
}

void Replay::operator()(const SequenceScheduled& e) const {
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

void Replay::operator()(const SequencePreempted& e) const {
  SequenceState& s = running(e.sequence);
  require(!scheduled(e.sequence), "preempted after it was scheduled");
  take(m.running, e.sequence);
  insertBeforeEquals(m.waiting, e.sequence);
  const bool swap = e.how == Preemption::kSwap;
  require(s.swapped.size() == (swap ? s.blockTable.size() : 0), "the number of swapped blocks");
  require(!swap || s.evictedTokens == 0, "a sequence with evicted context is swapped out");
  s.status = swap ? SequenceStatus::kSwapped : SequenceStatus::kPreempted;
  if (!swap) s.computedTokens = 0;
  s.cachedTokens = s.evictedTokens = 0;
  ++s.preemptions;
}

void Replay::operator()(const KvForgotten& e) const {
  SequenceState& s = running(e.sequence);
  require(!scheduled(e.sequence) && e.lostTokens == s.computedTokens, "token counts");
  s.computedTokens = s.cachedTokens = s.evictedTokens = 0;
}

void Replay::operator()(const SequenceForked& e) const {
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
  child.prefixMiss.reset();
  m.sequences[e.child] = std::move(child);
  insertBehindEquals(m.running, e.child);
  request(e.request).sequences.push_back(e.child);
}

void Replay::operator()(const SequenceReplaced& e) const {
  SequenceState& s = running(e.sequence);
  const SequenceState& parent = running(e.parent);
  require(e.sequence != e.parent && s.request == parent.request, "replaced by another request");
  s.tokens = parent.tokens;
  s.text = parent.text;
  s.computedTokens = parent.computedTokens;
  s.cachedTokens = parent.cachedTokens;
}

void Replay::operator()(const SequenceFinished& e) const {
  SequenceState& s = sequence(e.sequence);
  require(take(m.running, e.sequence) || take(m.waiting, e.sequence), "it had finished already");
  require(e.completionTokens == length(s) - s.promptTokens, "token counts");
  unschedule(e.sequence);
  s.status = SequenceStatus::kFinished;
  s.wait.reset();
  s.finishReason = e.reason;
  s.draft.clear();
  s.computedTokens = std::min(s.computedTokens, length(s));
  s.swapped.clear();
}

SequenceState& Replay::sequence(SequenceId id) const {
  const auto found = m.sequences.find(id);
  require(found != m.sequences.end(), "an unknown sequence");
  return found->second;
}

SequenceState& Replay::running(SequenceId id) const {
  SequenceState& found = sequence(id);
  require(found.status == SequenceStatus::kRunning, "the sequence is not running");
  return found;
}

std::pair<std::int64_t, RequestId> Replay::orderOf(SequenceId id) const {
  const SequenceState& s = sequence(id);
  return {s.rank, s.request};
}

void Replay::insertBehindEquals(SequenceList& list, SequenceId id) const {
  const auto order = [this](SequenceId one) { return orderOf(one); };
  list.insert(std::ranges::upper_bound(list, orderOf(id), {}, order), id);
}

void Replay::insertBeforeEquals(SequenceList& list, SequenceId id) const {
  const auto order = [this](SequenceId one) { return orderOf(one); };
  list.insert(std::ranges::lower_bound(list, orderOf(id), {}, order), id);
}

bool Replay::take(SequenceList& list, SequenceId id) {
  const auto found = std::ranges::find(list, id);
  if (found == list.end()) return false;
  list.erase(found);
  return true;
}

}  // namespace vitrine
