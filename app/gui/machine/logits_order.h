// LogitsOrder, KnownLogits: the window asks for the logits that a token was chosen from, to preview its draw
// with other options. Thread: values. Read next: sampling_previewer.h.
#pragma once

#include <cstdint>
#include <vector>

#include "vitrine/results.h"

namespace vitrine {

struct LogitsOrder {
  std::int64_t ticket = 0;
  std::vector<TokenId> tokens;  // of the sequence before that token
};

struct KnownLogits {
  std::int64_t ticket = 0;
  NextLogits next;  // no logits when they could not be computed, which noticed() has said
};

}  // namespace vitrine
