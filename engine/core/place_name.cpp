#include "vitrine/place_name.h"

#include <algorithm>

namespace vitrine {

std::string placeName(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return std::string(path.substr(path.find_last_of('/') + 1));
}

std::string withPlaceNames(std::string_view sentence) {
  constexpr std::string_view kEnds = " \t\n\"'()<>,;";
  std::string text;
  while (!sentence.empty()) {
    const std::size_t end = std::min(sentence.find_first_of(kEnds), sentence.size());
    const std::string_view word = sentence.substr(0, end);
    const bool isPath = word.starts_with('/') && word.find('/', 1) != std::string_view::npos;
    text += isPath ? placeName(word) : std::string(word);
    if (end < sentence.size()) text += sentence[end];
    sentence.remove_prefix(std::min(end + 1, sentence.size()));
  }
  return text;
}

}  // namespace vitrine
