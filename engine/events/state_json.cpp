#include "events/state_json.h"

#include <memory>

#include "events/event_fields.h"
#include "events/json_fields.h"

namespace vitrine {
namespace {

// [id, references, filled] or [id, references, filled, hash].
JsonOut blocksToJson(const std::vector<BlockState>& blocks) {
  JsonOut out = JsonOut::array();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const BlockState& block = blocks[i];
    if (block == BlockState()) continue;
    JsonOut item = {i, block.refCount, block.filled};
    if (block.cached) item.push_back(hexOf(block.hash));
    out.push_back(std::move(item));
  }
  return out;
}

// [first id, how many] for each run of ids that count up by one.
JsonOut runsToJson(const BlockQueue& free) {
  const std::vector<BlockId> queue = free.ids();
  JsonOut out = JsonOut::array();
  for (std::size_t i = 0; i < queue.size();) {
    std::size_t end = i + 1;
    while (end < queue.size() && queue[end] == queue[end - 1] + 1) ++end;
    out.push_back({queue[i], end - i});
    i = end;
  }
  return out;
}

void blocksFromJson(const JsonIn& in, std::vector<BlockState>& blocks) {
  constexpr const char* kField = "blocks";
  for (const JsonIn& item : arrayOf(kField, in)) {
    if (arrayOf(kField, item).size() != 3 && item.size() != 4)
      corruptField(kField, "has an entry of the wrong length");
    BlockId id = 0;
    fromJson(kField, item[0], id);
    if (id < 0 || static_cast<std::size_t>(id) >= blocks.size())
      corruptField(kField, "names an unknown block");
    BlockState& block = blocks[static_cast<std::size_t>(id)];
    fromJson(kField, item[1], block.refCount);
    fromJson(kField, item[2], block.filled);
    block.cached = item.size() == 4;
    if (block.cached) block.hash = fromHex(kField, item[3]);
  }
}

void runsFromJson(const JsonIn& in, BlockQueue& queue) {
  constexpr const char* kField = "free_queue";
  for (const JsonIn& item : arrayOf(kField, in)) {
    std::array<std::int64_t, 2> run{};
    fromJson(kField, item, run);
    const std::int64_t blocks = queue.capacity();
    if (run[0] < 0 || run[1] < 1 || run[1] > blocks || run[0] > blocks - run[1])
      corruptField(kField, "names an unknown block");
    for (std::int64_t i = 0; i < run[1]; ++i) {
      const auto block = static_cast<BlockId>(run[0] + i);
      if (queue.contains(block)) corruptField(kField, "names a block twice");
      queue.pushBack(block);
    }
  }
}

template <typename Id, typename Value>
JsonOut valuesToJson(const std::map<Id, Value>& values) {
  JsonOut out = JsonOut::array();
  for (const auto& [id, value] : values) out.push_back(toJson(value));
  return out;
}

template <typename Id, typename Value>
void valuesFromJson(const char* field, const JsonIn& in, std::map<Id, Value>& values) {
  for (const JsonIn& item : arrayOf(field, in)) {
    Value value;
    fromJson(field, item, value);
    const Id id = value.id;
    if (!values.emplace(id, std::move(value)).second) corruptField(field, "names an id twice");
  }
}

}  // namespace

JsonOut toJson(const Snapshot& snapshot) {
  const MachineState& state = *snapshot.state;
  return {{"step", state.step},
          {"block_size", state.blockSize},
          {"num_blocks", state.blocks.size()},
          {"blocks", blocksToJson(state.blocks)},
          {"free_queue", runsToJson(state.freeQueue)},
          {"requests", valuesToJson(state.requests)},
          {"sequences", valuesToJson(state.sequences)},
          {"waiting", toJson(state.waiting)},
          {"running", toJson(state.running)},
          {"batch", toJson(state.batch)},
          {"swap_blocks", toJson(state.swapBlocks)}};
}

void fromJson(const char*, const JsonIn& in, Snapshot& snapshot) {
  MachineState state;
  std::int32_t numBlocks = 0;
  const auto read = [&](const char* name, auto& value) { fromJson(name, memberOf(name, in), value); };
  read("step", state.step);
  read("block_size", state.blockSize);
  read("num_blocks", numBlocks);
  if (numBlocks < 1 || numBlocks > kMaxBlocks) corruptField("num_blocks", "is out of range");
  state.blocks.resize(static_cast<std::size_t>(numBlocks));
  blocksFromJson(memberOf("blocks", in), state.blocks);
  state.freeQueue = BlockQueue(numBlocks);
  runsFromJson(memberOf("free_queue", in), state.freeQueue);
  valuesFromJson("requests", memberOf("requests", in), state.requests);
  valuesFromJson("sequences", memberOf("sequences", in), state.sequences);
  read("waiting", state.waiting);
  read("running", state.running);
  read("batch", state.batch);
  read("swap_blocks", state.swapBlocks);
  requireConsistent(state);
  snapshot.state = std::make_shared<const MachineState>(std::move(state));
}

}  // namespace vitrine
