#include "events/event_chunk.h"

#include <limits>
#include <memory>

#include "core/check.h"
#include "events/state_json.h"
#include "vitrine/trace.h"

namespace vitrine {
namespace {

std::size_t roughBytesOf(const Event& event) {
  std::size_t bytes = 150;
  if (const auto* detail = bodyOf<TokenCandidates>(event)) {
    for (const SamplingStage& stage : detail->stages) bytes += 40 + 50 * stage.top.size();
  } else if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    bytes += submitted->prompt.size() + 14 * submitted->tokenIds.size();
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

std::string toText(const EventChunk& chunk, bool withSnapshot, std::size_t* snapshotBytes) {
  std::string text;
  text.reserve(chunk.roughBytes);
  Event event;
  event.step = chunk.begin.step;
  if (withSnapshot) {
    // The event does not own the state: it is written at once.
    event.body = Snapshot{std::shared_ptr<const MachineState>(std::shared_ptr<void>(), &chunk.begin)};
    text += eventToJson(event) + '\n';
    if (snapshotBytes != nullptr) *snapshotBytes = text.size();
  }
  for (const Event& own : chunk.events) text += eventToJson(own) + '\n';
  return text;
}

void fromText(std::string_view text, bool withSnapshot, EventChunk& chunk) {
  const auto next = [&text] {
    const std::size_t end = text.find('\n');
    Event event = eventFrom(parseLine(text.substr(0, end), std::numeric_limits<std::size_t>::max()));
    text.remove_prefix(end + 1);
    return event;
  };
  if (withSnapshot) chunk.begin = *std::get<Snapshot>(next().body).state;
  while (!text.empty()) chunk.add(next());
}

}  // namespace vitrine
