#include "cache/swap_space.h"

#include <algorithm>

#include "core/check.h"

namespace vitrine {

SwapSpace::SwapSpace(int hostSlots, int diskSlots, std::int64_t blockBytes, SwapMover& mover,
                     EventStream& events)
    : m_blockBytes(blockBytes),
      m_mover(mover),
      m_events(events),
      m_cameAt(static_cast<std::size_t>(hostSlots)) {
  at(SwapTier::kHost).total = hostSlots;
  at(SwapTier::kDisk).total = diskSlots;
  for (Tier& tier : m_tiers)
    for (int slot = tier.total - 1; slot >= 0; --slot) tier.freeSlots.push_back(slot);
}

bool SwapSpace::swapOut(SequenceId sequence, std::span<const BlockId> table, int tokens) {
  VITRINE_CHECK(static_cast<int>(table.size()) <= freeCount() && !m_content.contains(sequence));
  std::vector<SwappedBlock>& content = m_content[sequence].blocks;
  content.reserve(table.size());
  const std::int64_t beganNs = m_events.nowNs();
  for (int index = 0; index < static_cast<int>(table.size()); ++index) {
    const BlockId block = table[static_cast<std::size_t>(index)];
    SwapFailed what{sequence, SwapMove::kDemote, SwapTier::kDisk, index, tokens, {}, {}, {}};
    try {
      if (free(SwapTier::kHost) == 0 && at(SwapTier::kHost).total > 0) demoteOldest();
      const SwapTier tier = free(SwapTier::kHost) > 0 ? SwapTier::kHost : SwapTier::kDisk;
      const int slot = at(tier).freeSlots.back();
      what.move = SwapMove::kOut;
      what.tier = tier;
      m_mover.moveOut({sequence, index}, block, {tier, slot});
      if (tier == SwapTier::kHost) {
        m_inHost[m_now + 1] = {sequence, index};
        m_cameAt[static_cast<std::size_t>(slot)] = ++m_now;
      }
      at(tier).freeSlots.pop_back();
      content.push_back({index, tier, slot});
      ++m_step.outBlocks;
      m_events.publish(BlockSwappedOut{block, sequence, index, tier, slot, m_blockBytes});
    } catch (const EngineError& error) {
      m_step.ns += m_events.nowNs() - beganNs;
      return fail(std::move(what), error);
    }
  }
  m_step.ns += m_events.nowNs() - beganNs;
  return true;
}

void SwapSpace::demoteOldest() {
  // [why:demotion]
  const auto [sequence, index] = m_inHost.begin()->second;
  std::vector<SwappedBlock>& all = m_content.at(sequence).blocks;
  SwappedBlock& content = all[static_cast<std::size_t>(index - all.front().index)];
  const int hostSlot = content.slot, diskSlot = at(SwapTier::kDisk).freeSlots.back();
  m_mover.demote({sequence, index}, hostSlot, diskSlot);
  at(SwapTier::kDisk).freeSlots.pop_back();
  at(SwapTier::kHost).freeSlots.push_back(hostSlot);
  m_inHost.erase(m_inHost.begin());
  // [/why:demotion]
  content = {index, SwapTier::kDisk, diskSlot};
  ++m_step.demotedBlocks;
  m_events.publish(BlockDemoted{sequence, index, hostSlot, diskSlot, m_blockBytes});
}

bool SwapSpace::swapIn(SequenceId sequence, BlockId block, int lostTokens) {
  const SwappedBlock content = m_content.at(sequence).left().front();
  const std::int64_t beganNs = m_events.nowNs();
  try {
    m_mover.moveIn({sequence, content.index}, {content.tier, content.slot}, block);
  } catch (const EngineError& error) {
    return fail({sequence, SwapMove::kIn, content.tier, content.index, lostTokens, {}, {}, {}}, error);
  }
  m_step.ns += m_events.nowNs() - beganNs;
  ++m_step.inBlocks;
  forget(sequence, content.index + 1);
  m_events.publish(BlockSwappedIn{block, sequence, content.index, content.tier, content.slot, m_blockBytes});
  return true;
}

bool SwapSpace::fail(SwapFailed what, const EngineError& error) {
  what.code = errorCodeName(error.code());
  what.message = error.what();
  what.hint = error.hint();
  const SequenceId sequence = what.sequence;
  Boxed<SwapFailed> failed(
      std::move(what));  // memory first: nothing may fail between the change and its event
  forget(sequence);
  m_events.publish(std::move(failed));
  return false;
}

std::span<const SwappedBlock> SwapSpace::contentOf(SequenceId sequence) const {
  const auto found = m_content.find(sequence);
  return found == m_content.end() ? std::span<const SwappedBlock>() : found->second.left();
}

void SwapSpace::forget(SequenceId sequence, int index) {
  const auto found = m_content.find(sequence);
  if (found == m_content.end()) return;
  Content& content = found->second;
  while (!content.left().empty() && content.left().front().index < index) {
    release(content.left().front());
    ++content.gone;
  }
  if (content.left().empty()) m_content.erase(found);
}

void SwapSpace::release(const SwappedBlock& content) {
  at(content.tier).freeSlots.push_back(content.slot);
  if (content.tier == SwapTier::kHost) m_inHost.erase(m_cameAt[static_cast<std::size_t>(content.slot)]);
}

void SwapSpace::publishStep() {
  if (m_step.outBlocks + m_step.demotedBlocks + m_step.inBlocks == 0) {
    m_step.ns = 0;
    return;
  }
  m_step.outBytes = m_step.outBlocks * m_blockBytes;
  m_step.demotedBytes = m_step.demotedBlocks * m_blockBytes;
  m_step.inBytes = m_step.inBlocks * m_blockBytes;
  m_step.hostBlocks = at(SwapTier::kHost).total - free(SwapTier::kHost);
  m_step.diskBlocks = at(SwapTier::kDisk).total - free(SwapTier::kDisk);
  m_events.publish(m_step);
  m_step = {};
}

}  // namespace vitrine
