#include "events/state_json.h"

#include "events/event_fields.h"

namespace vitrine {

// [id, references, filled] or [id, references, filled, hash].
JsonOut BlocksInUse::toJson(const MachineState& state) const {
  JsonOut out = JsonOut::array();
  for (std::size_t i = 0; i < state.blocks.size(); ++i) {
    const BlockState& block = state.blocks[i];
    if (block == BlockState()) continue;
    JsonOut item = {i, block.refCount, block.filled};
    if (block.cached) item.push_back(hexOf(block.hash));
    out.push_back(std::move(item));
  }
  return out;
}

// [first id, how many] for each run of ids that count up by one.
JsonOut FreeRuns::toJson(const MachineState& state) const {
  if (state.isFromOutside()) return nullptr;
  const std::vector<BlockId> queue = state.freeQueue.ids();
  JsonOut out = JsonOut::array();
  for (std::size_t i = 0; i < queue.size();) {
    std::size_t end = i + 1;
    while (end < queue.size() && queue[end] == queue[end - 1] + 1) ++end;
    out.push_back({queue[i], end - i});
    i = end;
  }
  return out;
}

void BlocksInUse::fromJson(const char* field, const JsonIn& in, MachineState& state) const {
  for (const JsonIn& item : arrayOf(field, in)) {
    if (arrayOf(field, item).size() != 3 && item.size() != 4)
      corruptField(field, "has an entry of the wrong length");
    BlockId id = 0;
    vitrine::fromJson(field, item[0], id);
    if (id < 0 || static_cast<std::size_t>(id) >= state.blocks.size())
      corruptField(field, "names an unknown block");
    BlockState& block = state.blocks[static_cast<std::size_t>(id)];
    vitrine::fromJson(field, item[1], block.refCount);
    vitrine::fromJson(field, item[2], block.filled);
    block.cached = item.size() == 4;
    if (block.cached) block.hash = fromHex(field, item[3]);
  }
}

void FreeRuns::fromJson(const char* field, const JsonIn& in, MachineState& state) const {
  const auto blocks = static_cast<std::int64_t>(state.blocks.size());
  BlockQueue& queue = state.freeQueue;
  queue = BlockQueue(in.is_null() ? 0 : static_cast<int>(blocks));
  if (in.is_null()) return;
  for (const JsonIn& item : arrayOf(field, in)) {
    if (arrayOf(field, item).size() != 2) corruptField(field, "has an entry of the wrong length");
    std::array<std::int64_t, 2> run{};
    vitrine::fromJson(field, item, run);
    if (run[0] < 0 || run[1] < 1 || run[1] > blocks || run[0] > blocks - run[1])
      corruptField(field, "names an unknown block");
    for (std::int64_t i = 0; i < run[1]; ++i) {
      const auto block = static_cast<BlockId>(run[0] + i);
      if (queue.contains(block)) corruptField(field, "names a block twice");
      queue.pushBack(block);
    }
  }
}

JsonOut PoolSize::toJson(const MachineState& state) const { return state.blocks.size(); }

void PoolSize::fromJson(const char* field, const JsonIn& in, MachineState& state) const {
  std::int32_t count = 0;
  vitrine::fromJson(field, in, count);
  if (count < 0 || count > kMaxBlocks) corruptField(field, "is out of range");
  state.blocks.resize(static_cast<std::size_t>(count));
}

JsonOut toJson(const std::shared_ptr<const MachineState>& state) { return toJson(*state); }

void fromJson(const char* field, const JsonIn& in, std::shared_ptr<const MachineState>& state) {
  MachineState read;
  fromJson(field, in, read);
  const bool isFromOutside = in.contains("free_queue") && in["free_queue"].is_null();
  if (read.blocks.empty() && !isFromOutside) corruptField("num_blocks", "is missing");
  requireConsistent(read);
  state = std::make_shared<const MachineState>(std::move(read));
}

}  // namespace vitrine
