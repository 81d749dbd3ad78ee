#include "scheduling/aging.h"

#include <algorithm>

#include "scheduling/policy.h"

namespace vitrine {

void Aging::add(Sequence& sequence) {
  if (isOn()) m_young.insert(&sequence);
}

void Aging::remove(Sequence& sequence) noexcept { m_young.erase(&sequence); }

void Aging::apply() {
  if (!isOn()) return;
  const std::int64_t now = m_state.events.stepNs();
  // [why:aging]
  while (!m_young.empty()) {
    Sequence& sequence = **m_young.begin();
    const int steps = m_state.events.step() - sequence.submittedStep;
    if (steps < m_state.options.agingSteps) return;
    m_young.erase(m_young.begin());
    if (sequence.rank <= now) continue;  // due already
    if (sequence.status == SequenceStatus::kRunning) {
      m_state.running.erase(std::ranges::find(m_state.running, &sequence));
      sequence.rank = now;
      insertBehindEquals(m_state.running, sequence);
    } else {
      m_state.waiting.setRank(sequence, now);
    }
    m_state.events.publish(SequenceAged{sequence.id, steps, now});
  }
  // [/why:aging]
}

}  // namespace vitrine
