#include "text/split.h"

#include <algorithm>

namespace vitrine {
namespace {

// A match joins the stretch before it, unless that one is a match too: "a, b" → "a," " b", but ",," → ","
// ",".
std::vector<Stretch> mergedWithPrevious(const std::vector<Stretch>& stretches) {
  std::vector<Stretch> merged;
  bool previousMatch = false;
  for (const Stretch& stretch : stretches) {
    if (stretch.isMatch && !previousMatch && !merged.empty()) {
      merged.back().end = stretch.end;
    } else {
      merged.push_back(stretch);
    }
    previousMatch = stretch.isMatch;
  }
  return merged;
}

std::vector<Stretch> mergedWithNext(const std::vector<Stretch>& stretches) {
  std::vector<Stretch> merged;
  bool previousMatch = false;
  for (auto stretch = stretches.rbegin(); stretch != stretches.rend(); ++stretch) {
    if (stretch->isMatch && !previousMatch && !merged.empty()) {
      merged.back().begin = stretch->begin;
    } else {
      merged.push_back(*stretch);
    }
    previousMatch = stretch->isMatch;
  }
  std::reverse(merged.begin(), merged.end());
  return merged;
}

std::vector<Stretch> contiguous(const std::vector<Stretch>& stretches) {
  std::vector<Stretch> merged;
  bool previousMatch = false;
  for (const Stretch& stretch : stretches) {
    if (stretch.isMatch == previousMatch && !merged.empty()) {
      merged.back().end = stretch.end;
    } else {
      merged.push_back(stretch);
    }
    previousMatch = stretch.isMatch;
  }
  return merged;
}

}  // namespace

std::vector<Stretch> applyBehavior(std::vector<Stretch> stretches, SplitBehavior behavior) {
  switch (behavior) {
    case SplitBehavior::kIsolated:
      return stretches;
    case SplitBehavior::kRemoved:
      std::erase_if(stretches, [](const Stretch& s) { return s.isMatch; });
      return stretches;
    case SplitBehavior::kMergedWithPrevious:
      return mergedWithPrevious(stretches);
    case SplitBehavior::kMergedWithNext:
      return mergedWithNext(stretches);
    case SplitBehavior::kContiguous:
      return contiguous(stretches);
  }
  return stretches;
}

std::vector<Stretch> stretchesOfLiteral(std::string_view text, std::string_view literal) {
  std::vector<Stretch> stretches;
  std::size_t settled = 0;
  for (std::size_t at = text.find(literal); at != std::string_view::npos; at = text.find(literal, settled)) {
    if (settled < at) stretches.push_back({settled, at, false});
    stretches.push_back({at, at + literal.size(), true});
    settled = at + literal.size();
  }
  if (settled < text.size()) stretches.push_back({settled, text.size(), false});
  return stretches;
}

}  // namespace vitrine
