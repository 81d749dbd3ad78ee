#include "widgets/batch/batch_lines.h"

namespace vitrine {
namespace {

constexpr int kMostRows = 8, kFirstRows = 5;  // of a sequence without a fold; before the fold

}  // namespace

std::vector<BatchLine> batchLines(const BatchModel& batch, const std::set<SequenceId>& unfolded) {
  std::vector<BatchLine> lines;
  int first = 0;
  for (const BatchSequence& one : batch.picture().sequences) {
    const int folded = one.rows - kFirstRows - 1;
    const bool folds = one.rows > kMostRows && one.draftRows == 0 && !unfolded.contains(one.sequence);
    for (int row = 0; row < one.rows; ++row) {
      const bool hides = folds && row == kFirstRows;
      lines.push_back({first + row, hides ? folded : 0});
      if (hides) row += folded - 1;
    }
    first += one.rows;
  }
  return lines;
}

}  // namespace vitrine
