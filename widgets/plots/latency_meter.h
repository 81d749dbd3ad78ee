// LatencyMeter: TTFT and ITL of all requests of a run so far, as statistics.h defines them. A request's TTFT
// counts from its first token on, not from its end, so that a live plot shows it at once.
//
// Memory: a few bytes for each unfinished request and sequence. Thread: a value. Read next: metrics_model.h.
#pragma once

#include <map>

#include "vitrine/event.h"
#include "widgets/plots/duration_sketch.h"

namespace vitrine {

class LatencyMeter {
 public:
  // Requires the events of a run in order, from its beginning or from a Snapshot on, which adds the requests
  // in flight.
  void add(const Event& event);

  const DurationSketch& ttft() const { return m_ttft; }
  const DurationSketch& itl() const { return m_itl; }

 private:
  struct Answer {
    RequestId request = 0;
    std::int64_t lastTokenNs = -1;
  };

  void join(const MachineState& state);
  void noteFirstToken(RequestId request, std::int64_t timeNs);
  void onToken(SequenceId sequence, std::int64_t timeNs);

  std::map<RequestId, std::int64_t> m_tokenless;  // time of submission of requests without a token
  std::map<SequenceId, Answer> m_answers;         // of sequences that have not finished
  DurationSketch m_ttft, m_itl;
};

}  // namespace vitrine
