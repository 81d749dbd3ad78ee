// Expectations: the events that a scenario promises, and the steps in which they happened.
//
// An expected event comes with a sentence and with the panel that shows it. It names no step, so that it
// holds for another model with other answers. Thread: one thread at a time. Read next: scenario.h.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "vitrine/event_sink.h"

namespace vitrine {

struct LookAt {
  std::string words;
  std::string panel;                                      // one of expectationPanels(); empty: none
  std::string event;                                      // by its name in a trace: "sequence_preempted"
  std::string request;                                    // the event's request by name; empty: any
  std::vector<std::pair<std::string, std::string>> with;  // fields of the event and their values, as JSON
};

const std::vector<std::string>& expectationPanels();

class Expectations final : public EventSink {
 public:
  struct Sight {
    bool seen = false;
    int step = 0;             // the first in which it happened
    SequenceId sequence = 0;  // of the event; 0: none
  };

  Expectations() = default;
  explicit Expectations(std::vector<LookAt> wanted)
      : m_wanted(std::move(wanted)), m_sights(m_wanted.size()) {}

  void publish(const Event& event) override;  // an EngineLoaded resets all

  const std::vector<LookAt>& wanted() const { return m_wanted; }
  const std::vector<Sight>& sights() const { return m_sights; }  // one for each of wanted()

 private:
  void note(const Event& event);

  std::vector<LookAt> m_wanted;
  std::vector<Sight> m_sights;
  std::map<RequestId, std::pair<std::string, SequenceId>> m_requests;  // name and first sequence
  std::map<SequenceId, RequestId> m_requestOf;
};

}  // namespace vitrine
