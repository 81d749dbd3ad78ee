#include "widgets/models/sampling_history.h"

#include <algorithm>

namespace vitrine {

void SamplingHistory::note(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    m_changes[submitted->request] = {{event.step, submitted->sampling}};
  } else if (const auto* changed = bodyOf<SamplingChanged>(event)) {
    m_changes[changed->request].push_back({event.step, changed->sampling});
  }
}

std::optional<SamplingOptions> SamplingHistory::at(RequestId request, int step) const {
  const auto found = m_changes.find(request);
  if (found == m_changes.end()) return std::nullopt;
  const auto& changes = found->second;
  const auto next = std::ranges::upper_bound(changes, step, {}, &Change::step);
  if (next == changes.begin()) return std::nullopt;
  return std::prev(next)->sampling;
}

}  // namespace vitrine
