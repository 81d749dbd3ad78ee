// SamplingHistory: what each request of a run was submitted with, and its sampling options at any step, from
// the run's events.
//
// An entry for each request and each change, a few hundred bytes; prompts are not kept. Thread: the window's.
// Read next: session.h.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

class SamplingHistory {
 public:
  void note(const Event& event);  // the events of a run in order
  void clear() { m_requests.clear(); }

  // As they are at the end of the step; empty when the request had not been submitted by then.
  std::optional<SamplingOptions> at(RequestId request, int step) const;
  // With which the step draws: a change holds from the next step on.
  std::optional<SamplingOptions> inStep(RequestId request, int step) const;
  // As it was submitted, without its prompt; null for an unknown request.
  const Request* submitted(RequestId request) const;

 private:
  struct Change {
    int step;
    SamplingOptions sampling;
  };
  struct Entry {
    int step = 0;  // of the submission
    Request request;
    std::vector<Change> changes;  // oldest first
  };
  std::optional<SamplingOptions> before(RequestId request, int step, int end) const;

  std::map<RequestId, Entry> m_requests;
};

}  // namespace vitrine
