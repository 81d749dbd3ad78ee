// Where an answer begins: behind the prompt and a forced beginning. Internal to headline.cpp and
// preemption_cost.cpp. Thread: any.
#pragma once

#include "vitrine/machine_state.h"

namespace vitrine::prose {

// The position of the first token that the sequence writes by itself; -1: the state does not know it.
inline int firstWrittenPosition(const MachineState& state, SequenceId id) {
  const auto sequence = state.sequences.find(id);
  if (sequence == state.sequences.end()) return -1;
  const auto request = state.requests.find(sequence->second.request);
  return sequence->second.promptTokens + (request == state.requests.end() ? 0 : request->second.givenTokens);
}

}  // namespace vitrine::prose
