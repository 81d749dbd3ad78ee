// A breakpoint as text, as the command line and the settings spell it, and back.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "events/field_values.h"
#include "vitrine/breakpoint.h"
#include "vitrine/message_text.h"

namespace vitrine {
namespace {

[[noreturn]] void refuse(const std::string& message, const std::string& hint) {
  throw EngineError(ErrorCode::kInvalidArgument, message, hint);
}

std::string quoted(std::string_view text) { return "\"" + forMessage(text, 60) + "\""; }

std::string allKinds() {
  std::string list;
  for (const char* name : Names<BreakKind>::list) list += (list.empty() ? "" : ", ") + std::string(name);
  return list;
}

template <typename T>
std::optional<T> wholeNumber(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

void readRequest(std::string_view text, Breakpoint& into) {
  if (text.empty()) refuse("a breakpoint's request has no name", "write a name, or a number as #2");
  if (text.front() != '#') {
    into.requestName = text;
    return;
  }
  const auto number = wholeNumber<RequestId>(text.substr(1));
  if (!number || *number < 1)
    refuse(quoted(text) + " is not the number of a request", "write a number from 1 on, such as #2");
  into.request = *number;
}

// A text that stands in quotation marks; a doubled mark is one of its own. Removes it from the front of
// `rest`.
std::string takeQuoted(std::string_view& rest) {
  std::string text;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"' && (i + 1 == rest.size() || rest[i + 1] != '"')) {
      rest.remove_prefix(i + 1);
      return text;
    }
    text += rest[i];
    if (rest[i] == '"') ++i;
  }
  refuse("the quotation mark before " + quoted(rest.substr(1)) + " is not closed", "write token=\" the\"");
}

void readToken(std::string_view text, Breakpoint& into) {
  if (text.empty() || text.front() != '#') {
    into.text = text;
    return;
  }
  const auto number = wholeNumber<TokenId>(text.substr(1));
  if (!number || *number < 0)
    refuse(quoted(text) + " is not the number of a token", "write a number such as #273, or token=\"#\"");
  into.token = *number;
}

void readBits(std::string_view text, Breakpoint& into) {
  const std::string copy(text);
  char* end = nullptr;
  into.bits = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0' || !std::isfinite(into.bits) || into.bits < 0)
    refuse(quoted(text) + " is not a number of bits", "write 0 or more, such as entropy=3.5");
}

void readStep(std::string_view text, Breakpoint& into) {
  const auto number = wholeNumber<int>(text);
  if (!number || *number < 1)
    refuse(quoted(text) + " is not a step", "write a number from 1 on, such as step=46");
  into.step = *number;
}

// The length of the JSON object at the front; braces in its strings do not count.
std::size_t objectLength(std::string_view text) {
  int depth = 0;
  bool quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quotes && text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      quotes = !quotes;
    } else if (!quotes && text[i] == '{') {
      ++depth;
    } else if (!quotes && text[i] == '}' && --depth == 0) {
      return i + 1;
    }
  }
  return text.size();
}

// Returns what follows.
std::string_view readEvent(std::string_view rest, Breakpoint& into) {
  const std::size_t end = std::min(rest.find_first_of("{@"), rest.size());
  into.event = rest.substr(0, end);
  if (!isEventName(into.event))
    refuse(vitrine::quoted(into.event) + " is not the name of an event",
           "write one of a trace, such as block_freed");
  rest.remove_prefix(end);
  if (!rest.starts_with('{')) return rest;
  const std::size_t length = objectLength(rest);
  into.with = fieldValuesFrom(rest.substr(0, length));
  return rest.substr(length);
}

bool takesValue(BreakKind kind) {
  return kind == BreakKind::kToken || kind == BreakKind::kEntropy || kind == BreakKind::kRequest ||
         kind == BreakKind::kStep || kind == BreakKind::kEvent;
}

// Reads what follows "=" and returns what follows the value: empty, or "@" and a request.
std::string_view readValue(std::string_view rest, Breakpoint& into) {
  if (into.kind == BreakKind::kRequest) return readRequest(rest, into), std::string_view();
  if (into.kind == BreakKind::kEvent) return readEvent(rest, into);
  if (into.kind == BreakKind::kToken && rest.starts_with('"')) {
    into.text = takeQuoted(rest);
  } else {
    const std::size_t end =
        std::min(into.kind == BreakKind::kToken ? rest.rfind('@') : rest.find('@'), rest.size());
    const std::string_view value = rest.substr(0, end);
    rest.remove_prefix(end);
    if (into.kind == BreakKind::kToken) readToken(value, into);
    if (into.kind == BreakKind::kEntropy) readBits(value, into);
    if (into.kind == BreakKind::kStep) readStep(value, into);
  }
  if (into.kind == BreakKind::kToken && into.token < 0 && into.text.empty())
    refuse("the token of a breakpoint is empty", "write its text, or its number as #273");
  return rest;
}

std::string quotedToken(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string bitsText(double bits) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), bits).ptr};
}

}  // namespace

Breakpoint breakpointFromText(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of("=@"), text.size());
  const auto kind = fromName<BreakKind>(text.substr(0, end));
  if (!kind)
    refuse(quoted(text.substr(0, end)) + " is not a kind of breakpoint", "choose one of " + allKinds());
  Breakpoint one;
  one.kind = *kind;
  const std::string name = nameOf(one.kind);
  std::string_view rest = text.substr(end);
  const bool hasValue = rest.starts_with('=');
  if (hasValue && !takesValue(one.kind)) refuse(name + " takes no value", "leave out \"=\" and what follows");
  if (!hasValue && takesValue(one.kind)) refuse(name + " needs a value", "write " + name + "=VALUE");
  if (hasValue) rest = readValue(rest.substr(1), one);
  if (rest.empty()) return one;
  if (rest.front() != '@')
    refuse(quoted(rest) + " follows the value", "write @ and a request, or double a quotation mark inside");
  if (one.kind == BreakKind::kStep) refuse("a step belongs to no request", "leave out \"@\" and the name");
  readRequest(rest.substr(1), one);
  return one;
}

std::string toText(const Breakpoint& breakpoint) {
  std::string text = nameOf(breakpoint.kind);
  if (breakpoint.kind == BreakKind::kToken)
    text +=
        "=" + (breakpoint.token >= 0 ? "#" + std::to_string(breakpoint.token) : quotedToken(breakpoint.text));
  if (breakpoint.kind == BreakKind::kEntropy) text += "=" + bitsText(breakpoint.bits);
  if (breakpoint.kind == BreakKind::kStep) return text + "=" + std::to_string(breakpoint.step);
  if (breakpoint.kind == BreakKind::kEvent) text += "=" + breakpoint.event + toText(breakpoint.with);
  const std::string request =
      breakpoint.request != 0 ? "#" + std::to_string(breakpoint.request) : breakpoint.requestName;
  if (request.empty()) return text;
  return text + (breakpoint.kind == BreakKind::kRequest ? "=" : "@") + request;
}

}  // namespace vitrine
