// TextSearch: where a text stands in others, in a time that grows with their length alone.
//
// The plain search of the standard library takes the product of both lengths for "aaaa...b" in "aaaa...".
// Thread: any, once it is made; the text must outlive it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vitrine::jinja {

class TextSearch {
 public:
  static constexpr std::size_t npos = std::string_view::npos;

  // No text that is searched is longer than that.
  TextSearch(std::string_view wanted, std::size_t longestText);

  // The first place from `from` on, in bytes; npos when there is none.
  std::size_t find(std::string_view text, std::size_t from = 0) const;
  // The last place.
  static std::size_t findLast(std::string_view text, std::string_view wanted);
  std::size_t count(std::string_view text) const;  // of places that do not overlap

 private:
  static constexpr std::size_t kShort = 16;  // is searched plainly

  std::string_view m_wanted;
  std::vector<std::size_t> m_borders;  // of each beginning: the longest shorter beginning that it ends with
};

}  // namespace vitrine::jinja
