// Any bytes as what a server sends of its events, a message a line: what is handed on is a run that a
// machine's state takes, event for event.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "vitrine/error.h"
#include "watch/event_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace vitrine;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  watch::EventLines lines;
  MachineState state;
  int runs = 0;  // each makes a pool, which may be large
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    std::vector<Event> events;
    try {
      events = lines.take(bytes.substr(0, end));
    } catch (const EngineError&) {
      return 0;
    }
    for (const Event& event : events) {
      if (isA<EngineLoaded>(event) && ++runs > 8) return 0;
      if (runs == 0) std::abort();
      state.apply(event);  // an exception is a fault
    }
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return 0;
}
