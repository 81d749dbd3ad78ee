// TraceStory: the layout of `vitrine-cli trace show`: steps with a heading, one decision a line.
//
// The sentences are those of vitrine/prose/event_prose.h, with the names of the requests.
// Read next: trace_story.cpp.
#pragma once

#include <string>
#include <vector>

#include "event_names.h"

namespace vitrine::cli {

class TraceStory {
 public:
  TraceStory() = default;
  TraceStory(const TraceStory&) = delete;
  TraceStory& operator=(const TraceStory&) = delete;

  // The lines that this event completes, without the last newline. They may be none: block events in a row
  // share a line, which ends with the run.
  std::string add(const Event& event);

 private:
  std::string linesOf(const Event& event) const;

  EventNames m_eventNames;
  const prose::Names m_names = m_eventNames.proseNames();
  std::vector<Event> m_run;
};

}  // namespace vitrine::cli
