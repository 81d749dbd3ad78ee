// The lines of BatchView: rows of the batch, and a line for those of a long chunk that are folded. Thread:
// the window's.
#pragma once

#include <set>
#include <vector>

#include "widgets/batch/batch_model.h"

namespace vitrine {

struct BatchLine {
  int row = 0;     // of the model; of a folded line the first one
  int folded = 0;  // so many rows; 0: the line is one row

  bool operator==(const BatchLine&) const = default;
};

// The last row of a chunk stays in sight, since it may be the one with the logits.
std::vector<BatchLine> batchLines(const BatchModel& batch, const std::set<SequenceId>& unfolded);

}  // namespace vitrine
