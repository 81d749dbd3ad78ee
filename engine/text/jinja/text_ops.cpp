#include "text/jinja/text_ops.h"

#include <algorithm>
#include <string>

#include "text/jinja/letters.h"
#include "text/jinja/text_search.h"
#include "text/utf8.h"

namespace vitrine::jinja::text_ops {
namespace {

template <typename IsStripped>
Span strippedOf(std::string_view text, bool left, bool right, IsStripped isStripped) {
  Span span{0, text.size()};
  while (left && span.begin < span.end) {
    const utf8::Step step = utf8::decode(text.substr(span.begin));
    if (!isStripped(step.codePoint)) break;
    span.begin += step.length;
  }
  while (right && span.begin < span.end) {
    const utf8::Step step = utf8::decodeLast(text.substr(span.begin, span.end - span.begin));
    if (!isStripped(step.codePoint)) break;
    span.end -= step.length;
  }
  return span;
}

// Writes each letter anew: `write` appends what stands for the letter at a byte of the text.
template <typename Write>
MarkedText rewritten(const MarkedText& text, Budget& budget, Write write) {
  budget.takeRewritten(text);
  MarkedText result;
  result.reserve(text.size());
  MarkReader marks(text);
  std::string letters;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Step step = utf8::decode(std::string_view(text.text()).substr(at));
    letters.clear();
    write(letters, step.codePoint, at);
    result.append(letters, marks.at(at));
    at += step.length;
  }
  return result;
}

bool hasOneCase(std::string_view text, bool (*is)(char32_t)) {
  bool any = false;
  while (!text.empty()) {
    const utf8::Step step = utf8::decode(text);
    text.remove_prefix(step.length);
    if (!letters::isCased(step.codePoint)) continue;
    if (!is(step.codePoint)) return false;
    any = true;
  }
  return any;
}

}  // namespace

std::size_t lettersIn(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0u) != 0x80u;
  }));
}

std::size_t byteOfLetter(const String& text, std::size_t letter) {
  if (text.isAscii()) return letter;
  std::size_t at = 0;
  for (std::size_t i = 0; i < letter; ++i)
    at += utf8::decode(std::string_view(text.text.text()).substr(at)).length;
  return at;
}

Span stripped(std::string_view text, bool left, bool right) {
  return strippedOf(text, left, right, letters::isSpace);
}

Span stripped(std::string_view text, std::string_view letters, bool left, bool right) {
  std::vector<char32_t> set;
  for (; !letters.empty(); letters.remove_prefix(utf8::decode(letters).length))
    set.push_back(utf8::decode(letters).codePoint);
  std::sort(set.begin(), set.end());
  return strippedOf(text, left, right,
                    [&](char32_t letter) { return std::binary_search(set.begin(), set.end(), letter); });
}

std::vector<Span> splitAtSpace(std::string_view text, std::size_t most, bool fromRight) {
  std::vector<Span> words;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Step step = utf8::decode(text.substr(at));
    const bool space = letters::isSpace(step.codePoint);
    const bool continues = !words.empty() && words.back().end == at;
    if (!space && continues)
      words.back().end = at + step.length;
    else if (!space)
      words.push_back({at, at + step.length});
    at += step.length;
  }
  if (words.size() <= most) return words;
  // The words that no cut divides any more stay one, with the space between them.
  const std::size_t joined = words.size() - most;
  if (fromRight) {
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(joined - 1));
    words.front().begin = 0;
  } else {
    words.resize(most + 1);
    words.back().end = text.size();
  }
  return words;
}

std::vector<Span> splitAt(std::string_view text, std::string_view separator, std::size_t most) {
  const TextSearch search(separator, text.size());
  std::vector<Span> parts;
  std::size_t begin = 0;
  while (parts.size() < most) {
    const std::size_t found = search.find(text, begin);
    if (found == TextSearch::npos) break;
    parts.push_back({begin, found});
    begin = found + separator.size();
  }
  parts.push_back({begin, text.size()});
  return parts;
}

std::vector<Span> splitFromRight(std::string_view text, std::string_view separator, std::size_t most) {
  const std::string backward(text.rbegin(), text.rend());
  const std::string separatorBackward(separator.rbegin(), separator.rend());
  std::vector<Span> parts = splitAt(backward, separatorBackward, most);
  for (Span& part : parts) part = {text.size() - part.end, text.size() - part.begin};
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<Span> lines(std::string_view text, bool withEnds) {
  std::vector<Span> result;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Step step = utf8::decode(text.substr(at));
    const std::size_t lineEnd = at;
    at += step.length;
    if (!letters::isLineEnd(step.codePoint)) continue;
    if (step.codePoint == '\r' && at < text.size() && text[at] == '\n') ++at;
    result.push_back({begin, withEnds ? at : lineEnd});
    begin = at;
  }
  if (begin < text.size()) result.push_back({begin, text.size()});
  return result;
}

MarkedText upper(const MarkedText& text, Budget& budget) {
  return rewritten(text, budget, [](std::string& letters, char32_t letter, std::size_t) {
    letters::appendUpper(letters, letter);
  });
}

MarkedText lower(const MarkedText& text, Budget& budget) {
  return rewritten(text, budget, [&](std::string& letters, char32_t, std::size_t at) {
    letters::appendLower(letters, text.text(), at);
  });
}

MarkedText capitalized(const MarkedText& text, Budget& budget) {
  return rewritten(text, budget, [&](std::string& letters, char32_t letter, std::size_t at) {
    if (at == 0)
      letters::appendTitle(letters, letter);
    else
      letters::appendLower(letters, text.text(), at);
  });
}

MarkedText titled(const MarkedText& text, Budget& budget) {
  bool insideWord = false;
  return rewritten(text, budget, [&](std::string& letters, char32_t letter, std::size_t at) {
    if (insideWord)
      letters::appendLower(letters, text.text(), at);
    else
      letters::appendTitle(letters, letter);
    insideWord = letters::isCased(letter);
  });
}

MarkedText caseSwapped(const MarkedText& text, Budget& budget) {
  return rewritten(text, budget, [&](std::string& letters, char32_t letter, std::size_t at) {
    if (letters::isUpper(letter))
      letters::appendLower(letters, text.text(), at);
    else if (letters::isLower(letter))
      letters::appendUpper(letters, letter);
    else
      utf8::append(letters, letter);
  });
}

MarkedText replaced(const MarkedText& text, const MarkedText& wanted, const MarkedText& replacement,
                    std::int64_t most, Budget& budget) {
  budget.takeLetters(text);
  MarkedText result;
  std::int64_t left = most;
  const auto put = [&](std::size_t begin, std::size_t end) {
    budget.allowText(result.size() + end - begin + replacement.size());
    result.append(text, begin, end);
  };
  const auto replace = [&] {
    budget.takeText(replacement);
    result.append(replacement);
    --left;
  };
  std::size_t at = 0;
  if (wanted.empty()) {
    // In front of each letter, and at the end.
    while (left != 0) {
      budget.allowText(result.size() + replacement.size());
      replace();
      if (at == text.size()) break;
      const std::size_t next = at + utf8::decode(std::string_view(text.text()).substr(at)).length;
      put(at, next);
      at = next;
    }
  } else {
    const TextSearch search(wanted.text(), text.size());
    while (left != 0) {
      const std::size_t found = search.find(text.text(), at);
      if (found == TextSearch::npos) break;
      put(at, found);
      replace();
      at = found + wanted.size();
    }
  }
  put(at, text.size());
  return result;
}

bool isLower(std::string_view text) { return hasOneCase(text, letters::isLower); }
bool isUpper(std::string_view text) { return hasOneCase(text, letters::isUpper); }

}  // namespace vitrine::jinja::text_ops
