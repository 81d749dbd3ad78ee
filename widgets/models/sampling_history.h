// SamplingHistory: the sampling options of each request at any step of the run, from its events.
//
// An entry for each request and each change, about a hundred bytes. Thread: the window's.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

class SamplingHistory {
 public:
  void note(const Event& event);  // the events of a run in order
  void clear() { m_changes.clear(); }

  // As they are at the end of the step; empty when the request had not been submitted by then.
  std::optional<SamplingOptions> at(RequestId request, int step) const;

 private:
  struct Change {
    int step;
    SamplingOptions sampling;
  };
  std::map<RequestId, std::vector<Change>> m_changes;  // oldest first
};

}  // namespace vitrine
