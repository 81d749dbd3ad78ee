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
  std::int64_t firstPlace;
  int firstStep;
  bool snapshot;
  ChunkStore::Place place;
};

Recording::Recording(std::filesystem::path folder)
    : m_store(std::make_unique<ChunkStore>(std::move(folder))) {
  clear();
}

Recording::~Recording() = default;

void Recording::clear() {
  m_store->clear();
  m_packed.clear();
  m_packed.shrink_to_fit();
  m_unpacked = {};
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

void Recording::packNewest() {
  const bool snapshot = !m_packed.empty() && (m_bytesSinceSnapshot >= m_snapshotBytes ||
                                              m_chunksSinceSnapshot >= kMostWithoutSnapshot);
  const std::string bytes = toBytes(*m_newest, snapshot, &m_snapshotBytes);
  m_bytesSinceSnapshot =
      (snapshot ? 0 : m_bytesSinceSnapshot) + bytes.size() - (snapshot ? m_snapshotBytes : 0);
  m_chunksSinceSnapshot = snapshot ? 0 : m_chunksSinceSnapshot + 1;
  m_packed.push_back({m_openPlace, m_newest->firstStep, snapshot, m_store->put(bytes)});
  m_unpacked = {Unpacked{m_packed.size() - 1, m_newest}, std::move(m_unpacked[0])};
  m_openPlace += static_cast<std::int64_t>(m_newest->events.size());
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
  const Packed& packed = m_packed[index];
  auto found = std::make_shared<EventChunk>();
  found->firstStep = packed.firstStep;
  found->beginsRecording = index == 0;
  if (!packed.snapshot && index > 0) {
    const ChunkPointer before = chunk(index - 1);
    found->begin = before->begin;
    for (const Event& event : before->events) found->begin.apply(event);
  }
  fromBytes(m_store->get(packed.place), packed.snapshot, *found);
  m_unpacked = {Unpacked{index, found}, std::move(m_unpacked[0])};
  return found;
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
  const ChunkPointer holder = chunk(index);
  return {holder, std::span(holder->events).subspan(static_cast<std::size_t>(place - firstPlaceOf(index)))};
}

std::int64_t Recording::endOf(int step) const {
  if (step < m_firstStep || step > lastStep()) return 0;
  const std::size_t index = indexOf(step);
  return firstPlaceOf(index) + static_cast<std::int64_t>(chunk(index)->boundsOf(step).second);
}

void Recording::forEach(const std::function<void(const Event&)>& accept) const {
  for (std::size_t index = 0; index <= m_packed.size(); ++index) {
    const ChunkPointer holder = chunk(index);
    for (const Event& event : holder->events) accept(event);
  }
}

Recording::Size Recording::bytes() const {
  return {m_store->bytesInFile(), m_store->bytesInMemory(),
          static_cast<std::int64_t>(m_newest->events.size())};
}

const std::string& Recording::complaint() const { return m_store->complaint(); }

}  // namespace vitrine
