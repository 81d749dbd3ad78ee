#include "events/event_chunk.h"

#include "core/check.h"
#include "events/packed_events.h"

namespace vitrine {
namespace {

std::size_t roughBytesOf(const Event& event) {
  std::size_t bytes = 16;
  if (const auto* detail = bodyOf<TokenCandidates>(event)) {
    for (const SamplingStage& stage : detail->stages) bytes += 12 + 7 * stage.top.size();
    bytes += 6 * detail->pieces.size();
  } else if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    bytes += submitted->asked.prompt.size() + 3 * submitted->asked.tokenIds.size();
  }
  return bytes;
}

}  // namespace

void EventChunk::add(Event event) {
  const auto ended = static_cast<int>(ends.size());
  // A step that never finished ends where the next one starts.
  if (isA<StepStarted>(event) && firstStep + ended < event.step) ends.push_back(events.size());
  roughBytes += roughBytesOf(event);
  const bool finished = isA<StepFinished>(event) && firstStep + ended == event.step;
  events.push_back(std::move(event));
  if (finished) ends.push_back(events.size());
}

std::pair<std::size_t, std::size_t> EventChunk::boundsOf(int step) const {
  VITRINE_CHECK(step >= firstStep);
  const auto place = static_cast<std::size_t>(step - firstStep);
  const std::size_t end = place < ends.size() ? ends[place] : events.size();
  if (place == 0 || (beginsRecording && place == 1)) return {0, end};
  return {place - 1 < ends.size() ? ends[place - 1] : events.size(), end};
}

std::string toBytes(const EventChunk& chunk, bool withState, std::size_t* stateBytes) {
  std::string bytes;
  bytes.reserve(chunk.roughBytes);
  PackedWriter out(bytes);
  if (withState) {
    packState(out, chunk.begin);
    if (stateBytes != nullptr) *stateBytes = bytes.size();
  }
  EventPacker packer(out);
  for (const Event& event : chunk.events) packer.add(event);
  return bytes;
}

void fromBytes(std::string_view bytes, bool withState, EventChunk& chunk) {
  PackedReader in(bytes);
  if (withState) unpackState(in, chunk.begin);
  EventUnpacker unpacker(in);
  while (!in.atEnd()) chunk.add(unpacker.next());
}

}  // namespace vitrine
