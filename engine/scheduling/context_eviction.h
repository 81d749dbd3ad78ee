// ContextEviction: evicts a block of a sequence whose context has grown to its capacity (eviction_rule.h).
//
// Inputs: a running sequence, its block table and, for heavy hitters, its attention scores. Invariant: a
// sequence evicts exactly when its resident tokens reach the capacity, so what a token sees follows from its
// position. Events: ContextEvicted. Thread: the engine's.
#pragma once

#include "scheduling/scheduling_state.h"

namespace vitrine {

class ContextEviction {
 public:
  explicit ContextEviction(SchedulingState& state) : m_state(state) {}

  void evictIfFull(Sequence& sequence);
  void evictWhereFull();  // of all running sequences

 private:
  void evictFrom(Sequence& sequence);

  SchedulingState& m_state;
};

}  // namespace vitrine
