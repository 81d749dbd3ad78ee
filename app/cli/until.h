// Until: the conditions of --until; a run stops at the end of the step in which one of them is met.
// Thread: the engine's. Read next: vitrine/breakpoints.h.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/json_files.h"
#include "event_names.h"
#include "vitrine/breakpoint_sink.h"

namespace vitrine::cli {

class Until final : public EventSink {
 public:
  explicit Until(const std::vector<std::string>& conditions);  // throws UsageError

  void publish(const Event& event) override;
  bool stopped() const { return m_stop.has_value(); }
  bool needsEntropy() const { return m_breakpoints.needsEntropy(); }

  Json toJson() const;  // null when none of them was met
  void print() const;   // why the run stopped, to standard error; nothing without conditions

 private:
  std::string sentence() const;

  const std::vector<std::string> m_conditions;
  BreakpointSink m_breakpoints;
  EventNames m_names;
  std::optional<BreakStop> m_stop;
};

}  // namespace vitrine::cli
