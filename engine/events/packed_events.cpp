#include "events/packed_events.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "events/event_fields.h"
#include "events/state_json.h"
#include "vitrine/error.h"

namespace vitrine {

void damaged() { throw EngineError(ErrorCode::kFileCorrupt, "a stored event is damaged"); }

// Overloads for the parts of a state with a form of their own stand before their use.
void packMember(PackedWriter& out, const MachineState& state, PoolSize) { out.whole(state.blocks.size()); }
void unpackMember(PackedReader& in, MachineState& state, PoolSize) {
  const std::uint64_t count = in.whole();
  if (count > kMaxBlocks) damaged();
  state.blocks.assign(static_cast<std::size_t>(count), {});
}

// How many are in use, and each with its distance from the one before.
void packMember(PackedWriter& out, const MachineState& state, BlocksInUse) {
  const auto inUse = [](const BlockState& block) { return !(block == BlockState()); };
  out.whole(static_cast<std::uint64_t>(std::ranges::count_if(state.blocks, inUse)));
  std::size_t before = 0;
  for (std::size_t id = 0; id < state.blocks.size(); ++id) {
    const BlockState& block = state.blocks[id];
    if (!inUse(block)) continue;
    out.whole(id - std::exchange(before, id));
    pack(out, block.refCount);
    pack(out, block.filled);
    pack(out, block.cached);
    if (block.cached) out.raw(&block.hash, sizeof block.hash);
  }
}
void unpackMember(PackedReader& in, MachineState& state, BlocksInUse) {
  std::size_t id = 0;
  for (std::size_t left = in.count(); left > 0; --left) {
    id += static_cast<std::size_t>(in.whole());
    if (id >= state.blocks.size()) damaged();
    BlockState& block = state.blocks[id];
    unpack(in, block.refCount);
    unpack(in, block.filled);
    unpack(in, block.cached);
    if (block.cached) in.raw(&block.hash, sizeof block.hash);
  }
}

// Each with its distance from the one before: 1 byte for most of them.
void packMember(PackedWriter& out, const MachineState& state, FreeRuns) {
  out.whole(state.freeQueue.size());
  BlockId before = -1;
  for (const BlockId block : state.freeQueue) pack(out, block - std::exchange(before, block));
}
void unpackMember(PackedReader& in, MachineState& state, FreeRuns) {
  state.freeQueue = BlockQueue(static_cast<int>(state.blocks.size()));
  BlockId block = -1;
  for (std::size_t left = in.count(); left > 0; --left) {
    BlockId distance = 0;
    unpack(in, distance);
    block += distance;
    if (block < 0 || block >= state.freeQueue.capacity() || state.freeQueue.contains(block)) damaged();
    state.freeQueue.pushBack(block);
  }
}

void packState(PackedWriter& out, const MachineState& state) { pack(out, state); }
void unpackState(PackedReader& in, MachineState& state) { unpack(in, state); }

void pack(PackedWriter& out, const std::shared_ptr<const MachineState>& state) { pack(out, *state); }
void unpack(PackedReader& in, std::shared_ptr<const MachineState>& state) {
  auto read = std::make_shared<MachineState>();
  unpack(in, *read);
  state = std::move(read);
}

namespace {

template <typename Body>
EventBody bodyFrom(PackedReader& in) {
  std::decay_t<decltype(unboxed(std::declval<Body>()))> value{};
  unpack(in, value);
  return Body(std::move(value));
}

using ReadBody = EventBody (*)(PackedReader&);
template <std::size_t... I>
constexpr std::array<ReadBody, sizeof...(I)> bodyReaders(std::index_sequence<I...>) {
  return {&bodyFrom<std::variant_alternative_t<I, EventVariant>>...};
}
constexpr auto kBodyReaders = bodyReaders(std::make_index_sequence<std::variant_size_v<EventVariant>>());

}  // namespace

void EventPacker::add(const Event& event) {
  m_out.whole(event.body.index());
  pack(m_out, event.run);
  pack(m_out, event.number - std::exchange(m_number, event.number));
  pack(m_out, event.step);
  pack(m_out, event.phase);
  pack(m_out, event.timeNs - std::exchange(m_timeNs, event.timeNs));
  std::visit([&](const auto& body) { pack(m_out, unboxed(body)); }, event.body);
}

Event EventUnpacker::next() {
  const std::uint64_t kind = m_in.whole();
  if (kind >= kBodyReaders.size()) damaged();
  Event event;
  unpack(m_in, event.run);
  unpack(m_in, event.number);
  unpack(m_in, event.step);
  unpack(m_in, event.phase);
  unpack(m_in, event.timeNs);
  event.number = m_number += event.number;
  event.timeNs = m_timeNs += event.timeNs;
  event.body = kBodyReaders[kind](m_in);
  return event;
}

}  // namespace vitrine
