// Breakpoints: conditions on events, at which a run stops.
//
// check() sees every event of a run in order and says which condition it meets. So a host stops the engine
// there, and a window finds the same moment in a recording. The idea is a debugger's (Ripes, rr). Thread: one
// at a time. Read next: breakpoint.h, breakpoint_sink.h.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "vitrine/breakpoint.h"

namespace vitrine {

class Breakpoints {
 public:
  Breakpoints() { set({}); }

  void set(std::vector<Breakpoint> list);
  const std::vector<Breakpoint>& list() const { return m_list; }

  // For a run whose beginning was not seen.
  void begin(const MachineState& state);
  // Events of a run in order: the first breakpoint of the list that this event meets. One look into a table
  // for an event without one; allocates only for events that introduce a request or sequence, and for those
  // whose fields a breakpoint compares.
  std::optional<BreakHit> check(const Event& event);

 private:
  struct Named {
    std::string name;
    SequenceId first = 0;
  };
  struct Known {
    RequestId request = 0;
    bool isNew = false;  // admitted, and its prompt not yet scheduled
  };
  void note(const Event& event);
  void noteAdmission(const Event& event);
  void noteScheduled(const Event& event);
  bool meets(const Breakpoint& breakpoint, const Event& event, BreakHit& hit) const;
  template <typename Body>
  bool meetsBody(const Breakpoint& breakpoint, const Body& body, BreakHit& hit) const;
  bool meetsEvent(const Breakpoint& breakpoint, const Event& event, BreakHit& hit) const;
  bool concerns(const Breakpoint& breakpoint, const BreakHit& hit) const;
  RequestId requestOf(SequenceId sequence) const;

  std::vector<Breakpoint> m_list;
  // For each event of EventVariant: the kinds that it may meet and that are enabled, a bit each.
  std::array<std::uint16_t, std::variant_size_v<EventVariant>> m_watched{};
  std::map<SequenceId, Known> m_sequences;
  std::map<RequestId, Named> m_requests;
  int m_blockSize = 0;  // 0: without a KV cache
};

}  // namespace vitrine
