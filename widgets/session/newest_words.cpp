#include "widgets/session/newest_words.h"

#include <QRegularExpression>
#include <algorithm>

#include "widgets/support/token_ink.h"

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
  return flowingToken(QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size())));
}

// A chat template's markers before and behind a message, with the roles between them: a card has room for the
// message alone. Where there is nothing else, they stay.
QString withoutMarkers(const QString& prompt, bool inFront) {
  static const QString marker = QStringLiteral("(?:</?s>|<\\|\\w+\\|>(?:(?:system|user|assistant)(?=↵))?)");
  static const QString markers = QStringLiteral("(?:↵|\\s)*%1(?:%1|↵|\\s)*").arg(marker);
  static const QRegularExpression before(u'^' + markers), behind(markers + u'$');
  QString words = prompt;
  words.remove(behind);
  if (inFront) words.remove(before);
  return words.isEmpty() ? prompt : words;
}

// Tokenizers of the SentencePiece kind leave the blank before an answer out of its text.
bool needsBlank(const QString& prompt, const QString& answer) {
  return !prompt.isEmpty() && !answer.isEmpty() && !prompt.back().isSpace() && prompt.back() != u'↵' &&
         answer.front().isLetterOrNumber();
}

}  // namespace

NewestWords newestWords(std::string_view answer, std::string_view prompt, std::string_view fresh) {
  NewestWords words;
  if (answer.empty()) {
    const std::string_view shown = beginning(prompt);
    words.cutBack = shown.size() < prompt.size();
    words.text = withoutMarkers(readable(shown), true);
    words.answer = words.fresh = static_cast<int>(words.text.size());
    return words;
  }
  const std::string_view shown = ending(answer);
  words.cutFront = shown.size() < answer.size();
  if (!words.cutFront) {
    const std::string_view before = ending(prompt);
    words.cutFront = before.size() < prompt.size();
    words.text = withoutMarkers(readable(before), !words.cutFront);
    if (needsBlank(words.text, readable(shown))) words.text += u' ';
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
