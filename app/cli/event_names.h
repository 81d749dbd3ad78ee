// EventNames: what requests and sequences are called in what a program prints about their events.
//
// A request has the name it was submitted under. Its first sequence has the same name, and the others have
// their number behind it: "r1", "r1/2". Requires the events of a run in order. Thread: a value. Read next:
// trace_command.cpp.
#pragma once

#include <map>
#include <string>

#include "vitrine/prose/event_prose.h"

namespace vitrine::cli {

class EventNames {
 public:
  void note(const Event& event);

  std::string request(RequestId id) const;    // "request 3" if it was never submitted
  std::string sequence(SequenceId id) const;  // "sequence 3" if it is unknown
  prose::Names proseNames() const;            // valid for as long as this object stays where it is

 private:
  void noteRequest(const RequestSubmitted& submitted);

  std::map<RequestId, std::string> m_requests;
  std::map<SequenceId, std::string> m_sequences;
  std::map<TokenId, std::string> m_tokens;  // the texts of prompts' tokens
};

}  // namespace vitrine::cli
