// Policy: who goes first. One number orders the queue and the running set, and names who gives way.
//
// A sequence's rank, the smaller first, and of equal ones whose request was submitted first:
//   fcfs      0 for all.
//   priority  the step of its submission, less agingSteps for each point of priority. So everybody rises by a
//             point every agingSteps steps, and since all rise at the same pace their order is settled at
//             once (Kleinrock 1964, "A delay dependent queue discipline"). agingSteps 0: less the priority,
//             nothing more.
//   deadline  when it is due (earliest deadline first; Liu and Layland 1973); without a deadline, never. A
//   request
//             not due when it is agingSteps steps old ages: it counts as due from then on. agingSteps 0:
//             never.
// Who is waiting and more important than who is running may take its place and its blocks;
// scheduling/precedence.cpp says when, and why this comes to an end and nobody starves. Read next:
// scheduler.h.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "scheduling/sequence.h"
#include "vitrine/options.h"

namespace vitrine {

// Of a deadline, in ns on the run's clock: there is none, or it lies beyond what the clock can count.
inline constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

std::int64_t deadlineAt(std::int64_t submittedNs, double deadlineMs);

// Of a request submitted at `step`. Requires agingSteps <= kMaxAgingSteps.
std::int64_t rankOf(Policy policy, int agingSteps, int priority, std::int64_t deadlineNs, int step);

inline bool goesBefore(const Sequence& a, const Sequence& b) {
  return std::pair(a.rank, a.request) < std::pair(b.rank, b.request);
}

// Into a list sorted by rank: behind its equals, the answers of its own request.
template <typename List>
void insertBehindEquals(List& list, Sequence& sequence) {
  const auto before = [](const Sequence* a, const Sequence* b) { return goesBefore(*a, *b); };
  list.insert(std::upper_bound(list.begin(), list.end(), &sequence, before), &sequence);
}

}  // namespace vitrine
