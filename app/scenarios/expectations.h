// Expectations: the events that a scenario promises, and the steps in which they happened.
//
// An expected event comes with a sentence and with the panel that shows it. It names no step, so that it
// holds for another model with other answers. Thread: one thread at a time. Read next: scenario.h,
// vitrine/breakpoint.h.
#pragma once

#include <string>
#include <vector>

#include "vitrine/breakpoints.h"
#include "vitrine/event_sink.h"

namespace vitrine {

struct ExpectedEvent {
  std::string words;
  std::string panel;    // one of expectationPanels(); empty: none
  std::string event;    // by its name in a trace: "sequence_preempted"
  std::string request;  // the event's request by name; empty: any
  FieldValues with;     // of the event
};

Breakpoint breakpointAt(const ExpectedEvent& look);  // a run stops where it happens

const std::vector<std::string>& expectationPanels();

class Expectations final : public EventSink {
 public:
  struct Occurrence : BreakHit {  // where it happened first
    bool seen = false;
  };

  Expectations() = default;
  explicit Expectations(std::vector<ExpectedEvent> wanted);

  void publish(const Event& event) override;  // an EngineLoaded resets all

  const std::vector<ExpectedEvent>& wanted() const { return m_wanted; }
  const std::vector<Occurrence>& occurrences() const { return m_occurrences; }  // one for each of wanted()
  // Places in wanted(): those that have happened by their steps, then the others as they were given.
  std::vector<std::size_t> inOrder() const;

 private:
  std::vector<ExpectedEvent> m_wanted;
  std::vector<Occurrence> m_occurrences;
  Breakpoints m_breakpoints;  // one for each; disabled when it was met
};

}  // namespace vitrine
