#include "vitrine/message_text.h"

#include <algorithm>

namespace vitrine {

std::string forMessage(std::string_view text, std::size_t longest) {
  std::size_t length = std::min(text.size(), longest);
  while (length < text.size() && length > 0 && (text[length] & 0xc0) == 0x80) --length;  // whole characters
  std::string shown(text.substr(0, length));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return length < text.size() ? shown + "..." : shown;
}

std::string jsonComplaint(std::string_view what) {
  const auto dropUntil = [&](std::string_view end) {
    if (const std::size_t at = what.find(end); at != std::string_view::npos)
      what.remove_prefix(at + end.size());
  };
  if (what.starts_with('[')) dropUntil("] ");
  if (what.starts_with("parse error")) what.remove_prefix(std::string_view("parse error").size());
  if (what.starts_with(" at ")) what.remove_prefix(std::string_view(" at ").size());
  if (what.starts_with(": ")) what.remove_prefix(2);
  std::string words = forMessage(what);
  for (char& c : words)
    if (static_cast<unsigned char>(c) > 0x7e) c = '?';
  return words;
}

}  // namespace vitrine
