// MarkPlaces: the places of a mark in a text. A place is looked for once, however often it is asked for.
// Thread: one.
#pragma once

#include <algorithm>
#include <string_view>

namespace vitrine {

class MarkPlaces {
 public:
  MarkPlaces(std::string_view text, std::string_view mark) : m_text(text), m_mark(mark) {}

  // The next one, or the end of the text. `from` ascends.
  std::size_t next(std::size_t from) {
    if (!m_known || m_next < from) m_next = std::min(m_text.find(m_mark, from), m_text.size());
    m_known = true;
    return m_next;
  }
  std::size_t behindNext(std::size_t from) {  // npos: there is none
    const std::size_t begin = next(from);
    return begin == m_text.size() ? std::string_view::npos : begin + m_mark.size();
  }

 private:
  std::string_view m_text, m_mark;
  std::size_t m_next = 0;
  bool m_known = false;
};

}  // namespace vitrine
