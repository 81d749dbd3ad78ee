#include "widgets/models/newest_words.h"

namespace vitrine {
namespace {

constexpr std::size_t kPart = 256;  // bytes

bool insideCharacter(std::string_view text, std::size_t at) {
  return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
}

std::string_view beginning(std::string_view text) {
  std::size_t end = std::min(text.size(), 2 * kPart);
  while (insideCharacter(text, end)) --end;
  return text.substr(0, end);
}

// From one to two parts long, and it begins at a multiple of a part.
std::string_view ending(std::string_view text) {
  if (text.size() <= 2 * kPart) return text;
  std::size_t begin = (text.size() / kPart - 1) * kPart;
  while (insideCharacter(text, begin)) ++begin;
  return text.substr(begin);
}

QString readable(std::string_view utf8) {
  QString text = QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
  for (QChar& c : text) {
    if (c == u'\n')
      c = QChar(0x21b5);
    else if (c.category() == QChar::Other_Control)
      c = u' ';
  }
  return text;
}

}  // namespace

NewestWords newestWords(const SequenceState& sequence, std::string_view prompt, std::string_view fresh) {
  NewestWords words;
  const std::string_view answer = sequence.text;
  if (answer.empty()) {
    const std::string_view shown = beginning(prompt);
    words.text = readable(shown);
    words.cutBack = shown.size() < prompt.size();
    words.answer = words.fresh = static_cast<int>(words.text.size());
    return words;
  }
  const std::string_view shown = ending(answer);
  words.cutFront = shown.size() < answer.size();
  if (!words.cutFront) {
    const std::string_view before = ending(prompt);
    words.cutFront = before.size() < prompt.size();
    words.text = readable(before);
  }
  words.answer = static_cast<int>(words.text.size());
  const bool isEnd = !fresh.empty() && shown.ends_with(fresh);
  const std::size_t old = shown.size() - (isEnd ? fresh.size() : 0);
  words.text += readable(shown.substr(0, old));
  words.fresh = static_cast<int>(words.text.size());
  words.text += readable(shown.substr(old));
  return words;
}

}  // namespace vitrine
