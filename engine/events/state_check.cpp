// The invariants of a state. A reader of traces requires them, and so do the engine's tests.
#include <set>
#include <tuple>

#include "events/state_json.h"

namespace vitrine {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw EngineError(ErrorCode::kFileCorrupt, std::string("the state is inconsistent: ") + what);
}

void checkSequence(const MachineState& state, SequenceId id, const SequenceState& s) {
  require(id > 0 && s.id == id && s.index >= 0 && s.preemptions >= 0, "a sequence's numbers");
  require(state.requests.contains(s.request), "a sequence of an unknown request");
  const int length = static_cast<int>(s.tokens.size());
  require(s.promptTokens >= (state.isFromOutside() ? 0 : 1) && s.promptTokens <= length,
          "a prompt longer than its sequence");
  const int drafted = length + static_cast<int>(s.draft.size());
  require(s.computedTokens >= 0 && s.computedTokens <= drafted, "more computed tokens than tokens");
  require(s.cachedTokens >= 0 && s.cachedTokens <= length, "more cached tokens than tokens");
  const bool running = s.status == SequenceStatus::kRunning;
  require(!s.wait || (!running && s.status != SequenceStatus::kFinished), "a reason to wait without waiting");
  require(!s.wait || (s.wait->step >= 0 && s.wait->step <= state.step), "the step of a reason to wait");
  require(!s.prefixMiss || s.prefixMiss->sequence == id, "a prefix miss of another sequence");
  require(running || s.blockTable.empty(), "blocks held by a sequence that is not running");
  // Between Admit and Allocate a part of its blocks is still to be swapped in.
  const std::int64_t room =
      static_cast<std::int64_t>(s.blockTable.size() + s.swapped.size()) * state.blockSize;
  require(s.evictedTokens >= 0 && s.evictedTokens <= s.computedTokens,
          "more evicted tokens than computed ones");
  require(!running || s.computedTokens - s.evictedTokens <= room, "computed tokens without a block");
  require(s.blockStarts.size() == (running && s.evictedTokens > 0 ? s.blockTable.size() : 0),
          "the positions of blocks are not those of its table");
  require(std::ranges::is_sorted(s.blockStarts) && (s.blockStarts.empty() || s.blockStarts.front() >= 0) &&
              (s.blockStarts.empty() || s.blockStarts.back() <= length),
          "the positions of blocks");
}

// Each swapped block has a slot of its own. Only a swapped sequence has any, or one that was admitted and
// whose blocks Allocate swaps in.
void checkSwapped(const MachineState& state) {
  std::set<std::pair<SwapTier, int>> slots;
  for (const auto& [id, s] : state.sequences) {
    const bool may = s.status == SequenceStatus::kSwapped || s.status == SequenceStatus::kRunning;
    require(may || s.swapped.empty(), "swapped blocks of a sequence that cannot have any");
    int next = static_cast<int>(s.blockTable.size());
    for (const SwappedBlock& b : s.swapped) {
      require(b.index == next++, "a gap in the swapped blocks");
      const int count = state.swapBlocks[static_cast<std::size_t>(b.tier)];
      require(b.slot >= 0 && b.slot < count && slots.insert({b.tier, b.slot}).second, "a slot taken twice");
    }
    require(s.status != SequenceStatus::kSwapped ||
                s.computedTokens <= static_cast<std::int64_t>(s.swapped.size()) * state.blockSize,
            "a swapped sequence without its blocks");
  }
}

// Every running sequence stands once in `running`, every waiting or preempted one once in `waiting`.
void checkLists(const MachineState& state) {
  std::set<SequenceId> listed;
  const auto check = [&](const std::vector<SequenceId>& list, bool running) {
    const SequenceState* before = nullptr;
    for (SequenceId id : list) {
      const auto found = state.sequences.find(id);
      require(found != state.sequences.end() && listed.insert(id).second,
              "an unknown or repeated id in a list");
      const SequenceStatus status = found->second.status;
      require(status != SequenceStatus::kFinished && (status == SequenceStatus::kRunning) == running,
              "a sequence in the wrong list");
      const SequenceState& here = found->second;
      require(before == nullptr || std::tuple(before->rank, before->request, before->index) <
                                       std::tuple(here.rank, here.request, here.index),
              "a list that is not sorted by rank");
      before = &here;
    }
  };
  check(state.waiting, false);
  check(state.running, true);
  std::size_t unfinished = 0;
  for (const auto& [id, s] : state.sequences) unfinished += s.status != SequenceStatus::kFinished ? 1 : 0;
  require(unfinished == listed.size(), "an unfinished sequence in no list");
  for (const ScheduledWork& work : state.batch) {
    const auto found = state.sequences.find(work.sequence);
    require(found != state.sequences.end() && found->second.status == SequenceStatus::kRunning,
            "work for a sequence that is not running");
    const int length = static_cast<int>(found->second.tokens.size());
    require(work.draftTokens >= 0 && work.draftTokens < work.tokens && work.firstPosition >= 0 &&
                work.firstPosition <= length && work.tokens - work.draftTokens <= length - work.firstPosition,
            "work beyond a sequence's tokens");
  }
}

// Of an engine that is seen from outside: cached blocks, and the places of evicted ones.
void checkToldBlocks(const MachineState& state) {
  for (const auto& [id, s] : state.sequences)
    require(s.blockTable.empty() && s.computedTokens == 0, "blocks or computed tokens that cannot be seen");
  for (const BlockState& block : state.blocks)
    require(block.refCount == 0 && block.filled == (block.cached ? state.blockSize : 0) &&
                (block.cached || block.hash == 0),
            "a block with more than can be seen");
}

void checkBlocks(const MachineState& state) {
  if (state.isFromOutside()) return checkToldBlocks(state);
  std::vector<int> holders(state.blocks.size(), 0);
  for (const auto& [id, s] : state.sequences)
    for (BlockId block : s.blockTable) {
      require(block >= 0 && static_cast<std::size_t>(block) < holders.size(), "an unknown block in a table");
      ++holders[static_cast<std::size_t>(block)];
    }
  require(static_cast<std::size_t>(state.freeQueue.capacity()) == holders.size(),
          "a free queue for another number of blocks");
  constexpr int kFree = -1;
  for (BlockId block : state.freeQueue) {
    int& count = holders[static_cast<std::size_t>(block)];
    require(count == 0, "a free block that is held");
    count = kFree;
  }
  for (std::size_t i = 0; i < holders.size(); ++i) {
    const BlockState& block = state.blocks[i];
    require(holders[i] != 0, "a block that is neither free nor held");
    require(block.refCount == (holders[i] == kFree ? 0 : holders[i]),
            "a reference count that differs from the number of holders");
    require(block.filled >= 0 && block.filled <= state.blockSize, "a block filled beyond its size");
    require(block.cached ? block.filled == state.blockSize : block.hash == 0,
            "a cached block that is not full");
    require(block.refCount > 0 || block.cached || block.filled == 0,
            "a free block with content that no index entry names");
  }
}

}  // namespace

void requireConsistent(const MachineState& state) {
  require(state.step >= 0 && state.blockSize >= 1 && state.blockSize <= 65536, "step or block size");
  for (const auto& [id, request] : state.requests) {
    require(id > 0 && request.id == id && !request.sequences.empty(), "a request's numbers");
    require(request.submittedNs >= 0 &&
                (request.firstTokenNs == -1 || request.firstTokenNs >= request.submittedNs),
            "a request's times");
    for (SequenceId sequence : request.sequences) {
      const auto found = state.sequences.find(sequence);
      require(found != state.sequences.end() && found->second.request == id, "a request's sequence");
    }
  }
  for (const auto& [id, sequence] : state.sequences) checkSequence(state, id, sequence);
  checkLists(state);
  checkBlocks(state);
  checkSwapped(state);
}

}  // namespace vitrine
