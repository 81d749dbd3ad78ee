#include "prose/link_marks.h"

#include <charconv>

namespace vitrine::prose {
namespace {

// A mark is "kBegin number kWords words kEnd"; the number is the target's.
constexpr char kBegin = '\x01', kWords = '\x02', kEnd = '\x03';

}  // namespace

Names LinkMarks::marking(const Names& names) {
  Names linked = names;
  linked.link = [this](std::string part, const Target& target) { return mark(std::move(part), target); };
  return linked;
}

// A name that holds marks of its own loses them.
std::string LinkMarks::mark(std::string part, const Target& target) {
  std::erase_if(part, [](char c) { return c == kBegin || c == kWords || c == kEnd; });
  m_targets.push_back(target);
  return kBegin + std::to_string(m_targets.size() - 1) + kWords + part + kEnd;
}

std::pair<const Target*, std::size_t> LinkMarks::markAt(std::string_view text, std::size_t at) const {
  const std::size_t words = text.find(kWords, at);
  if (text[at] != kBegin || words == text.npos) return {nullptr, 0};
  std::size_t number = 0;
  const char* const end = text.data() + words;
  const auto [stop, error] = std::from_chars(text.data() + at + 1, end, number);
  if (error != std::errc() || stop != end || number >= m_targets.size()) return {nullptr, 0};
  return {&m_targets[number], words + 1 - at};
}

std::pair<std::string, std::vector<Link>> LinkMarks::read(std::string_view marked) const {
  std::string text;
  std::vector<Link> links;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < marked.size();) {
    if (const auto [target, length] = markAt(marked, i); target != nullptr) {
      open.push_back(links.size());
      links.push_back({text.size(), 0, *target});
      i += length;
    } else if (marked[i] == kEnd && !open.empty()) {
      links[open.back()].length = text.size() - links[open.back()].begin;
      open.pop_back();
      ++i;
    } else {
      text += marked[i++];
    }
  }
  return {std::move(text), std::move(links)};
}

}  // namespace vitrine::prose
