// BatchPicture: the ragged batch of a step as its forward gets it, from events.
//
// A batch has one row for each token that the step computes; rows of a sequence follow each other, and
// attention finds the KV of the earlier tokens by the sequence's block table (paged attention, arXiv
// 2309.06180). Blocks are freed, rolled back and evicted later in the same step, so the picture is taken
// where the forward ends: the events are replayed up to there. An early exit and a draft model compute their
// drafts in batches of their own before, which no event describes. Thread: values. Read next:
// machine_state.h.
#pragma once

#include <cstdint>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine {

class Recording;

// Where the step is with its batch.
enum class BatchStage : std::uint8_t {
  kPlanned,   // Plan or Allocate: blocks may be missing
  kForward,   // being computed; drafts may be missing until the drafter has proposed them
  kComputed,  // the forward has ended
  kFailed,    // the step has failed, and this is what it was to compute
};

// The rows of one sequence.
struct BatchSequence {
  SequenceId sequence = 0;
  RequestId request = 0;
  WorkKind kind = WorkKind::kPrefill;
  int firstPosition = 0;        // in the text, of the first row's token
  int rows = 0, draftRows = 0;  // draftRows: the last ones of `rows`
  bool samples = false;         // the last known token and each draft have their logits computed
  int evictedTokens = 0;        // of the context, before the first row
  std::vector<TokenId> tokens;  // of the rows; without the draft while it is not proposed
  std::vector<BlockId> blockTable;

  bool operator==(const BatchSequence&) const = default;
};

// What the kernels get for one row.
struct BatchCell {
  int position = 0;        // in the KV of the sequence: an index into the tokens that are left
  int rotaryPosition = 0;  // in the text, by which query and key are rotated
  BlockId block = -1;      // -1: not allocated yet
  int offset = 0;          // in the block
  std::int64_t slot = -1;  // where its KV goes: block * blockSize + offset; -1 without a block
  int sees = 0;            // tokens that it attends to, itself included, without a sliding window
  bool isDraft = false, wantsLogits = false;

  bool operator==(const BatchCell&) const = default;
};

struct BatchPicture {
  int step = 0, blockSize = 0;
  BatchStage stage = BatchStage::kPlanned;
  std::vector<BatchSequence> sequences;  // as the forward has them one after another
  int padding = 0;                       // rows behind theirs, which a GPU computes in vain (BatchPadded)

  int rows() const;
  BatchCell cell(const BatchSequence& one, int row) const;  // row: 0 .. one.rows - 1

  bool operator==(const BatchPicture&) const = default;
};

// Of the step in flight; without sequences when it has not planned yet, or has computed its batch.
BatchPicture batchOf(const MachineState& state);
// Of any recorded step, finished or not; without sequences when it computes nothing. Reads one step and the
// state before it. Throws EngineError (kIo, kFileCorrupt) when the disk has lost them.
BatchPicture batchOf(const Recording& recording, int step);

}  // namespace vitrine
