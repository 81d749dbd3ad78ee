// The end of a text that grows, where a mark may have begun. Thread: pure functions.
#pragma once

#include <algorithm>
#include <string_view>

namespace vitrine {

// Bytes at the end of `text` that are the beginning of one of `marks`, the most of them; a whole mark counts
// not.
template <typename Marks>
std::size_t begunMark(std::string_view text, const Marks& marks) {
  std::size_t longest = 0;
  for (const std::string_view mark : marks)
    for (std::size_t length = std::min(mark.size() - 1, text.size()); length > longest; --length)
      if (text.ends_with(mark.substr(0, length))) longest = length;
  return longest;
}

template <typename Marks>
std::string_view withoutBegunMark(std::string_view text, const Marks& marks) {
  return text.substr(0, text.size() - begunMark(text, marks));
}

}  // namespace vitrine
