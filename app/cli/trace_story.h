// TraceStory: the layout of `vitrine-cli trace show`: steps with a heading, one decision a line.
//
// The sentences are those of vitrine/prose/event_prose.h, with the names of the requests.
// Read next: trace_story.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vitrine/prose/event_prose.h"

namespace vitrine::cli {

class TraceStory {
 public:
  TraceStory();
  TraceStory(const TraceStory&) = delete;
  TraceStory& operator=(const TraceStory&) = delete;

  // The lines that this event completes, without the last newline. They may be none: block events in a row
  // share a line, which ends with the run.
  std::string add(const Event& event);

 private:
  void noteNames(const Event& event);
  std::string linesOf(const Event& event) const;

  std::map<SequenceId, std::string> m_sequences;
  std::map<RequestId, std::string> m_requests;
  prose::Names m_names;
  std::vector<Event> m_run;
};

}  // namespace vitrine::cli
