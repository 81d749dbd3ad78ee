#include "text/jinja/text_search.h"

namespace vitrine::jinja {

TextSearch::TextSearch(std::string_view wanted, std::size_t longestText) : m_wanted(wanted) {
  if (wanted.size() <= kShort || wanted.size() > longestText) return;
  m_borders.resize(wanted.size(), 0);
  std::size_t border = 0;
  for (std::size_t i = 1; i < wanted.size(); ++i) {
    while (border > 0 && wanted[i] != wanted[border]) border = m_borders[border - 1];
    if (wanted[i] == wanted[border]) ++border;
    m_borders[i] = border;
  }
}

std::size_t TextSearch::find(std::string_view text, std::size_t from) const {
  if (m_borders.empty()) return text.find(m_wanted, from);
  std::size_t matched = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    while (matched > 0 && text[i] != m_wanted[matched]) matched = m_borders[matched - 1];
    if (text[i] == m_wanted[matched]) ++matched;
    if (matched == m_wanted.size()) return i + 1 - matched;
  }
  return npos;
}

std::size_t TextSearch::findLast(std::string_view text, std::string_view wanted) {
  if (wanted.size() <= kShort || wanted.size() > text.size()) return text.rfind(wanted);
  const std::string backward(text.rbegin(), text.rend()), wantedBackward(wanted.rbegin(), wanted.rend());
  const std::size_t found = TextSearch(wantedBackward, text.size()).find(backward);
  return found == npos ? npos : text.size() - found - wanted.size();
}

std::size_t TextSearch::count(std::string_view text) const {
  std::size_t count = 0;
  for (std::size_t at = find(text); at != npos; at = find(text, at + m_wanted.size())) ++count;
  return count;
}

}  // namespace vitrine::jinja
