#include "widgets/markdown/autolinks.h"

#include <algorithm>
#include <cctype>

#include "widgets/markdown/markdown_block.h"
#include "widgets/markdown/shown_text.h"

namespace vitrine {
namespace {

bool isLetterOrDigit(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool startsWith(std::string_view text, std::size_t at, std::string_view word) {
  return text.size() - at >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

std::size_t prefixAt(std::string_view text, std::size_t at) {
  for (const std::string_view prefix : {"https://", "http://", "www."})
    if (startsWith(text, at, prefix)) return prefix.size();
  return 0;
}

// An address goes on up to a space or '<'; marks of a sentence at its end and a bracket without its partner
// are not part of it.
std::size_t addressEnd(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  long open = 0;
  for (; end < text.size(); ++end) {
    const auto c = static_cast<unsigned char>(text[end]);
    if (c <= ' ' || c == '<') break;
    open += c == '(' ? 1 : c == ')' ? -1 : 0;
  }
  for (; end > begin; --end) {
    const char last = text[end - 1];
    if (last == ')' && open < 0)
      ++open;
    else if (std::string_view("?!.,:;*_~'\"").find(last) == std::string_view::npos)
      break;
  }
  return end;
}

}  // namespace

bool isAllowedAddress(std::string_view href) {
  if (href.size() > kMaxAddressBytes) return false;
  std::size_t scheme = 0;
  for (const std::string_view allowed : {"https://", "http://", "mailto:"})
    if (startsWith(href, 0, allowed)) scheme = allowed.size();
  if (scheme == 0 || href.size() == scheme) return false;
  for (std::size_t at = 0; at < href.size();) {
    const ShownCharacter character = shownCharacter(href, at);
    if (character.replaced || character.code <= U' ') return false;
    at += character.sourceBytes;
  }
  return true;
}

std::vector<FoundAddress> findAddresses(std::string_view text) {
  std::vector<FoundAddress> found;
  for (std::size_t at = 0; at < text.size();) {
    const bool isWordBegin = at == 0 || !isLetterOrDigit(text[at - 1]);
    const char first = text[at];
    const bool mayBegin = isWordBegin && (first == 'h' || first == 'H' || first == 'w' || first == 'W');
    const std::size_t prefix = mayBegin ? prefixAt(text, at) : 0;
    if (prefix == 0) {
      ++at;
      continue;
    }
    const std::size_t end = addressEnd(text, at + prefix);
    const bool hasHost =
        end > at + prefix && (isLetterOrDigit(text[at + prefix]) || (text[at + prefix] & 0x80));
    std::string href = (prefix == 4 ? "http://" : "") + std::string(text.substr(at, end - at));
    const bool named = prefix != 4 || href.find('.', 11) != std::string::npos;  // a dot after "http://www."
    if (hasHost && named && isAllowedAddress(href)) found.push_back({at, end, std::move(href)});
    at = std::max(end, at + prefix);
  }
  return found;
}

}  // namespace vitrine
