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
  // The number that the policy goes by; its unit, and prose for it, are in prose/policy_words.h. kDeadline:
  // the largest number stands for no deadline, and the time of coming of age for the time at which it is due.
  std::int64_t claim = 0;

  bool operator==(const Standing&) const = default;
};
VITRINE_STRUCT(Standing, "standing", field("policy", &T::policy), field("submitted_step", &T::submittedStep),
               field("claim", &T::claim));

}  // namespace vitrine
