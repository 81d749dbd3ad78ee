// The filters that make texts of texts.
#include <algorithm>
#include <string>
#include <string_view>

#include "text/jinja/fault.h"
#include "text/jinja/filters.h"
#include "text/jinja/item_path.h"
#include "text/jinja/iteration.h"
#include "text/jinja/letters.h"
#include "text/jinja/methods.h"
#include "text/jinja/operators.h"
#include "text/jinja/percent_format.h"
#include "text/jinja/printer.h"
#include "text/jinja/text_ops.h"
#include "text/jinja/text_search.h"
#include "text/utf8.h"

namespace vitrine::jinja {
namespace {

using text_ops::Span;

// What is filtered, as a text: a text stays what it is, safe or not.
Value softText(Call& call) {
  if (call.self().isString()) return call.self();
  return Value::string(printed(call.self(), call.budget()));
}

// A filter that is a method of the text.
Value byMethod(Call& call, std::string_view name, Arguments arguments) {
  return callBuiltin(call.interpreter(), *stringMethods().find(name), softText(call), std::move(arguments));
}
Arguments withOne(Call& call, std::size_t index) {
  Arguments arguments;
  if (call.has(index)) arguments.positional.push_back(call.value(index));
  return arguments;
}
Value upperFilter(Call& call) { return byMethod(call, "upper", {}); }
Value lowerFilter(Call& call) { return byMethod(call, "lower", {}); }
Value capitalizeFilter(Call& call) { return byMethod(call, "capitalize", {}); }
Value trimFilter(Call& call) { return byMethod(call, "strip", withOne(call, 0)); }
Value centerFilter(Call& call) {
  Arguments arguments;
  arguments.positional.push_back(Value::integer(call.wholeOr(0, 80)));
  return byMethod(call, "center", std::move(arguments));
}

// The first letter of each word in upper case, where words begin behind spaces, hyphens and opening brackets.
Value titleFilter(Call& call) {
  const MarkedText text = softText(call).marked();
  call.budget().takeRewritten(text);
  const auto separates = [](char32_t letter) {
    return letters::isSpace(letter) ||
           (letter < 0x80 &&
            std::string_view("-({[<").find(static_cast<char>(letter)) != std::string_view::npos);
  };
  MarkedText result;
  MarkReader marks(text);
  const std::string_view bytes = text.text();
  for (std::size_t at = 0; at < bytes.size();) {
    // A stretch of letters that separate words, or a word.
    const bool separator = separates(utf8::decode(bytes.substr(at)).codePoint);
    std::size_t end = at;
    while (end < bytes.size()) {
      const utf8::Step step = utf8::decode(bytes.substr(end));
      if (separates(step.codePoint) != separator) break;
      end += step.length;
    }
    const std::string_view word = bytes.substr(0, end);
    for (std::size_t begin = at; at < end;) {
      const utf8::Step step = utf8::decode(bytes.substr(at));
      std::string letter;
      if (at == begin)
        letters::appendUpper(letter, step.codePoint);
      else
        letters::appendLower(letter, word.substr(begin + utf8::decode(bytes.substr(begin)).length),
                             at - begin - utf8::decode(bytes.substr(begin)).length);
      result.append(letter, marks.at(at));
      at += step.length;
    }
  }
  return Value::string(std::move(result));
}

Value replaceFilter(Call& call) {
  const MarkedText text = printed(call.self(), call.budget()), wanted = printed(call.value(0), call.budget()),
                   replacement = printed(call.value(1), call.budget());
  const bool all = !call.has(2) || call.value(2).isNone();
  return Value::string(
      text_ops::replaced(text, wanted, replacement, all ? -1 : call.whole(2), call.budget()));
}

Value stringFilter(Call& call) { return softText(call); }
Value safeFilter(Call& call) { return Value::string(printed(call.self(), call.budget()), true); }
Value escapeFilter(Call& call) { return escaped(call.self(), call.budget()); }
Value forceEscapeFilter(Call& call) {
  return escaped(Value::string(printed(call.self(), call.budget())), call.budget());
}

Value formatFilter(Call& call) {
  if (!call.rest().empty() && !call.restNamed().empty())
    fail("format takes values by position or by name, not both.");
  Arguments arguments = call.takeRest();
  if (arguments.named.empty())
    return percentFormat(softText(call), Value::tuple(std::move(arguments.positional)), call.budget());
  Mapping names;
  for (auto& [name, value] : arguments.named) names.set(Value::string(name), std::move(value));
  return percentFormat(softText(call), Value::mapping(std::move(names)), call.budget());
}

Value indentFilter(Call& call) {
  if (!call.self().isString())
    fail("indent needs a text, not a value of type " + std::string(typeName(call.self())) + ".");
  const MarkedText& text = call.self().marked();
  MarkedText indention;
  if (call.has(0) && call.value(0).isString()) {
    indention = call.text(0).text;
  } else {
    const std::int64_t width = std::max<std::int64_t>(call.wholeOr(0, 4), 0);
    call.budget().takeRepeated(static_cast<std::uint64_t>(width), 1);
    indention = MarkedText(std::string(static_cast<std::size_t>(width), ' '));
  }
  const bool first = call.truthOr(1, false), blank = call.truthOr(2, false);
  call.budget().takeLetters(text);
  // As if the text ended with one more line end.
  std::vector<Span> lines = text_ops::lines(text.text(), false);
  const bool ended = text.empty() || letters::isLineEnd(utf8::decodeLast(text.text()).codePoint);
  if (ended) lines.push_back({text.size(), text.size()});
  // A \r at the end and that line end are one.
  if (text.text().ends_with('\r')) lines.pop_back();
  MarkedText result;
  if (first) result.append(indention);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Span& line = lines[i];
    if (i > 0) {
      result.append("\n");
      if (blank || line.begin < line.end) {
        call.budget().allowText(result.size() + indention.size());
        call.budget().takeText(indention);
        result.append(indention);
      }
    }
    call.budget().allowText(result.size() + line.end - line.begin);
    result.append(text, line.begin, line.end);
  }
  return Value::string(std::move(result), call.self().asString().safe);
}

Value truncateFilter(Call& call) {
  const std::int64_t length = call.wholeOr(0, 255);
  const bool killWords = call.truthOr(1, false);
  const MarkedText end = call.has(2) ? call.text(2).text : MarkedText("...");
  const std::int64_t leeway = call.has(3) && !call.value(3).isNone() ? call.whole(3) : 5;
  const auto endLetters = static_cast<std::int64_t>(text_ops::lettersIn(end.text()));
  if (length < endLetters || leeway < 0) fail("truncate needs a length that its end fits into.");
  const auto size = lengthOf(call.self());
  if (!size) fail("A value of type " + std::string(typeName(call.self())) + " has no length.");
  // Whatever is short enough stays as it is, a list for instance.
  if (*size <= length || *size - length <= leeway) return call.self();
  if (!call.self().isString()) fail("truncate needs a text.");
  const String& string = call.self().asString();
  call.budget().takeText(string.text);
  std::size_t cut = text_ops::byteOfLetter(string, static_cast<std::size_t>(length - endLetters));
  if (!killWords) {
    const std::size_t space = std::string_view(string.text.text()).substr(0, cut).rfind(' ');
    if (space != std::string_view::npos) cut = space;
  }
  MarkedText result = string.text.part(0, cut);
  result.append(end);
  return Value::string(std::move(result), string.safe);
}

Value wordCountFilter(Call& call) {
  const Value text = softText(call);
  std::string_view rest = text.text();
  call.budget().takeLetters(rest.size());
  std::int64_t words = 0;
  for (bool inside = false; !rest.empty();) {
    const utf8::Step step = utf8::decode(rest);
    rest.remove_prefix(step.length);
    const bool word = letters::isWord(step.codePoint);
    if (word && !inside) ++words;
    inside = word;
  }
  return Value::integer(words);
}

Value urlEncodeFilter(Call& call) {
  const auto quoted = [&](const Value& value, bool inQuery) {
    const MarkedText text = printed(value, call.budget());
    call.budget().takeLetters(text.size());
    MarkedText result;
    MarkReader marks(text);
    for (std::size_t at = 0; at < text.size(); ++at) {
      static constexpr std::string_view kHex = "0123456789ABCDEF";
      const char byte = text.text()[at];
      const bool letter =
          (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
      const auto number = static_cast<unsigned char>(byte);
      if (letter || std::string_view("_.-~").find(byte) != std::string_view::npos ||
          (byte == '/' && !inQuery))
        result.append({&byte, 1}, marks.at(at));
      else if (byte == ' ' && inQuery)
        result.append("+", marks.at(at));
      else
        result.append(std::string{'%', kHex[number >> 4], kHex[number & 15]}, marks.at(at));
    }
    call.budget().takeText(result.size());
    return result;
  };
  const auto items = call.self().isString() ? nullptr : tryIterate(call.self());
  if (!items) return Value::string(quoted(call.self(), false));
  const Values pairs = call.self().isMapping() ? Values() : itemsOf(call.self(), call.budget());
  MarkedText result;
  const auto put = [&](const Value& key, const Value& value) {
    if (!result.empty()) result.append("&");
    result.append(quoted(key, true));
    result.append("=");
    result.append(quoted(value, true));
    call.budget().allowText(result.size());
  };
  if (call.self().isMapping()) {
    for (const auto& [key, value] : call.self().asMapping().entries()) put(key, value);
  } else {
    for (const Value& pair : pairs) {
      const Values both = itemsOf(pair, call.budget());
      if (both.size() != 2) fail("urlencode needs pairs of a name and a value.");
      put(both[0], both[1]);
    }
  }
  return Value::string(std::move(result));
}

Value joinFilter(Call& call) {
  const MarkedText separator = call.has(0) ? printed(call.value(0), call.budget()) : MarkedText();
  const bool byAttribute = call.has(1) && !call.value(1).isNone();
  const ItemPath path = byAttribute ? ItemPath(call.value(1)) : ItemPath();
  MarkedText result;
  const auto items = iterate(call.self());
  bool first = true;
  for (Value item; items->next(item);) {
    const MarkedText text = printed(path.of(item, call.budget()), call.budget());
    call.budget().allowText(result.size() + separator.size() + text.size());
    call.budget().takeText(separator);
    if (!first) result.append(separator);
    first = false;
    result.append(text);
  }
  return Value::string(std::move(result));
}

}  // namespace

const BuiltinTable& textFilters() {
  static const BuiltinTable table = {
      {"capitalize", "", capitalizeFilter},
      {"center", "[width]", centerFilter},
      {"e", "", escapeFilter},
      {"escape", "", escapeFilter},
      {"forceescape", "", forceEscapeFilter},
      {"format", "* **", formatFilter},
      {"indent", "[width] [first] [blank]", indentFilter},
      {"join", "[d] [attribute]", joinFilter},
      {"lower", "", lowerFilter},
      {"replace", "old new [count]", replaceFilter},
      {"safe", "", safeFilter},
      {"string", "", stringFilter},
      {"title", "", titleFilter},
      {"trim", "[chars]", trimFilter},
      {"truncate", "[length] [killwords] [end] [leeway]", truncateFilter},
      {"upper", "", upperFilter},
      {"urlencode", "", urlEncodeFilter},
      {"wordcount", "", wordCountFilter},
  };
  return table;
}

}  // namespace vitrine::jinja
