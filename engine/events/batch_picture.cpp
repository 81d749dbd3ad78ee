#include "vitrine/batch_picture.h"

#include <algorithm>
#include <optional>

#include "vitrine/recording.h"

namespace vitrine {
namespace {

BatchSequence sequenceOf(const ScheduledWork& work, const SequenceState& state) {
  BatchSequence one;
  one.sequence = work.sequence;
  one.request = state.request;
  one.kind = work.kind;
  one.firstPosition = work.firstPosition;
  one.rows = work.tokens;
  one.draftRows = work.draftTokens;
  const int known = work.firstPosition + work.tokens - work.draftTokens;
  one.samples = known == static_cast<int>(state.tokens.size());
  one.evictedTokens = state.evictedTokens;
  one.tokens.assign(state.tokens.begin() + work.firstPosition, state.tokens.begin() + known);
  one.tokens.insert(one.tokens.end(), state.draft.begin(), state.draft.end());
  one.blockTable = state.blockTable;
  return one;
}

// What this event makes of the batch, when it is the one behind the forward: the batch leaves the state with
// it.
std::optional<BatchStage> endOf(const Event& event) {
  if (isA<EngineFailed>(event)) return BatchStage::kFailed;
  const auto* phase = std::get_if<PhaseStarted>(&event.body);
  if (phase != nullptr && phase->phase == Phase::kSample) return BatchStage::kComputed;
  return isA<StepFinished>(event) ? std::optional(BatchStage::kFailed) : std::nullopt;
}

}  // namespace

int BatchPicture::rows() const {
  int sum = 0;
  for (const BatchSequence& one : sequences) sum += one.rows;
  return sum;
}

BatchCell BatchPicture::cell(const BatchSequence& one, int row) const {
  BatchCell cell;
  cell.rotaryPosition = one.firstPosition + row;
  cell.position = cell.rotaryPosition - one.evictedTokens;
  cell.sees = cell.position + 1;
  cell.isDraft = row >= one.rows - one.draftRows;
  cell.wantsLogits = one.samples && row >= one.rows - one.draftRows - 1;
  cell.offset = cell.position % blockSize;
  const auto place = static_cast<std::size_t>(cell.position / blockSize);
  if (place >= one.blockTable.size()) return cell;
  cell.block = one.blockTable[place];
  cell.slot = std::int64_t{cell.block} * blockSize + cell.offset;
  return cell;
}

BatchPicture batchOf(const MachineState& state) {
  BatchPicture picture{state.step, state.blockSize, BatchStage::kPlanned, {}, 0};
  for (const ScheduledWork& work : state.batch)
    picture.sequences.push_back(sequenceOf(work, state.sequences.at(work.sequence)));
  return picture;
}

BatchPicture batchOf(const Recording& recording, int step) {
  if (step <= 0 || step < recording.firstStep() || step - 1 > recording.lastFinishedStep()) return {};
  // The first step's events begin with the recording, which makes a state of nothing.
  MachineState state = step > recording.firstStep() + 1 ? recording.stateAt(step - 1) : MachineState();
  BatchStage stage = BatchStage::kPlanned;
  int padding = 0;
  for (const Event& event : recording.eventsOf(step)) {
    if (const auto end = endOf(event); end && event.step == step) {
      stage = *end;
      break;
    }
    const auto* phase = std::get_if<PhaseStarted>(&event.body);
    if (phase != nullptr && phase->phase == Phase::kForward) stage = BatchStage::kForward;
    if (const auto* padded = bodyOf<BatchPadded>(event)) padding = padded->rows - padded->tokens;
    state.apply(event);
  }
  BatchPicture picture = batchOf(state);
  picture.step = step;
  picture.stage = stage;
  picture.padding = padding;
  return picture;
}

}  // namespace vitrine
