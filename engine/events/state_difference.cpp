#include "vitrine/state_difference.h"

#include <algorithm>
#include <set>

namespace vitrine {
namespace {

// How many elements two lists have in common at their beginning.
template <typename List>
int keptOf(const List& before, const List& after) {
  return static_cast<int>(std::ranges::mismatch(before, after).in1 - before.begin());
}

// The same for texts in UTF-8; never the half of a character.
int keptText(const std::string& before, const std::string& after) {
  int kept = keptOf(before, after);
  const auto isInside = [](const std::string& text, int at) {
    return at < static_cast<int>(text.size()) &&
           (static_cast<unsigned char>(text[static_cast<std::size_t>(at)]) & 0xc0) == 0x80;
  };
  while (kept > 0 && (isInside(before, kept) || isInside(after, kept))) --kept;
  return kept;
}

// The ids of either map, in order.
template <typename Id, typename Value>
std::set<Id> idsOf(const std::map<Id, Value>& before, const std::map<Id, Value>& after) {
  std::set<Id> ids;
  for (const auto& [id, value] : before) ids.insert(id);
  for (const auto& [id, value] : after) ids.insert(id);
  return ids;
}
template <typename Id, typename Value>
const Value& valueIn(const std::map<Id, Value>& values, Id id) {
  static const Value none;
  const auto found = values.find(id);
  return found == values.end() ? none : found->second;
}

void addRequest(std::vector<RequestChange>& changes, RequestId id, const RequestState& before,
                const RequestState& after) {
  using enum RequestField;
  const auto add = [&](bool differs, RequestField field, int kept = 0) {
    if (differs) changes.push_back({id, field, kept});
  };
  add(before.id != after.id, kPresence);
  if (after.id == 0) return;
  add(before.finished != after.finished, kFinished);
  add(before.cancelled != after.cancelled, kCancelled);
  add(before.firstTokenNs != after.firstTokenNs, kFirstToken);
  add(before.beams != after.beams, kBeams, keptOf(before.beams, after.beams));
  add(before.hypotheses != after.hypotheses, kHypotheses, keptOf(before.hypotheses, after.hypotheses));
}

void addSequence(std::vector<SequenceChange>& changes, SequenceId id, const SequenceState& before,
                 const SequenceState& after) {
  using enum SequenceField;
  const auto add = [&](bool differs, SequenceField field, int kept = 0) {
    if (differs) changes.push_back({id, field, kept});
  };
  add(before.id != after.id || before.status != after.status || before.finishReason != after.finishReason,
      kStatus);
  if (after.id == 0) return;
  add(before.tokens != after.tokens, kTokens, keptOf(before.tokens, after.tokens));
  add(before.text != after.text, kText, keptText(before.text, after.text));
  add(before.computedTokens != after.computedTokens, kComputed);
  add(before.cachedTokens != after.cachedTokens, kCached);
  add(before.blockTable != after.blockTable, kBlockTable, keptOf(before.blockTable, after.blockTable));
  add(before.swapped != after.swapped, kSwapped);
  add(before.evictedTokens != after.evictedTokens, kEvicted);
  add(before.preemptions != after.preemptions, kPreemptions);
  add(before.rank != after.rank, kRank);
  add(before.wait != after.wait, kWait);
  add(before.prefixMiss != after.prefixMiss, kPrefixMiss);
  add(before.score != after.score, kScore);
}

std::vector<BlockUse> usesOf(const MachineState& state) {
  std::vector<BlockUse> uses;
  uses.reserve(state.blocks.size());
  for (const BlockState& block : state.blocks)
    uses.push_back({block.refCount, 0, block.filled, block.cached});
  for (const auto& [id, sequence] : state.sequences)
    for (const BlockId block : sequence.blockTable)
      if (BlockUse& use = uses[static_cast<std::size_t>(block)]; use.holder == 0) use.holder = id;
  return uses;
}

// Neighbours that changed alike are one range.
std::vector<BlockRangeChange> blockChanges(const MachineState& before, const MachineState& after) {
  std::vector<BlockRangeChange> changes;
  std::vector<BlockUse> were = usesOf(before), are = usesOf(after);
  const std::size_t count = std::max(were.size(), are.size());
  were.resize(count), are.resize(count);
  const auto hashOf = [](const MachineState& state, std::size_t i) {
    return i < state.blocks.size() ? state.blocks[i].hash : 0;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const bool rewritten = were[i].cached && are[i].cached && hashOf(before, i) != hashOf(after, i);
    if (were[i] == are[i] && !rewritten) continue;
    const auto id = static_cast<BlockId>(i);
    const BlockRangeChange one{id, id, were[i], are[i], rewritten};
    const BlockRangeChange* const last = changes.empty() ? nullptr : &changes.back();
    if (last && last->last + 1 == id && last->before == one.before && last->after == one.after &&
        last->rewritten == rewritten)
      changes.back().last = id;
    else
      changes.push_back(one);
  }
  return changes;
}

std::vector<MachineChange> machineChanges(const MachineState& before, const MachineState& after) {
  using enum MachineField;
  std::vector<MachineChange> changes;
  const auto add = [&](bool differs, MachineField field, int kept = 0) {
    if (differs) changes.push_back({field, kept});
  };
  const auto cached = [](const MachineState& state) {
    return std::ranges::count_if(state.blocks, &BlockState::cached);
  };
  const auto shared = [](const MachineState& state) {
    return std::ranges::count_if(state.blocks, [](const BlockState& block) { return block.refCount > 1; });
  };
  add(before.freeQueue != after.freeQueue, kFreeQueue, keptOf(before.freeQueue.ids(), after.freeQueue.ids()));
  add(cached(before) != cached(after), kCachedBlocks);
  add(shared(before) != shared(after), kSharedBlocks);
  add(before.running != after.running, kRunning, keptOf(before.running, after.running));
  add(before.waiting != after.waiting, kWaiting, keptOf(before.waiting, after.waiting));
  add(before.swapBlocks != after.swapBlocks, kSwapSlots);
  return changes;
}

}  // namespace

StateDifference differenceBetween(const MachineState& before, const MachineState& after) {
  StateDifference difference;
  difference.machine = machineChanges(before, after);
  for (const RequestId id : idsOf(before.requests, after.requests))
    addRequest(difference.requests, id, valueIn(before.requests, id), valueIn(after.requests, id));
  for (const SequenceId id : idsOf(before.sequences, after.sequences))
    addSequence(difference.sequences, id, valueIn(before.sequences, id), valueIn(after.sequences, id));
  difference.blocks = blockChanges(before, after);
  return difference;
}

}  // namespace vitrine
