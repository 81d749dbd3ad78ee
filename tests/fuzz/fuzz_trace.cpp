// Any bytes as a trace: read, replayed, recorded and gone back in. Only EngineError may come out.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "vitrine/recording.h"
#include "vitrine/trace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  vitrine::Recording recording;
  try {
    vitrine::parseTrace(std::string_view(reinterpret_cast<const char*>(data), size),
                        [&](const vitrine::Event& event) { recording.append(event); });
  } catch (const vitrine::EngineError&) {
    // The events before the damage stay, and must still be of use.
  }
  const int middle = recording.firstStep() + (recording.lastFinishedStep() - recording.firstStep()) / 2;
  recording.stateAt(middle);
  recording.eventsOf(middle);
  recording.eventsSince(middle);
  recording.endOf(middle);
  recording.forEach([](const vitrine::Event&) {});
  return 0;
}
