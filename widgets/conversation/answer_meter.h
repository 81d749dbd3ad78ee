// AnswerMeter: how far the machine is with an answer, and how fast, at any step of the run.
//
// The state has the counts; the rate of a prefill also needs the time of the admission, which the meter keeps
// for each sequence: 16 bytes. It keeps no history beside that. Thread: the window's. Read next:
// chat_model.h.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "vitrine/machine_state.h"

namespace vitrine {

struct AnswerFigures {
  int promptTokens = 0;    // what was given to read: the prompt, and the beginning of an answer that goes on
  int computedTokens = 0;  // of them: their KV is there
  int cachedTokens = 0;    // of these, found in the prefix cache
  int writtenTokens = 0;   // of the answer, without what was given
  int givenTokens = 0;     // the beginning of an answer that goes on
  double tokensPerSecond = 0;  // of the prefill until the first token, then of the answer; 0: not known yet

  bool operator==(const AnswerFigures&) const = default;
};

class AnswerMeter {
 public:
  void note(const Event& event);  // in order, each event of the run once
  void clear() { m_admissions.clear(); }

  // `nowNs`: the engine's time of the state, as events have it.
  AnswerFigures figuresOf(const RequestState& request, const SequenceState& sequence,
                          std::int64_t nowNs) const;

 private:
  struct Admission {
    std::int64_t timeNs = 0;
    int cachedTokens = 0;
  };
  std::unordered_map<SequenceId, Admission> m_admissions;  // the latest
};

}  // namespace vitrine
