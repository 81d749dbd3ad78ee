// Standing: why a sequence ranks where it does, for the events of decisions that follow the rank.
// Thread: values. Read next: scheduling.h, preemption.h.
#pragma once

#include <cstdint>

#include "vitrine/description.h"
#include "vitrine/options.h"

namespace vitrine {

// The numbers behind a sequence's rank (scheduling/policy.h).
struct Standing {
  Policy policy = Policy::kFcfs;
  int submittedStep = 0;
  // kPriority: the priority. kDeadline: the engine time, in ns, at which it is due or has come of age; the
  // largest number without a deadline. kShortest: its prompt tokens and maxTokens together. kFcfs: its id.
  std::int64_t claim = 0;

  bool operator==(const Standing&) const = default;
};
VITRINE_STRUCT(Standing, "standing", field("policy", &T::policy), field("submitted_step", &T::submittedStep),
               field("claim", &T::claim));

}  // namespace vitrine
