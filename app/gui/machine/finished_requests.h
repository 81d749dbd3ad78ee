// FinishedRequests: the requests that have finished and that the engine has not forgotten, the oldest first;
// of a run whose beginning was not seen, in the order of their submission. Thread: the engine's. Read next:
// engine_worker.h.
#pragma once

#include <deque>

#include "vitrine/event_sink.h"
#include "vitrine/machine_state.h"

namespace vitrine {

class FinishedRequests final : public EventSink {
 public:
  void publish(const Event& event) override {
    if (isA<EngineLoaded>(event)) m_requests.clear();
    if (const auto* snapshot = bodyOf<Snapshot>(event)) begin(*snapshot->state);
    if (const auto* finished = bodyOf<RequestFinished>(event)) m_requests.push_back(finished->request);
  }

  std::size_t count() const { return m_requests.size(); }
  RequestId takeOldest() {
    const RequestId oldest = m_requests.front();
    m_requests.pop_front();
    return oldest;
  }

 private:
  void begin(const MachineState& state) {
    m_requests.clear();
    for (const auto& [id, request] : state.requests)
      if (request.finished) m_requests.push_back(id);
  }

  std::deque<RequestId> m_requests;
};

}  // namespace vitrine
