#include "widgets/session/sampling_history.h"

#include <algorithm>

namespace vitrine {

void SamplingHistory::note(const Event& event) {
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    Entry& entry = m_requests[submitted->request];
    entry = {event.step, submitted->asked, {}};
    entry.request.prompt = {};
    entry.request.tokenIds = entry.request.outputIds = {};
  } else if (const auto* changed = bodyOf<SamplingChanged>(event)) {
    const auto [place, isNew] = m_requests.try_emplace(changed->request);
    if (isNew) place->second.step = event.step;  // the recording began after its submission
    place->second.changes.push_back({event.step, changed->sampling});
  }
}

// The last change before `end`, else what the request was submitted with.
std::optional<SamplingOptions> SamplingHistory::before(RequestId request, int step, int end) const {
  const auto found = m_requests.find(request);
  if (found == m_requests.end() || found->second.step > step) return std::nullopt;
  const Entry& entry = found->second;
  const auto next = std::ranges::lower_bound(entry.changes, end, {}, &Change::step);
  return next == entry.changes.begin() ? entry.request.sampling : std::prev(next)->sampling;
}

std::optional<SamplingOptions> SamplingHistory::at(RequestId request, int step) const {
  return before(request, step, step + 1);
}

std::optional<SamplingOptions> SamplingHistory::inStep(RequestId request, int step) const {
  return before(request, step, step);
}

const Request* SamplingHistory::submitted(RequestId request) const {
  const auto found = m_requests.find(request);
  return found == m_requests.end() ? nullptr : &found->second.request;
}

}  // namespace vitrine
