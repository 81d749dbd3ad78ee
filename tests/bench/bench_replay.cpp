// bench_replay TRACE [ROUNDS]: time that MachineState::apply() takes for the events of a trace, in
// nanoseconds per event: the median and the least of the rounds. Not a test: it compares no times.
//
// A trace to measure with: vitrine-cli trace record --scenario FILE --out TRACE.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "vitrine/machine_state.h"
#include "vitrine/trace.h"

int main(int argc, char** argv) {
  using namespace vitrine;
  using Clock = std::chrono::steady_clock;
  if (argc < 2) {
    std::fprintf(stderr, "usage: bench_replay TRACE [ROUNDS]\n");
    return 2;
  }
  try {
    std::vector<Event> events;
    readTrace(argv[1], [&events](const Event& event) { events.push_back(event); });
    const int rounds = argc > 2 ? std::max(1, std::atoi(argv[2])) : 11;
    std::vector<double> nsPerEvent;
    for (int round = 0; round < rounds && !events.empty(); ++round) {
      MachineState state;
      const Clock::time_point begin = Clock::now();
      for (const Event& event : events) state.apply(event);
      const std::chrono::duration<double, std::nano> taken = Clock::now() - begin;
      nsPerEvent.push_back(taken.count() / static_cast<double>(events.size()));
    }
    std::ranges::sort(nsPerEvent);
    if (nsPerEvent.empty()) return 0;
    std::printf("%zu events: median %.1f ns, least %.1f ns an event\n", events.size(),
                nsPerEvent[nsPerEvent.size() / 2], nsPerEvent.front());
  } catch (const EngineError& error) {
    std::fprintf(stderr, "bench_replay: %s\n", error.what());
    return 1;
  }
}
