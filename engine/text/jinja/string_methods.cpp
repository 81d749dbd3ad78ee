#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "text/jinja/brace_format.h"
#include "text/jinja/fault.h"
#include "text/jinja/iteration.h"
#include "text/jinja/letters.h"
#include "text/jinja/lookup.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/text_ops.h"
#include "text/jinja/text_search.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

using text_ops::Span;

Value result(Call& call, MarkedText text) {
  call.budget().allowText(text.size());
  return Value::string(std::move(text), call.self().asString().safe);
}

Value part(Call& call, Span span) { return result(call, call.self().marked().part(span.begin, span.end)); }

// The part of the text that two arguments name, in letters, as find(text, start, end) has them.
struct Window {
  Span bytes;
  std::int64_t firstLetter = 0;
  bool isOutside = false;  // the start lies behind the end
};

Window windowOf(Call& call, std::size_t firstArgument) {
  const String& string = call.self().asString();
  const auto length = static_cast<std::int64_t>(string.letters);
  const auto read = [&](std::size_t index, std::int64_t otherwise) {
    if (!call.has(index) || call.value(index).isNone()) return otherwise;
    return std::max<std::int64_t>(placeOf(call.whole(index), length), 0);
  };
  const std::int64_t start = read(firstArgument, 0);
  const std::int64_t stop = std::min(read(firstArgument + 1, length), length);
  Window window;
  window.firstLetter = start;
  window.isOutside = start > stop;
  if (window.isOutside) return window;
  call.budget().takeText(string.text.size());
  window.bytes.begin = text_ops::byteOfLetter(string, static_cast<std::size_t>(start));
  window.bytes.end = text_ops::byteOfLetter(string, static_cast<std::size_t>(stop));
  return window;
}

std::string_view viewOf(Call& call, Span span) {
  return std::string_view(call.self().text()).substr(span.begin, span.end - span.begin);
}

// ---- searches ----

std::int64_t findLetter(Call& call, bool last) {
  const std::string& wanted = call.text(0).text.text();
  const Window window = windowOf(call, 1);
  if (window.isOutside) return -1;
  const std::string_view text = viewOf(call, window.bytes);
  call.budget().takeLetters(call.self().marked());
  const std::size_t found =
      last ? TextSearch::findLast(text, wanted) : TextSearch(wanted, text.size()).find(text);
  if (found == std::string_view::npos) return -1;
  return window.firstLetter + static_cast<std::int64_t>(text_ops::lettersIn(text.substr(0, found)));
}

Value find(Call& call) { return Value::integer(findLetter(call, false)); }
Value rfind(Call& call) { return Value::integer(findLetter(call, true)); }

Value indexFound(std::int64_t index) {
  if (index < 0) fail("The text does not hold the text whose index is asked for.");
  return Value::integer(index);
}
Value index(Call& call) { return indexFound(findLetter(call, false)); }
Value rindex(Call& call) { return indexFound(findLetter(call, true)); }

Value count(Call& call) {
  const std::string& wanted = call.text(0).text.text();
  const Window window = windowOf(call, 1);
  if (window.isOutside) return Value::integer(0);
  const std::string_view text = viewOf(call, window.bytes);
  call.budget().takeLetters(text.size());
  const std::size_t found =
      wanted.empty() ? text_ops::lettersIn(text) + 1 : TextSearch(wanted, text.size()).count(text);
  return Value::integer(static_cast<std::int64_t>(found));
}

Value hasAffix(Call& call, bool atEnd) {
  const Window window = windowOf(call, 1);
  const std::string_view text = viewOf(call, window.bytes);
  const auto fits = [&](const Value& affix) {
    if (!affix.isString()) fail(std::string(call.builtin().name) + " needs a text or a tuple of texts.");
    call.budget().takeText(affix.text().size());
    if (window.isOutside) return false;
    return atEnd ? text.ends_with(affix.text()) : text.starts_with(affix.text());
  };
  const Value& affix = call.value(0);
  if (affix.isSequence() && affix.asSequence().type != Sequence::Type::kList)
    return Value::boolean(std::any_of(affix.items().begin(), affix.items().end(), fits));
  return Value::boolean(fits(affix));
}
Value startsWith(Call& call) { return hasAffix(call, false); }
Value endsWith(Call& call) { return hasAffix(call, true); }

// ---- parts ----

Value stripSides(Call& call, bool left, bool right) {
  const MarkedText& text = call.self().marked();
  call.budget().takeText(text);
  if (!call.has(0) || call.value(0).isNone()) return part(call, text_ops::stripped(text.text(), left, right));
  call.budget().takeLetters(call.text(0).text.size());
  return part(call, text_ops::stripped(text.text(), call.text(0).text.text(), left, right));
}
Value strip(Call& call) { return stripSides(call, true, true); }
Value lstrip(Call& call) { return stripSides(call, true, false); }
Value rstrip(Call& call) { return stripSides(call, false, true); }

Value removePrefix(Call& call) {
  const std::string& affix = call.text(0).text.text();
  call.budget().takeText(call.self().marked());
  const bool has = call.self().text().starts_with(affix);
  return part(call, {has ? affix.size() : 0, call.self().text().size()});
}
Value removeSuffix(Call& call) {
  const std::string &text = call.self().text(), &affix = call.text(0).text.text();
  call.budget().takeText(call.self().marked());
  return part(call, {0, text.ends_with(affix) ? text.size() - affix.size() : text.size()});
}

Value listOf(Call& call, const std::vector<Span>& spans) {
  call.budget().take(spans.size());
  Values items;
  items.reserve(spans.size());
  for (const Span& span : spans) items.push_back(part(call, span));
  return Value::list(std::move(items), call.self().mark());
}

Value splitAt(Call& call, bool fromRight) {
  const std::string_view text = call.self().text();
  call.budget().takeLetters(call.self().marked());
  const std::int64_t given = call.wholeOr(1, -1);
  const std::size_t most =
      given < 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(given);
  if (!call.has(0) || call.value(0).isNone())
    return listOf(call, text_ops::splitAtSpace(text, most, fromRight));
  const std::string& separator = call.text(0).text.text();
  if (separator.empty()) fail("A text is split at an empty text.");
  return listOf(call, fromRight ? text_ops::splitFromRight(text, separator, most)
                                : text_ops::splitAt(text, separator, most));
}
Value split(Call& call) { return splitAt(call, false); }
Value rsplit(Call& call) { return splitAt(call, true); }

Value splitLines(Call& call) {
  call.budget().takeLetters(call.self().marked());
  return listOf(call, text_ops::lines(call.self().text(), call.truthOr(0, false)));
}

Value partitionAt(Call& call, bool last) {
  const std::string_view text = call.self().text();
  const std::string& separator = call.text(0).text.text();
  if (separator.empty()) fail("A text is split at an empty text.");
  call.budget().takeLetters(call.self().marked());
  const std::size_t found =
      last ? TextSearch::findLast(text, separator) : TextSearch(separator, text.size()).find(text);
  Span head{0, text.size()}, middle{0, 0}, tail{0, 0};
  if (found != std::string_view::npos) {
    head = {0, found};
    middle = {found, found + separator.size()};
    tail = {found + separator.size(), text.size()};
  } else if (last) {
    std::swap(head, tail);
  }
  return Value::tuple({part(call, head), part(call, middle), part(call, tail)});
}
Value partition(Call& call) { return partitionAt(call, false); }
Value rpartition(Call& call) { return partitionAt(call, true); }

// ---- other letters ----

Value upper(Call& call) { return result(call, text_ops::upper(call.self().marked(), call.budget())); }
Value lower(Call& call) { return result(call, text_ops::lower(call.self().marked(), call.budget())); }
Value capitalize(Call& call) {
  return result(call, text_ops::capitalized(call.self().marked(), call.budget()));
}
Value title(Call& call) { return result(call, text_ops::titled(call.self().marked(), call.budget())); }
Value swapCase(Call& call) {
  return result(call, text_ops::caseSwapped(call.self().marked(), call.budget()));
}

Value replace(Call& call) {
  const MarkedText &wanted = call.text(0).text, &replacement = call.text(1).text;
  const std::int64_t most = call.wholeOr(2, -1);
  return result(call, text_ops::replaced(call.self().marked(), wanted, replacement, most, call.budget()));
}

Value joinItems(Call& call) {
  const bool safe = call.self().asString().safe;
  MarkedText text;
  const auto items = iterate(call.value(0));
  bool first = true;
  for (Value item; items->next(item);) {
    if (!item.isString() && !safe)
      fail("join needs texts, not a value of type " + std::string(typeName(item)) + ".");
    const Value written = safe ? escaped(item, call.budget()) : item;
    call.budget().allowText(text.size() + call.self().text().size() + written.text().size());
    call.budget().takeText(call.self().marked());
    call.budget().takeText(written.marked());
    if (!first) text.append(call.self().marked());
    first = false;
    text.append(written.marked());
  }
  return result(call, std::move(text));
}

// ---- widths ----

Value filledUp(Call& call, std::size_t (*before)(std::size_t missing, std::size_t width)) {
  const String& string = call.self().asString();
  const std::int64_t given = std::max<std::int64_t>(call.whole(0), 0);
  const auto width = static_cast<std::uint64_t>(given);
  const MarkedText fill = call.has(1) ? call.text(1).text : MarkedText(" ");
  if (call.has(1) && call.text(1).letters != 1)
    fail(std::string(call.builtin().name) + " fills up with one letter.");
  if (width <= string.letters) return call.self();
  const std::uint64_t missing = width - string.letters;
  call.budget().takeText(string.text);
  call.budget().takeRepeated(missing, fill.size());
  call.budget().allowText(string.text.size() + static_cast<std::size_t>(missing) * fill.size());
  const std::size_t left = before(static_cast<std::size_t>(missing), static_cast<std::size_t>(width));
  MarkedText text;
  for (std::size_t i = 0; i < left; ++i) text.append(fill);
  text.append(string.text);
  for (std::size_t i = left; i < missing; ++i) text.append(fill);
  return result(call, std::move(text));
}
Value ljust(Call& call) {
  return filledUp(call, [](std::size_t, std::size_t) { return std::size_t{0}; });
}
Value rjust(Call& call) {
  return filledUp(call, [](std::size_t missing, std::size_t) { return missing; });
}
Value center(Call& call) {
  // Where the sides cannot be equal, the left one gets more when the width is odd.
  return filledUp(call, [](std::size_t missing, std::size_t width) {
    return missing / 2 + (missing & width & std::size_t{1});
  });
}

Value zfill(Call& call) {
  const String& string = call.self().asString();
  const auto width = static_cast<std::uint64_t>(std::max<std::int64_t>(call.whole(0), 0));
  if (width <= string.letters) return call.self();
  const auto missing = static_cast<std::size_t>(width - string.letters);
  call.budget().takeText(string.text);
  call.budget().takeRepeated(missing, 1);
  const bool sign =
      !call.self().text().empty() && (call.self().text()[0] == '-' || call.self().text()[0] == '+');
  MarkedText text;
  text.append(string.text, 0, sign ? 1 : 0);
  text.append(std::string(missing, '0'));
  text.append(string.text, sign ? 1 : 0, string.text.size());
  return result(call, std::move(text));
}

Value expandTabs(Call& call) {
  const MarkedText& text = call.self().marked();
  const std::int64_t size = std::max<std::int64_t>(call.wholeOr(0, 8), 0);
  call.budget().takeLetters(text);
  MarkedText expanded;
  std::int64_t column = 0;
  MarkReader marks(text);
  for (std::size_t at = 0; at < text.size();) {
    const utf8::Step step = utf8::decode(std::string_view(text.text()).substr(at));
    if (step.codePoint == '\t') {
      const std::int64_t spaces = size == 0 ? 0 : size - column % size;
      call.budget().takeRepeated(static_cast<std::uint64_t>(spaces), 1);
      call.budget().allowText(expanded.size() + static_cast<std::size_t>(spaces));
      expanded.append(std::string(static_cast<std::size_t>(spaces), ' '), marks.at(at));
      column += spaces;
    } else {
      expanded.append(text, at, at + step.length);
      column = step.codePoint == '\n' || step.codePoint == '\r' ? 0 : column + 1;
    }
    at += step.length;
  }
  return result(call, std::move(expanded));
}

// ---- formats ----

Value format(Call& call) {
  Arguments arguments = call.takeRest();
  return braceFormat(call.self(), arguments, call.budget());
}

Value formatMap(Call& call) {
  if (!call.value(0).isMapping()) fail("format_map needs a mapping.");
  Arguments arguments;
  for (const auto& [key, value] : call.value(0).asMapping().entries())
    if (key.isString()) arguments.named.emplace_back(key.text(), value);
  return braceFormat(call.self(), arguments, call.budget());
}

// ---- questions ----

Value allLetters(Call& call, bool (*is)(char32_t), bool ofEmpty) {
  std::string_view text = call.self().text();
  call.budget().takeLetters(text.size());
  if (text.empty()) return Value::boolean(ofEmpty);
  while (!text.empty()) {
    const utf8::Step step = utf8::decode(text);
    if (!is(step.codePoint)) return Value::boolean(false);
    text.remove_prefix(step.length);
  }
  return Value::boolean(true);
}
Value isAlnum(Call& call) {
  return allLetters(
      call, [](char32_t letter) { return letter != '_' && letters::isWord(letter); }, false);
}
Value isAlpha(Call& call) { return allLetters(call, letters::isAlphabetic, false); }
Value isAscii(Call& call) {
  return allLetters(
      call, [](char32_t letter) { return letter < 0x80; }, true);
}
Value isDecimal(Call& call) { return allLetters(call, letters::isDecimal, false); }
Value isDigit(Call& call) { return allLetters(call, letters::isDigit, false); }
Value isNumeric(Call& call) { return allLetters(call, letters::isNumeric, false); }
Value isPrintable(Call& call) { return allLetters(call, letters::isPrintable, true); }
Value isSpace(Call& call) { return allLetters(call, letters::isSpace, false); }

Value isIdentifier(Call& call) {
  const utf8::Step first = utf8::decode(call.self().text());
  if (first.length == 0 || !letters::startsName(first.codePoint)) return Value::boolean(false);
  return allLetters(call, letters::continuesName, false);
}

Value isLower(Call& call) {
  call.budget().takeLetters(call.self().text().size());
  return Value::boolean(text_ops::isLower(call.self().text()));
}
Value isUpper(Call& call) {
  call.budget().takeLetters(call.self().text().size());
  return Value::boolean(text_ops::isUpper(call.self().text()));
}
Value isTitle(Call& call) {
  std::string_view text = call.self().text();
  call.budget().takeLetters(text.size());
  bool insideWord = false, any = false;
  while (!text.empty()) {
    const utf8::Step step = utf8::decode(text);
    text.remove_prefix(step.length);
    const bool begins = letters::isUpper(step.codePoint) || letters::isTitle(step.codePoint);
    const bool continues = letters::isLower(step.codePoint);
    if ((begins && insideWord) || (continues && !insideWord)) return Value::boolean(false);
    insideWord = begins || continues;
    any = any || insideWord;
  }
  return Value::boolean(any);
}

}  // namespace

const BuiltinTable& stringMethods() {
  static const BuiltinTable table = {
      {"capitalize", "", capitalize},
      {"center", "/ width [fillchar]", center},
      {"count", "/ text [start] [end]", count},
      {"endswith", "/ suffix [start] [end]", endsWith},
      {"expandtabs", "[tabsize]", expandTabs},
      {"find", "/ text [start] [end]", find},
      {"format", "* **", format},
      {"format_map", "/ mapping", formatMap},
      {"index", "/ text [start] [end]", index},
      {"isalnum", "", isAlnum},
      {"isalpha", "", isAlpha},
      {"isascii", "", isAscii},
      {"isdecimal", "", isDecimal},
      {"isdigit", "", isDigit},
      {"isidentifier", "", isIdentifier},
      {"islower", "", isLower},
      {"isnumeric", "", isNumeric},
      {"isprintable", "", isPrintable},
      {"isspace", "", isSpace},
      {"istitle", "", isTitle},
      {"isupper", "", isUpper},
      {"join", "/ items", joinItems},
      {"ljust", "/ width [fillchar]", ljust},
      {"lower", "", lower},
      {"lstrip", "/ [chars]", lstrip},
      {"partition", "/ separator", partition},
      {"removeprefix", "/ prefix", removePrefix},
      {"removesuffix", "/ suffix", removeSuffix},
      {"replace", "/ old new [count]", replace},
      {"rfind", "/ text [start] [end]", rfind},
      {"rindex", "/ text [start] [end]", rindex},
      {"rjust", "/ width [fillchar]", rjust},
      {"rpartition", "/ separator", rpartition},
      {"rsplit", "[sep] [maxsplit]", rsplit},
      {"rstrip", "/ [chars]", rstrip},
      {"split", "[sep] [maxsplit]", split},
      {"splitlines", "[keepends]", splitLines},
      {"startswith", "/ prefix [start] [end]", startsWith},
      {"strip", "/ [chars]", strip},
      {"swapcase", "", swapCase},
      {"title", "", title},
      {"upper", "", upper},
      {"zfill", "/ width", zfill},
  };
  return table;
}

}  // namespace vitrine::jinja
