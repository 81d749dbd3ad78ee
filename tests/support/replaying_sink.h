// ReplayingSink: follows the events with a MachineState, as a window does, and keeps what went wrong.
#pragma once

#include <map>
#include <string>

#include "vitrine/event_sink.h"
#include "vitrine/machine_state.h"

namespace vitrine {

class ReplayingSink final : public EventSink {
 public:
  void publish(const Event& event) override {
    if (event.number != m_nextNumber++ && error.empty()) error = "a gap in the numbers";
    ++counts[event.body.index()];
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
  std::map<std::size_t, std::int64_t> counts;  // by kind

 private:
  std::int64_t m_nextNumber = 0;
};

}  // namespace vitrine
