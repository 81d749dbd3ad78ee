#include "events/replay.h"

#include <algorithm>

namespace vitrine {

void Replay::operator()(const EngineLoaded& e) const {
  require(e.options.blockSize >= 1 && e.options.blockSize <= 65536, "block size");
  require(e.isFromOutside() ? e.options.numBlocks == 0
                            : e.options.numBlocks >= 1 && e.options.numBlocks <= kMaxBlocks,
          "number of blocks");
  require(e.hostSwapBlocks >= 0 && e.diskSwapBlocks >= 0, "room for swapping");
  m = {};
  m.blockSize = e.options.blockSize;
  m.swapBlocks = {e.hostSwapBlocks, e.diskSwapBlocks};
  m.blocks.resize(static_cast<std::size_t>(e.options.numBlocks));
  m.freeQueue = BlockQueue(e.options.numBlocks);
  for (BlockId id = 0; id < e.options.numBlocks; ++id) m.freeQueue.pushBack(id);
}

// Siblings have one rank, and keep their order.
void Replay::operator()(const OptionsChanged& e) const {
  require(e.hostSwapBlocks >= 0 && e.diskSwapBlocks >= 0, "room for swapping");
  m.swapBlocks = {e.hostSwapBlocks, e.diskSwapBlocks};
  for (const SequenceRank& one : e.ranks) sequence(one.sequence).rank = one.rank;
  const auto order = [this](SequenceId id) { return orderOf(id); };
  std::ranges::stable_sort(m.waiting, {}, order);
  std::ranges::stable_sort(m.running, {}, order);
}

void Replay::operator()(const Snapshot& e) const {
  require(e.state != nullptr, "a snapshot without a state");
  m = MachineState(*e.state);
}

void Replay::operator()(const StepStarted&) const {
  require(m.batch.empty(), "a step began inside another");
  m.step = m_event.step;
}

void Replay::operator()(const PhaseStarted& e) const {
  if (e.phase == Phase::kSample) forwardEnded();
}

void Replay::operator()(const StepFinished&) const {
  m.batch.clear();  // it is not empty when the forward failed
  for (SequenceId id : m.running) sequence(id).draft.clear();
}

void Replay::operator()(const DraftProposed& e) const {
  SequenceState& s = running(e.sequence);
  const ScheduledWork* work = workOf(e.sequence);
  require(work && s.draft.empty() && e.firstPosition == length(s) &&
              e.tokens.size() == static_cast<std::size_t>(work->draftTokens),
          "the draft is not the one that was planned");
  s.draft = e.tokens;
}

void Replay::operator()(const DraftVerified& e) const {
  require(e.firstPosition == length(running(e.sequence)) && e.accepted >= 0 &&
              static_cast<std::size_t>(e.accepted) <= e.judgements.size(),
          "the judgement of a draft");
}

void Replay::operator()(const DraftRolledBack& e) const {
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

void Replay::operator()(const TokenSampled& e) const {
  SequenceState& s = running(e.sequence);
  require(e.position == length(s) && (m.isFromOutside() || s.computedTokens >= length(s)),
          "the position of the sampled token");
  s.tokens.push_back(e.token);
  s.text += e.text;
  noteToken(s.request);
}

const ScheduledWork* Replay::workOf(SequenceId id) const {
  const auto found = std::ranges::find(m.batch, id, &ScheduledWork::sequence);
  return found == m.batch.end() ? nullptr : &*found;
}

void Replay::unschedule(SequenceId id) const {
  std::erase_if(m.batch, [id](const ScheduledWork& work) { return work.sequence == id; });
}

// The KV of the batch is in its blocks now.
void Replay::forwardEnded() const {
  for (const ScheduledWork& work : m.batch) {
    SequenceState& s = running(work.sequence);
    require(s.draft.size() == static_cast<std::size_t>(work.draftTokens), "a draft that was never proposed");
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

void MachineState::apply(const Event& event) {
  const bool begins = isA<EngineLoaded>(event) || isA<EngineFailed>(event) || isA<Snapshot>(event);
  const std::int64_t expected = std::int64_t{step} + (isA<StepStarted>(event) ? 1 : 0);
  Replay::require(begins || (blockSize > 0 && event.step == expected), "the step");
  const Replay replay(*this, event);
  std::visit([&replay](const auto& body) { replay(unboxed(body)); }, event.body);
}

}  // namespace vitrine
