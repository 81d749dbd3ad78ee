// Policy: the order of requests. One number, the rank, orders the queue and the running set, and decides
// which sequence is preempted.
//
// The sequence with the smaller rank goes first; of equal ranks, the one whose request was submitted first.
// For each policy its rank, the claim behind it (standingOf()), and its bound: how much later another request
// may be submitted and still go before a given one. precedence.h needs the bound to be finite; agingSteps 0
// gives it up, and a stream of more important requests may then block another for as long as it lasts.
//   fcfs      rank 0 for all requests. Claim: the request's id. Bound: no step.
//   priority  the step of submission minus agingSteps for each point of priority. So every request rises
//             by one point each agingSteps steps, and since all rise alike, the order of two requests
//             never changes (Kleinrock 1964, "A delay dependent queue discipline"). agingSteps 0: minus
//             the priority. Claim: the priority. Bound: agingSteps for each point more.
//   shortest  prompt and maxTokens together, since the output's length is not known before: shortest job
//             first, which has the least mean waiting time (Smith 1956; for LLMs arXiv 2408.15792). It ages
//             like priority, with kTokensPerPoint tokens as one point. agingSteps 0: tokens alone. Claim: the
//             tokens. Bound: agingSteps for each kTokensPerPoint tokens less.
//   deadline  the time at which the request is due (earliest deadline first; Liu and Layland 1973); without a
//             deadline, never. A request that is not due after agingSteps steps ages: it counts as due from
//             then on. agingSteps 0: requests do not age. Claim: that time, in ns of engine time. Bound:
//             agingSteps, after which the given one counts as due.
// A waiting sequence may take the slots and blocks of running ones that rank behind it: precedence.h says
// when, and why this ends and no request starves. Read next: scheduler.h.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "scheduling/sequence.h"
#include "vitrine/options.h"

namespace vitrine {

// As a deadline, in ns of engine time: there is none, or it is later than the clock can count.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t deadlineAt(std::int64_t submittedNs, double deadlineMs);

inline constexpr int kTokensPerPoint = 64;

// The numbers of a request that its rank is made from.
struct Claim {
  int step = 0;  // of its submission
  int priority = 0;
  std::int64_t deadlineNs = kNever;
  std::int64_t tokens = 0;  // prompt and maxTokens
};

// Requires the sequence's prompt, and its step and time of submission.
Claim claimOf(const Sequence& sequence, const Request& request);
// Requires agingSteps <= kMaxAgingSteps.
std::int64_t rankOf(Policy policy, int agingSteps, const Claim& claim);
// The numbers that make the sequence's rank, for events.
Standing standingOf(Policy policy, int agingSteps, const Sequence& sequence);

inline bool goesBefore(const Sequence& a, const Sequence& b) {
  return std::pair(a.rank, a.request) < std::pair(b.rank, b.request);
}

// Inserts into a list sorted by rank, behind sequences of equal rank: the other answers of its request.
template <typename List>
void insertBehindEquals(List& list, Sequence& sequence) {
  const auto before = [](const Sequence* a, const Sequence* b) { return goesBefore(*a, *b); };
  list.insert(std::upper_bound(list.begin(), list.end(), &sequence, before), &sequence);
}

}  // namespace vitrine
