// CandidateIndex: in which steps a sequence has sampling detail (TokenCandidates), and the detail itself,
// read from the recording. A few bytes for each step that has detail. Thread: the window's. Read next:
// session.h.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "vitrine/recording.h"

namespace vitrine {

class CandidateIndex {
 public:
  // Every event of the run, in order.
  void note(const Event& event);
  void clear();

  // The latest detail of a sequence up to the end of step `cursor`, or of the recording, which holds the
  // noted events; null when there is none, or when the disk has lost that part.
  std::shared_ptr<const TokenCandidates> find(SequenceId sequence, std::optional<int> cursor,
                                              const Recording& recording) const;

  // The step of that detail; 0: there is none.
  int stepOf(SequenceId sequence, std::optional<int> cursor) const;

 private:
  struct Found {
    SequenceId sequence = 0;
    int step = 0;
    std::int64_t size = 0;  // of the recording, if it was read up to its end; else 0
    std::shared_ptr<const TokenCandidates> candidates;
  };

  std::unordered_map<SequenceId, std::vector<int>> m_steps;  // in order
  mutable Found m_last;                                      // several views ask for the same
};

}  // namespace vitrine
