#include "vitrine/recording.h"

#include <algorithm>
#include <span>
#include <utility>

#include "core/check.h"
#include "events/chunk_store.h"
#include "events/event_chunk.h"

namespace vitrine {
namespace {

constexpr int kMostWithoutSnapshot = 8;  // chunks to replay for one step at most

}  // namespace

struct Recording::Packed {
  std::int64_t firstPlace, endPlace;
  int firstStep;
  std::size_t stateBytes;  // in front of the events; 0: without the state before them
  ChunkStore::Place place;
  bool shared;  // its events name the run that this one left

  bool hasState() const { return stateBytes > 0; }
};

Recording::Recording(std::filesystem::path folder)
    : m_store(std::make_shared<ChunkStore>(std::move(folder))) {
  clear();
}

Recording::~Recording() = default;

void Recording::clear() {
  m_store = std::make_shared<ChunkStore>(m_store->folder());
  m_packed.clear();
  m_packed.shrink_to_fit();
  m_past = {};
  m_unpacked = {};
  m_passed = {};
  m_live = {};
  m_openPlace = 0;
  m_firstStep = m_lastFinished = 0;
  m_snapshotBytes = m_bytesSinceSnapshot = 0;
  m_chunksSinceSnapshot = 0;
  beginChunk(0);
}

void Recording::beginChunk(int firstStep) {
  m_newest = std::make_shared<EventChunk>();
  m_newest->begin = m_live;
  m_newest->firstStep = firstStep;
  m_newest->beginsRecording = m_packed.empty();
}

const Event* Recording::append(Event event) {
  if (isA<EngineLoaded>(event)) clear();
  if (isA<Snapshot>(event)) {
    const auto loaded = [](const Event& earlier) { return isA<EngineLoaded>(earlier); };
    if (!m_packed.empty() || !std::ranges::all_of(m_newest->events, loaded)) return nullptr;
  }
  m_live.apply(event);
  m_run = event.run;
  if (isA<Snapshot>(event)) {
    m_firstStep = m_lastFinished = m_live.step;
    m_newest->firstStep = m_firstStep;
  }
  m_newest->add(std::move(event));
  const Event* const kept = &m_newest->events.back();
  if (!isA<StepFinished>(*kept)) return kept;
  m_lastFinished = m_live.step;
  if (m_lastFinished % kSnapshotInterval == 0 || m_newest->roughBytes >= kChunkBytes) packNewest();
  return kept;
}

void Recording::sharePast(const Recording& origin, std::int64_t end) {
  VITRINE_CHECK(m_packed.empty());
  m_store = origin.m_store;
  m_past = origin.m_packed;
  std::erase_if(m_past, [end](const Packed& chunk) { return chunk.endPlace > end; });
}

// The first chunk differs in its EngineLoaded.
const Recording::Packed* Recording::sharedChunk() const {
  const std::size_t index = m_packed.size();
  if (index == 0 || index >= m_past.size()) return nullptr;
  const Packed& past = m_past[index];
  const bool same =
      past.firstPlace == m_openPlace && past.endPlace == size() && past.firstStep == m_newest->firstStep;
  return same ? &past : nullptr;
}

void Recording::packNewest() {
  if (const Packed* const past = sharedChunk()) {
    m_packed.push_back(*past);
    m_packed.back().shared = true;
  } else {
    const bool snapshot = !m_packed.empty() && (m_bytesSinceSnapshot >= m_snapshotBytes ||
                                                m_chunksSinceSnapshot >= kMostWithoutSnapshot);
    std::size_t stateBytes = 0;
    const std::string bytes = toBytes(*m_newest, snapshot, &stateBytes);
    m_packed.push_back({m_openPlace, size(), m_newest->firstStep, stateBytes, m_store->put(bytes), false});
  }
  const Packed& packed = m_packed.back();
  if (packed.hasState()) {
    m_snapshotBytes = packed.stateBytes;
    m_bytesSinceSnapshot = 0;
    m_chunksSinceSnapshot = 0;
  } else {
    ++m_chunksSinceSnapshot;
  }
  m_bytesSinceSnapshot += packed.place.plainBytes - packed.stateBytes;
  m_unpacked = {Unpacked{m_packed.size() - 1, m_newest}, std::move(m_unpacked[0])};
  m_openPlace = packed.endPlace;
  beginChunk(m_lastFinished + 1);
}

std::int64_t Recording::firstPlaceOf(std::size_t index) const {
  return index < m_packed.size() ? m_packed[index].firstPlace : m_openPlace;
}

std::int64_t Recording::size() const {
  return m_openPlace + static_cast<std::int64_t>(m_newest->events.size());
}

std::size_t Recording::indexOf(int step) const {
  const auto behind = std::ranges::upper_bound(m_packed, step, {}, &Packed::firstStep);
  const auto index = static_cast<std::size_t>(behind - m_packed.begin());
  return index == m_packed.size() && step >= m_newest->firstStep ? index : index - 1;
}

Recording::ChunkPointer Recording::chunk(std::size_t index) const {
  if (index == m_packed.size()) return m_newest;
  if (m_unpacked[1].chunk && m_unpacked[1].index == index) std::swap(m_unpacked[0], m_unpacked[1]);
  if (m_unpacked[0].chunk && m_unpacked[0].index == index) return m_unpacked[0].chunk;
  const std::shared_ptr<EventChunk> found = unpacked(index, true);
  if (!m_packed[index].hasState() && index > 0) {
    const ChunkPointer before = chunk(index - 1);
    found->begin = before->begin;
    for (const Event& event : before->events) found->begin.apply(event);
  }
  m_unpacked = {Unpacked{index, found}, std::move(m_unpacked[0])};
  return found;
}

std::shared_ptr<EventChunk> Recording::unpacked(std::size_t index, bool withState) const {
  const Packed& packed = m_packed[index];
  auto found = std::make_shared<EventChunk>();
  found->firstStep = packed.firstStep;
  found->beginsRecording = index == 0;
  found->events.reserve(static_cast<std::size_t>(packed.endPlace - packed.firstPlace));
  const std::string bytes = m_store->get(packed.place);
  const bool state = withState && packed.hasState();
  fromBytes(std::string_view(bytes).substr(state ? 0 : packed.stateBytes), state, *found);
  if (packed.shared)
    for (Event& event : found->events) event.run = m_run;
  return found;
}

// A pass over a recording reads each chunk once, and needs no states.
Recording::ChunkPointer Recording::eventsIn(std::size_t index) const {
  if (index == m_packed.size()) return m_newest;
  for (const Unpacked& one : m_unpacked)
    if (one.chunk && one.index == index) return one.chunk;
  if (!m_passed.chunk || m_passed.index != index) m_passed = {index, unpacked(index, false)};
  return m_passed.chunk;
}

MachineState Recording::stateAt(int step) const {
  VITRINE_CHECK(step >= m_firstStep && step <= m_lastFinished);
  const ChunkPointer holder = chunk(indexOf(step));
  MachineState state = holder->begin;
  const std::size_t end = holder->boundsOf(step).second;
  for (std::size_t i = 0; i < end; ++i) state.apply(holder->events[i]);
  return state;
}

EventRange Recording::eventsOf(int step) const {
  if (step < m_firstStep || step > lastStep()) return {};
  const ChunkPointer holder = chunk(indexOf(step));
  const auto [first, last] = holder->boundsOf(step);
  return {holder, std::span(holder->events).subspan(first, last - first)};
}

EventRange Recording::eventsSince(int step) const {
  if (step < m_firstStep || step > lastStep()) return {};
  std::size_t index = indexOf(step);
  const ChunkPointer holder = chunk(index);
  const auto begun = std::span(holder->events).subspan(holder->boundsOf(step).first);
  if (index == m_packed.size() || firstPlaceOf(index + 1) == size()) return {holder, begun};
  const auto joined = std::make_shared<std::vector<Event>>(begun.begin(), begun.end());
  for (++index; index <= m_packed.size(); ++index) {
    const ChunkPointer next = chunk(index);
    joined->insert(joined->end(), next->events.begin(), next->events.end());
  }
  return {joined, *joined};
}

Event Recording::event(std::int64_t place) const {
  VITRINE_CHECK(place >= 0 && place < size());
  return eventsFrom(place).front();
}

EventRange Recording::eventsFrom(std::int64_t place) const {
  VITRINE_CHECK(place >= 0 && place <= size());
  const auto behind = std::ranges::upper_bound(m_packed, place, {}, &Packed::firstPlace);
  std::size_t index = static_cast<std::size_t>(behind - m_packed.begin());
  if (index < m_packed.size() || place < m_openPlace) --index;
  const ChunkPointer holder = eventsIn(index);
  return {holder, std::span(holder->events).subspan(static_cast<std::size_t>(place - firstPlaceOf(index)))};
}

std::int64_t Recording::endOf(int step) const {
  if (step < m_firstStep || step > lastStep()) return 0;
  const std::size_t index = indexOf(step);
  return firstPlaceOf(index) + static_cast<std::int64_t>(eventsIn(index)->boundsOf(step).second);
}

void Recording::forEach(const std::function<void(const Event&)>& accept) const {
  for (std::size_t index = 0; index <= m_packed.size(); ++index) {
    const ChunkPointer holder = eventsIn(index);
    for (const Event& event : holder->events) accept(event);
  }
}

Recording::Size Recording::bytes() const {
  return {m_store->bytesInFile(), m_store->bytesInMemory(),
          static_cast<std::int64_t>(m_newest->events.size())};
}

const std::string& Recording::complaint() const { return m_store->complaint(); }

}  // namespace vitrine
