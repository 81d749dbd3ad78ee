// LinkMarks: marks the parts of sentences that name something, and turns marked sentences into texts with
// links.
//
// The marks are control characters inside the text, so that a translation may put the marked parts into any
// order, and sentences may be put together from others. Internal to why.cpp. Thread: any.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vitrine/prose/event_prose.h"

namespace vitrine::prose {

class LinkMarks {
 public:
  // The names, with links. Valid as long as this lives.
  Names marking(const Names& names);
  std::string mark(std::string part, const Target& target);

  // The text without marks, and its links in order. Control characters that are no mark stay.
  std::pair<std::string, std::vector<Link>> read(std::string_view marked) const;

 private:
  // The target of the mark that begins at `at`, and the length of that mark; null for other text.
  std::pair<const Target*, std::size_t> markAt(std::string_view text, std::size_t at) const;

  std::vector<Target> m_targets;
};

}  // namespace vitrine::prose
