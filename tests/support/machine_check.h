// What must hold of an engine after every step: the pool's books balance, and the events' replay is the
// machine.
#pragma once

#include <string>

#include "events/state_json.h"
#include "support/replaying_sink.h"
#include "vitrine/engine.h"

namespace vitrine {

// What is wrong; empty when nothing is.
inline std::string complaintAbout(const Engine& engine, const ReplayingSink& sink) {
  if (!sink.error.empty()) return sink.error;
  const MachineState state = engine.snapshot();
  if (!(state == sink.state)) return "the events describe another machine";
  std::vector<int> owners(state.blocks.size());
  for (const auto& [id, sequence] : state.sequences)
    for (BlockId block : sequence.blockTable) ++owners[static_cast<std::size_t>(block)];
  std::size_t used = 0;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (state.blocks[i].refCount != owners[i])
      return "block " + std::to_string(i) + " counts its holders wrongly";
    used += owners[i] > 0 ? 1 : 0;
  }
  if (state.freeQueue.size() + used != state.blocks.size()) return "a block is lost";
  try {
    requireConsistent(state);
  } catch (const EngineError& error) {
    return error.what();
  }
  return "";
}

}  // namespace vitrine
