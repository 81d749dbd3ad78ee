// The five ways of Hugging Face to cut a text where a pattern matches.
//
// Thread: pure functions.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace vitrine {

// A stretch of a text. The stretches of one search follow each other and cover the whole text.
struct Stretch {
  std::size_t begin = 0, end = 0;
  bool isMatch = false;
};

enum class SplitBehavior { kRemoved, kIsolated, kMergedWithPrevious, kMergedWithNext, kContiguous };

// The pieces left of the stretches; isMatch no longer means anything in them.
std::vector<Stretch> applyBehavior(std::vector<Stretch> stretches, SplitBehavior behavior);

// Stretches of a text by a test on characters: every character that passes is a match of its own.
template <typename Test>
std::vector<Stretch> stretchesOf(std::string_view text, Test test);

// Stretches by occurrences of a non-empty string, from left to right, none overlapping.
std::vector<Stretch> stretchesOfLiteral(std::string_view text, std::string_view literal);

}  // namespace vitrine

#include "text/utf8.h"

template <typename Test>
std::vector<vitrine::Stretch> vitrine::stretchesOf(std::string_view text, Test test) {
  std::vector<Stretch> stretches;
  std::size_t settled = 0;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Step step = utf8::decode(text.substr(at));
    if (test(step.codePoint)) {
      if (settled < at) stretches.push_back({settled, at, false});
      stretches.push_back({at, at + step.length, true});
      settled = at + step.length;
    }
    at += step.length;
  }
  if (settled < text.size()) stretches.push_back({settled, text.size(), false});
  return stretches;
}
