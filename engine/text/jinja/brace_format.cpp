#include "text/jinja/brace_format.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "text/jinja/fault.h"
#include "text/jinja/format_spec.h"
#include "text/jinja/lookup.h"
#include "text/jinja/operators.h"
#include "text/jinja/printer.h"

namespace vitrine::jinja {
namespace {

std::optional<std::int64_t> numberIn(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool digits = !text.empty() && text.front() >= '0' && text.front() <= '9';
  if (!digits || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

class BraceFormat {
 public:
  BraceFormat(const Value& format, const Arguments& arguments, Budget& budget)
      : m_safe(format.asString().safe), m_arguments(arguments), m_budget(budget) {}

  // A spec may have places of its own, one level deep.
  MarkedText run(const MarkedText& format, int levels) {
    if (levels < 0) fail("A format is nested too deep.");
    m_budget.takeText(format);
    const std::string_view text = format.text();
    MarkedText result;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t brace = std::min(text.find_first_of("{}", at), text.size());
      result.append(format, at, brace);
      at = brace;
      if (brace == text.size()) break;
      if (brace + 1 < text.size() && text[brace + 1] == text[brace]) {
        result.append(format, brace, brace + 1);
        at = brace + 2;
        continue;
      }
      if (text[brace] == '}') fail("A format has a '}' without its '{'.");
      const std::size_t end = endOfPlace(text, brace);
      writePlace(result, format, brace + 1, end, levels);
      at = end + 1;
      m_budget.allowText(result.size());
    }
    return result;
  }

 private:
  static std::size_t endOfPlace(std::string_view text, std::size_t begin) {
    int depth = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
      depth += text[at] == '{' ? 1 : text[at] == '}' ? -1 : 0;
      if (depth == 0) return at;
    }
    fail("A format has a '{' without its '}'.");
  }

  void writePlace(MarkedText& result, const MarkedText& format, std::size_t begin, std::size_t end,
                  int levels) {
    const std::string_view place = std::string_view(format.text()).substr(begin, end - begin);
    // Inside [] there may be any letter.
    std::size_t nameEnd = 0;
    for (bool brackets = false; nameEnd < place.size(); ++nameEnd) {
      const char byte = place[nameEnd];
      if (byte == '[') brackets = true;
      if (byte == ']') brackets = false;
      if (!brackets && (byte == ':' || byte == '!')) break;
    }
    Value value = find(place.substr(0, nameEnd));
    std::size_t specBegin = nameEnd;
    if (nameEnd < place.size() && place[nameEnd] == '!') {
      if (nameEnd + 1 == place.size()) fail("A format ends behind its '!'.");
      value = Value::string(converted(value, place[nameEnd + 1]));
      specBegin = nameEnd + 2;
      if (specBegin < place.size() && place[specBegin] != ':')
        fail("A format needs ':' behind its '!' letter.");
    }
    MarkedText spec;
    if (specBegin < place.size()) spec = run(format.part(begin + specBegin + 1, end), levels - 1);
    if (m_safe && spec.empty())
      result.append(escaped(value, m_budget).marked());
    else
      result.append(formatted(value, spec.text(), m_budget));
  }

  MarkedText converted(const Value& value, char letter) {
    if (letter == 's') return printed(value, m_budget);
    if (letter == 'r' || letter == 'a') return printedRepr(value, m_budget);
    fail(std::string("A format has no conversion '!") + letter + "'.");
  }

  // A name or number, with attributes and items behind it.
  Value find(std::string_view name) {
    const std::size_t end = std::min(name.find_first_of(".["), name.size());
    Value value = argument(name.substr(0, end));
    std::string_view rest = name.substr(end);
    while (!rest.empty()) {
      const bool item = rest.front() == '[';
      if (!item && rest.front() != '.') fail("A format needs '.' or '[' behind its ']'.");
      rest.remove_prefix(1);
      const std::size_t stop = item ? rest.find(']') : std::min(rest.find_first_of(".["), rest.size());
      if (stop == std::string_view::npos) fail("A format has a '[' without its ']'.");
      const std::string_view part = rest.substr(0, stop);
      rest.remove_prefix(std::min(stop + (item ? 1 : 0), rest.size()));
      const auto number = numberIn(part);
      if (!item)
        value = attributeOf(value, part, m_budget);
      else
        value = itemOf(value, number ? Value::integer(*number) : Value::string(part), m_budget);
    }
    return value;
  }

  const Value& argument(std::string_view name) {
    const auto number = name.empty() ? std::optional(m_automatic) : numberIn(name);
    if (number) {
      const bool automatic = name.empty();
      if (automatic ? m_numbered : m_automatic > 0) fail("A format mixes numbered and plain places.");
      if (automatic)
        ++m_automatic;
      else
        m_numbered = true;
      if (static_cast<std::size_t>(*number) >= m_arguments.positional.size())
        fail("A format has more places than values.");
      return m_arguments.positional[static_cast<std::size_t>(*number)];
    }
    m_budget.take(m_arguments.named.size());
    for (const auto& [key, value] : m_arguments.named)
      if (key == name) return value;
    fail("A format names '" + std::string(name) + "', which it was not given.");
  }

  const bool m_safe;
  const Arguments& m_arguments;
  Budget& m_budget;
  std::int64_t m_automatic = 0;  // how many places without a number came before
  bool m_numbered = false;
};

}  // namespace

Value braceFormat(const Value& format, const Arguments& arguments, Budget& budget) {
  return Value::string(BraceFormat(format, arguments, budget).run(format.marked(), 1),
                       format.asString().safe);
}

}  // namespace vitrine::jinja
