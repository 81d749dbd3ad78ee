// Links of a sentence: which of its words speak of what, so that a window can light that up.
//
// Thread: values. Read next: why.h.
#pragma once

#include <cstddef>
#include <vector>

#include "vitrine/ids.h"

namespace vitrine::prose {

// What words speak of, or what a user points at.
struct Target {
  RequestId request = 0;             // 0: none
  SequenceId sequence = 0;           // 0: none
  int step = 0;                      // 0: none; with a sequence: what the step did with it
  int position = -1;                 // of a token of the sequence; -1: none
  std::vector<BlockId> blocks = {};  // in the pool

  bool isEmpty() const { return *this == Target(); }
  bool operator==(const Target&) const = default;
};

struct Link {
  std::size_t begin = 0, length = 0;  // bytes of the sentence
  Target target = {};

  bool operator==(const Link&) const = default;
};

}  // namespace vitrine::prose
