// inTurn(): passes over sequences, and prefetches the memory of the sequences that come next.
//
// A step passes over all running sequences several times. Beyond a few hundred of them they leave the near
// caches, and each pass would wait for each sequence. Thread: any.
#pragma once

#include <cstddef>
#include <vector>

#include "scheduling/step_plan.h"

namespace vitrine {

inline void prefetch(const Sequence& sequence) {
  constexpr std::ptrdiff_t kLine = 64;
  const char* const at = reinterpret_cast<const char*>(&sequence);
  __builtin_prefetch(at, 1);
  __builtin_prefetch(at + kLine, 1);  // what a step reads comes first, in two lines
}
inline const Sequence& sequenceOf(const Sequence* sequence) { return *sequence; }
inline const Sequence& sequenceOf(const Work& work) { return *work.sequence; }

// Calls visit(item) for each item, a Sequence* or Work, in order. Requires that visit() does not change
// `items`.
template <typename Items, typename Visit>
void inTurn(Items& items, Visit visit) {
  constexpr std::size_t kAhead = 8;  // the time of eight visits covers a read from the far cache
  const std::size_t count = items.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i + kAhead < count) prefetch(sequenceOf(items[i + kAhead]));
    visit(items[i]);
  }
}

}  // namespace vitrine
