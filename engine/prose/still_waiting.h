// StillWaiting: the sequences that wait in a step for the same reason as in the step before. The engine
// publishes a reason when it changes; a reader wants it in each step. Internal to why.cpp. Thread: any.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "prose/speaker.h"
#include "vitrine/prose/why.h"

namespace vitrine::prose {

class StillWaiting : private Speaker {
  VITRINE_PROSE_CONTEXT(Prose)

 public:
  using Speaker::Speaker;

  // A row for each sequence that cannot be admitted itself, and one for all behind it. `told`: the sequences
  // whose reason was published in this step. Looks at the first few of the queue, which may be long.
  std::vector<WhyRow> rows(const MachineState& after, const std::set<SequenceId>& told) const;

 private:
  WhyRow row(SequenceId id, const WaitState& wait) const;
  WhyRow rowBehind(SequenceId first, std::string list, int more) const;
};

}  // namespace vitrine::prose
