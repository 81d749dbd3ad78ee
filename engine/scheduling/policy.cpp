#include "scheduling/policy.h"

namespace vitrine {

std::int64_t deadlineAt(std::int64_t submittedNs, double deadlineMs) {
  constexpr double kFarMs = 1e12;  // 31 years
  if (deadlineMs <= 0 || deadlineMs >= kFarMs) return kNever;
  return submittedNs + static_cast<std::int64_t>(deadlineMs * 1e6);
}

Claim claimOf(const Sequence& sequence, const Request& request) {
  return {sequence.submittedStep, request.priority, deadlineAt(sequence.submittedNs, request.deadlineMs),
          std::int64_t{sequence.promptTokens} + request.maxTokens};
}

std::int64_t rankOf(Policy policy, int agingSteps, const Claim& claim) {
  switch (policy) {
    case Policy::kFcfs:
      return 0;
    case Policy::kPriority:
      return agingSteps == 0 ? -std::int64_t{claim.priority}
                             : claim.step - std::int64_t{claim.priority} * agingSteps;
    case Policy::kDeadline:
      return claim.deadlineNs;
    case Policy::kShortest:
      return agingSteps == 0 ? claim.tokens
                             : std::int64_t{claim.step} * kTokensPerPoint + claim.tokens * agingSteps;
  }
  return 0;
}

// Taken back from the rank, so that a sequence need not keep them.
Standing standingOf(Policy policy, int agingSteps, const Sequence& sequence) {
  Standing standing{policy, sequence.submittedStep, 0};
  switch (policy) {
    case Policy::kFcfs:
      standing.claim = sequence.request;
      break;
    case Policy::kPriority:
      standing.claim =
          agingSteps == 0 ? -sequence.rank : (sequence.submittedStep - sequence.rank) / agingSteps;
      break;
    case Policy::kDeadline:
      standing.claim = sequence.rank;
      break;
    case Policy::kShortest:
      standing.claim =
          agingSteps == 0
              ? sequence.rank
              : (sequence.rank - std::int64_t{sequence.submittedStep} * kTokensPerPoint) / agingSteps;
      break;
  }
  return standing;
}

}  // namespace vitrine
