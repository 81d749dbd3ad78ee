// ReplayingSink: follows the events with a MachineState, as a window does, and keeps what went wrong.
#pragma once

#include <map>
#include <string>

#include "support/event_log.h"
#include "vitrine/event_sink.h"
#include "vitrine/machine_state.h"

namespace vitrine {

class ReplayingSink final : public EventSink {
 public:
  void publish(const Event& event) override {
    if (event.number != m_nextNumber++ && error.empty()) error = "a gap in the numbers";
    ++counts[event.body.index()];
    const auto* preempted = std::get_if<SequencePreempted>(&event.body);
    if (preempted != nullptr && preempted->reason == PreemptReason::kImportance) {
      ++forImportance;
      const auto sequence = state.sequences.find(preempted->sequence);
      beamsPreempted +=
          sequence != state.sequences.end() && state.requests.at(sequence->second.request).beamWidth > 1 ? 1
                                                                                                         : 0;
    }
    if (const auto* verified = std::get_if<DraftVerified>(&event.body))
      for (const DraftJudgement& one : verified->judgements) {
        if (one.q == 0) continue;  // greedy, or not judged
        const bool same = one.verdict == DraftVerdict::kSame, differs = one.verdict == DraftVerdict::kDiffers;
        drawnDrafts.accepted += same ? 1 : 0;
        drawnDrafts.rejected += differs ? 1 : 0;
      }
    if (const auto* waiting = std::get_if<SequenceWaiting>(&event.body))
      windows += waiting->reason == WaitReason::kWindow ? 1 : 0;
    try {
      state.apply(event);
    } catch (const EngineError& contradiction) {
      if (error.empty()) error = contradiction.what();
    }
  }

  template <typename Body>
  std::int64_t count() const {
    const auto found = counts.find(EventBody(Body{}).index());
    return found == counts.end() ? 0 : found->second;
  }

  MachineState state;
  std::string error;
  std::map<std::size_t, std::int64_t> counts;          // by kind
  std::int64_t forImportance = 0, beamsPreempted = 0;  // preempted for importance
  std::int64_t windows = 0;                            // waits for company
  struct {
    std::int64_t accepted = 0, rejected = 0;
  } drawnDrafts;  // tokens drawn with the model's random number (DraftAcceptance::kSameDraw)

 private:
  std::int64_t m_nextNumber = 0;
};

// The list of all events, and a replay of them.
struct Watched {
  EventLog log;
  ReplayingSink replay;
  EventFanOut both;
  Watched() {
    both.add(&log);
    both.add(&replay);
  }
};

}  // namespace vitrine
