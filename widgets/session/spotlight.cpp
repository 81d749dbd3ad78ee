#include "widgets/session/spotlight.h"

#include <algorithm>

namespace vitrine {

void Spotlight::point(const prose::Target& target) {
  if (target == m_target) return;
  m_target = target;
  emit changed();
}

bool Spotlight::isOnSequence(SequenceId sequence, RequestId request) const {
  if (m_target.sequence != 0) return sequence == m_target.sequence;
  return isOnRequest(request);
}

bool Spotlight::isOnCell(SequenceId sequence, int step) const {
  return m_target.step != 0 && step == m_target.step && sequence == m_target.sequence;
}

bool Spotlight::isOnBlock(BlockId block, std::span<const SequenceId> owners,
                          std::span<const RequestId> requests) const {
  if (!m_target.blocks.empty()) return std::ranges::find(m_target.blocks, block) != m_target.blocks.end();
  if (!isWhole()) return false;
  if (m_target.sequence != 0) return std::ranges::find(owners, m_target.sequence) != owners.end();
  return std::ranges::any_of(requests, [this](RequestId request) { return isOnRequest(request); });
}

}  // namespace vitrine

#include "moc_spotlight.cpp"
