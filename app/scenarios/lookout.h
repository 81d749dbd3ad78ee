// Lookout: what a scenario wants seen, and when it came to pass.
//
// A sight is an event to wait for, in plain words and with the panel that shows it; it names no step, so that
// another model, which answers otherwise, tells the same story. Read next: scenario.h.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "vitrine/event_sink.h"

namespace vitrine {

struct LookAt {
  std::string words;
  std::string panel;                                      // one of lookAtPanels(); empty: none in particular
  std::string event;                                      // by its name in a trace: "sequence_preempted"
  std::string request;                                    // whose event; empty: anybody's
  std::vector<std::pair<std::string, std::string>> with;  // fields of the event and their values, as JSON
};

const std::vector<std::string>& lookAtPanels();

class Lookout final : public EventSink {
 public:
  struct Sight {
    bool seen = false;
    int step = 0;             // the first at which it was seen
    SequenceId sequence = 0;  // whose event it was; 0: nobody's
  };

  Lookout() = default;
  explicit Lookout(std::vector<LookAt> wanted) : m_wanted(std::move(wanted)), m_sights(m_wanted.size()) {}

  void publish(const Event& event) override;  // an EngineLoaded begins anew

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
