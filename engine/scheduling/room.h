// What admission may still give away in this step.
#pragma once

#include "scheduling/scheduler.h"

namespace vitrine {

struct Scheduler::Room {
  bool willPreempt;    // the running ones alone need more blocks than are free
  bool batchInFlight;  // there were running sequences when the step began
  int places, tokens, promisedBlocks;
};

}  // namespace vitrine
