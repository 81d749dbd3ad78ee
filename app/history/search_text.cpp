#include "search_text.h"

#include <QStringList>
#include <algorithm>

namespace vitrine {

namespace {

constexpr QChar kApart{0x1f};  // unicode61 takes control characters for blanks
constexpr qsizetype kLongestQuery = 400;
constexpr qsizetype kMostWords = 16;
constexpr QChar kEllipsis{0x2026};

bool isReserved(QChar c) { return c == kApart || c == kHitBegin || c == kHitEnd; }

// Korean has blanks, but endings stick to its words.
bool isWrittenWithoutBlanks(char32_t c) {
  if (c < 0x0e00) return false;
  switch (QChar::script(c)) {
    case QChar::Script_Han:
    case QChar::Script_Hiragana:
    case QChar::Script_Katakana:
    case QChar::Script_Bopomofo:
    case QChar::Script_Hangul:
    case QChar::Script_Thai:
    case QChar::Script_Lao:
    case QChar::Script_Khmer:
    case QChar::Script_Myanmar:
      return QChar::isLetterOrNumber(c);
    default:
      return false;
  }
}

// Calls visit(code point, its place, its length in UTF-16 units).
template <typename Visit>
void forEachCharacter(const QString& text, const Visit& visit) {
  for (qsizetype i = 0; i < text.size();) {
    const bool pair = text.at(i).isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate();
    visit(pair ? QChar::surrogateToUcs4(text.at(i), text.at(i + 1)) : char32_t(text.at(i).unicode()), i,
          pair ? 2 : 1);
    i += pair ? 2 : 1;
  }
}

bool hasWord(const QString& text) {
  bool found = false;
  forEachCharacter(text, [&](char32_t c, qsizetype, int) { found = found || QChar::isLetterOrNumber(c); });
  return found;
}

QString quoted(const QString& word) {
  const QString spaced = spacedWords(word);
  return '"' + (spaced.isNull() ? word : spaced) + '"';
}

}  // namespace

QString storable(const QString& text) {
  QString clean;
  forEachCharacter(text, [&](char32_t c, qsizetype at, int) {
    if (c != 0 && !QChar::isSurrogate(c)) return;
    if (clean.isNull()) clean = text;
    clean[at] = QChar::ReplacementCharacter;
  });
  if (!clean.isNull()) return clean;
  return text.isNull() ? QStringLiteral("") : text;  // a null string would be SQL's NULL
}

QString spacedWords(const QString& text) {
  QString spaced;
  qsizetype done = 0;  // how much of `text` is in `spaced`
  forEachCharacter(text, [&](char32_t c, qsizetype at, int length) {
    const bool reserved = length == 1 && isReserved(text.at(at));
    if (!reserved && !isWrittenWithoutBlanks(c)) return;
    spaced += QStringView(text).mid(done, at - done);
    if (reserved)
      spaced += ' ';
    else
      spaced += kApart + text.mid(at, length) + kApart;
    done = at + length;
  });
  if (spaced.isNull()) return {};
  return spaced + text.mid(done);
}

QString matchExpression(const QString& query) {
  const QString text = storable(query.left(kLongestQuery));  // half a character would swallow a quote
  QStringList words;
  const auto add = [&](const QString& word, bool prefix) {
    if (words.size() < kMostWords && hasWord(word)) words += quoted(word) + (prefix ? "*" : "");
  };
  const QStringList parts = text.split('"');
  for (qsizetype i = 0; i < parts.size(); ++i) {
    const bool last = i + 1 == parts.size();
    if (i % 2 == 1) {  // a quote that is still open is a phrase that goes on
      add(parts.at(i), last && !parts.at(i).endsWith(' '));
      continue;
    }
    const QStringList plain = parts.at(i).simplified().split(' ', Qt::SkipEmptyParts);
    const bool open = last && !parts.at(i).isEmpty() && !parts.at(i).back().isSpace();
    for (qsizetype w = 0; w < plain.size(); ++w) add(plain.at(w), open && w + 1 == plain.size());
  }
  return words.join(' ');  // a blank between phrases means both, and FTS5 passes over those without a word
}

MarkedText snippetOf(const QString& highlighted, int longest) {
  MarkedText whole;
  whole.text.reserve(highlighted.size());
  for (const QChar c : highlighted) {
    const auto at = static_cast<int>(whole.text.size());
    if (c == kHitBegin)
      whole.ranges.push_back({at, 0});
    else if (c == kHitEnd && !whole.ranges.empty())
      whole.ranges.back().length = at - whole.ranges.back().start;
    else if (c != kApart)
      whole.text += c.isSpace() ? QChar(' ') : c;
  }
  const int size = static_cast<int>(whole.text.size());
  const int hit = whole.ranges.empty() ? 0 : whole.ranges.front().start;
  int begin = std::clamp(hit - longest / 4, 0, std::max(0, size - longest));
  int end = std::min(size, begin + longest);
  if (begin > 0 && whole.text.at(begin).isLowSurrogate()) ++begin;
  if (end < size && whole.text.at(end).isLowSurrogate()) --end;
  MarkedText cut;
  if (begin > 0) cut.text += kEllipsis;
  const int shift = static_cast<int>(cut.text.size()) - begin;
  cut.text += QStringView(whole.text).mid(begin, end - begin);
  if (end < size) cut.text += kEllipsis;
  for (const HitRange& range : whole.ranges) {
    const int from = std::max(range.start, begin), to = std::min(range.start + range.length, end);
    if (from < to) cut.ranges.push_back({from + shift, to - from});
  }
  return cut;
}

}  // namespace vitrine
