// What admission may still give away in this step.
#pragma once

#include "scheduling/scheduler.h"

namespace vitrine {

struct Scheduler::Room {
  bool willPreempt;    // the running ones alone need more blocks than are free
  bool batchInFlight;  // when the step began; of no interest to continuous batching
  std::int64_t windowLeftNs;
  int places, tokens, promisedBlocks;
};

}  // namespace vitrine
