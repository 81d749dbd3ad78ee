// TraceStory: events as sentences, one decision a line, for `vitrine-cli trace show`.
//
// Events carry reasons as data; this is one place where they become prose. Read next: trace_story.cpp.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vitrine/event.h"

namespace vitrine::cli {

class TraceStory {
 public:
  // The lines this event completes, without the last newline; often none, since blocks are gathered.
  std::string tell(const Event& event);

 private:
  struct Teller;
  std::string nameOf(SequenceId sequence) const;

  std::map<SequenceId, std::string> m_names;
  std::map<RequestId, std::string> m_requests;
  std::vector<BlockId> m_blocks;  // given or taken one after another, told together
  SequenceId m_blockOwner = 0;
  std::string m_blockVerb;
};

}  // namespace vitrine::cli
