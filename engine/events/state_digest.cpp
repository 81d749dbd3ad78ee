#include "vitrine/state_digest.h"

#include "events/event_fields.h"
#include "events/field_mixer.h"

namespace vitrine {
namespace {

// A free block that holds nothing says nothing but its place in the queue.
void addBlocks(FieldMixer& mixer, const MachineState& state) {
  mixer.add(state.blocks.size());
  for (std::size_t i = 0; i < state.blocks.size(); ++i) {
    const BlockState& block = state.blocks[i];
    if (block == BlockState()) continue;
    mixer.add(i);
    mixer.add(block.refCount);
    mixer.add(block.filled);
    mixer.add(block.cached);
    mixer.add(block.hash);
  }
  mixer.add(state.freeQueue.size());
  for (const BlockId block : state.freeQueue) mixer.add(block);
}

}  // namespace

std::uint64_t stateDigest(const MachineState& state) {
  FieldMixer mixer(1);
  mixer.add(state.step);
  mixer.add(state.blockSize);
  addBlocks(mixer, state);
  mixer.add(state.requests.size());
  for (const auto& [id, request] : state.requests)
    mixer.addWithout(request, &RequestState::submittedNs, &RequestState::firstTokenNs, &RequestState::prompt);
  mixer.add(state.sequences.size());
  for (const auto& [id, sequence] : state.sequences) mixer.addWithout(sequence, &SequenceState::text);
  mixer.add(state.waiting);
  mixer.add(state.running);
  mixer.add(state.batch);
  mixer.add(state.swapBlocks);
  return mixer.digest();
}

}  // namespace vitrine
