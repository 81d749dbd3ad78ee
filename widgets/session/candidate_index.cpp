#include "widgets/session/candidate_index.h"

#include <algorithm>

#include "vitrine/error.h"

namespace vitrine {

void CandidateIndex::note(const Event& event) {
  if (const auto* detail = bodyOf<TokenCandidates>(event)) {
    std::vector<int>& steps = m_steps[detail->sequence];
    if (steps.empty() || steps.back() != event.step) steps.push_back(event.step);
  } else if (const auto* finished = bodyOf<SequenceFinished>(event)) {
    const auto steps = m_steps.find(finished->sequence);
    if (steps != m_steps.end()) steps->second.shrink_to_fit();
  }
}

void CandidateIndex::clear() {
  m_steps.clear();
  m_last = {};
}

int CandidateIndex::stepOf(SequenceId sequence, std::optional<int> cursor) const {
  const auto known = m_steps.find(sequence);
  if (known == m_steps.end()) return 0;
  const std::vector<int>& steps = known->second;
  const auto behind = cursor ? std::ranges::upper_bound(steps, *cursor) : steps.end();
  return behind == steps.begin() ? 0 : *std::prev(behind);
}

std::shared_ptr<const TokenCandidates> CandidateIndex::find(SequenceId sequence, std::optional<int> cursor,
                                                            const Recording& recording) const {
  const int step = stepOf(sequence, cursor);
  if (step == 0) return nullptr;
  // Only the last step's detail may still change.
  const bool isLast = step == recording.lastStep();
  const std::int64_t size = isLast ? recording.size() : 0;
  if (m_last.sequence == sequence && m_last.step == step && m_last.size == size) return m_last.candidates;
  m_last = {sequence, step, size, nullptr};
  try {
    for (const Event& event : !cursor && isLast ? recording.eventsSince(step) : recording.eventsOf(step)) {
      const auto* detail = std::get_if<Boxed<TokenCandidates>>(&event.body);
      if (detail && (**detail).sequence == sequence) m_last.candidates = detail->share();
    }
  } catch (const EngineError&) {  // a part that the disk has lost cannot be shown
  }
  return m_last.candidates;
}

}  // namespace vitrine
