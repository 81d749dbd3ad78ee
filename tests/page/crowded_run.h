// A run with waiting, preemption and swapping, and how a page writes the number of a state.
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "support/word_machine.h"

namespace vitrine::test {

inline QString hexOf(std::uint64_t digest) { return QString("%1").arg(digest, 16, 16, QLatin1Char('0')); }

inline std::vector<Event> crowdedRun() {
  SchedulerOptions options;
  options.numBlocks = 6;
  options.blockSize = 8;
  WordMachine machine(options, 64);
  machine.submit("R1", 20, 20);
  machine.submit("R2", 20, 20);
  machine.submit("<img src=x onerror=fail()>", 20, 12);
  machine.run();
  return machine.all();
}

}  // namespace vitrine::test
