#include "vitrine/tool_call.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>

#include "text/blanks.h"
#include "text/dialogue_json.h"
#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCall = "<tool_call>", kCallEnd = "</tool_call>";
constexpr std::string_view kFunction = "<function=", kFunctionEnd = "</function>";
constexpr std::string_view kParameter = "<parameter=", kParameterEnd = "</parameter>";
constexpr std::string_view kMistral = "[TOOL_CALLS]", kMistralId = "[CALL_ID]", kMistralArguments = "[ARGS]";
constexpr std::string_view kPython = "<|python_tag|>";
constexpr std::array kOpenings = {kCall, kFunction, kMistral, kPython};

// kCut: the text ends before it is decided.
enum class Found { kYes, kNo, kCut };

bool isLetterOrDigit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
bool isOfName(char c) {
  return isLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == ':' || c == '/';
}

// A place in the answer that moves on over what it finds there.
class Cursor {
 public:
  Cursor(std::string_view text, std::size_t at) : m_text(text), m_at(at) {}

  std::size_t at() const { return m_at; }
  void setAt(std::size_t at) { m_at = at; }
  bool atEnd() const { return m_at == m_text.size(); }
  bool startsWith(char c) const { return !atEnd() && m_text[m_at] == c; }
  std::string_view rest() const { return m_text.substr(m_at); }

  void skipBlanks() { m_at = std::min(m_text.find_first_not_of(kBlanks, m_at), m_text.size()); }

  Found take(std::string_view mark) {
    if (rest().starts_with(mark)) {
      m_at += mark.size();
      return Found::kYes;
    }
    return mark.starts_with(rest()) ? Found::kCut : Found::kNo;
  }

  // At least one such character, and another one behind them.
  template <typename IsOf>
  Found takeWord(const IsOf& isOf, std::string_view& word) {
    std::size_t end = m_at;
    while (end < m_text.size() && isOf(m_text[end])) ++end;
    if (end == m_text.size()) return Found::kCut;
    if (end == m_at) return Found::kNo;
    word = m_text.substr(m_at, end - m_at);
    m_at = end;
    return Found::kYes;
  }

  // Text up to the mark, which is skipped.
  Found takeUntil(std::string_view mark, std::string_view& before) {
    const std::size_t end = m_text.find(mark, m_at);
    if (end == std::string_view::npos) return Found::kCut;
    before = m_text.substr(m_at, end - m_at);
    m_at = end + mark.size();
    return Found::kYes;
  }

  Found takeObject(Json& object) {
    if (atEnd()) return Found::kCut;
    if (!startsWith('{')) return Found::kNo;
    std::size_t bytes = 0;
    const JsonFront front = readJsonFront(rest(), {.depth = kArgumentsDepth + 1}, object, bytes);
    if (front == JsonFront::kCut) return Found::kCut;
    if (front == JsonFront::kNone) return Found::kNo;
    m_at += bytes;
    return Found::kYes;
  }

 private:
  std::string_view m_text;
  std::size_t m_at;
};

// {"name", "arguments"}; Llama has "parameters". Some models write the arguments as text that is JSON.
std::optional<ToolCall> callIn(const Json& object, bool needsArguments) {
  const auto name = object.find("name");
  if (name == object.end() || !name->is_string() || name->get_ref<const std::string&>().empty())
    return std::nullopt;
  auto given = object.find("arguments");
  if (given == object.end()) given = object.find("parameters");
  if (given == object.end() && needsArguments) return std::nullopt;
  Json arguments = given == object.end() ? Json::object() : *given;
  if (arguments.is_string()) {
    const std::string text = arguments;
    std::size_t bytes = 0;
    arguments = nullptr;
    if (readJsonFront(text, {.depth = kArgumentsDepth}, arguments, bytes) != JsonFront::kWhole ||
        bytes != text.size())
      return std::nullopt;
  }
  if (!arguments.is_object()) return std::nullopt;
  return ToolCall{*name, arguments.dump()};
}

class AnswerReader {
 public:
  AnswerReader(std::string_view text, const ToolSet& tools, bool ended)
      : m_text(text), m_tools(tools), m_ended(ended) {}

  AnswerCalls read() {
    std::size_t at = 0;
    Found found = m_tools.empty() ? Found::kNo : readBareObjects(at);
    while (found != Found::kCut) {
      const std::size_t begin = nextOpening(at);
      if (begin == m_text.size()) break;
      found = readMarked(begin, at);
    }
    if (found != Found::kCut) at = std::max(at, m_ended ? m_text.size() : beginningOfOpening());
    m_result.open = found == Found::kCut && !m_ended;
    m_result.undecided = {m_ended ? m_text.size() : at, m_text.size()};
    return std::move(m_result);
  }

 private:
  void add(std::optional<ToolCall> call, std::size_t begin, std::size_t end) {
    m_result.calls.push_back({*std::move(call), {begin, end}});
  }

  std::size_t nextOpening(std::size_t from) {
    std::size_t next = m_text.size();
    for (std::size_t i = 0; i < kOpenings.size(); ++i) {
      // Each is looked for once, so that many of one kind cost no look for the others.
      if (m_openingAt[i] < from || m_openingAt[i] == kUnknown)
        m_openingAt[i] = std::min(m_text.find(kOpenings[i], from), m_text.size());
      next = std::min(next, m_openingAt[i]);
    }
    return next;
  }

  // Where an end of the text begins that may become an opening mark.
  std::size_t beginningOfOpening() const {
    std::size_t longest = 0;
    for (const std::string_view mark : kOpenings)
      for (std::size_t length = std::min(mark.size() - 1, m_text.size()); length > longest; --length)
        if (m_text.ends_with(mark.substr(0, length))) longest = length;
    return m_text.size() - longest;
  }

  // Reads what the mark at `begin` opens. `at` becomes the place up to which the text is decided.
  Found readMarked(std::size_t begin, std::size_t& at) {
    const std::string_view rest = m_text.substr(begin);
    const auto mark = std::ranges::find_if(kOpenings, [&](auto one) { return rest.starts_with(one); });
    at = begin;
    Cursor cursor(m_text, begin);
    Found found = Found::kNo;
    if (*mark == kCall)
      found = readTagged(cursor, at);
    else if (*mark == kFunction)
      found = readBareFunction(cursor, at);
    else if (*mark == kMistral)
      found = readMistral(cursor, at);
    else
      found = readPython(cursor, at);
    if (found == Found::kNo) at = std::max(at, begin + mark->size());
    return found;
  }

  // Hermes and Qwen3-Coder.
  Found readTagged(Cursor cursor, std::size_t& at) {
    const std::size_t begin = cursor.at();
    cursor.take(kCall);
    cursor.skipBlanks();
    std::optional<ToolCall> call;
    Json object;
    Found found = cursor.startsWith('{') ? cursor.takeObject(object) : takeFunction(cursor, call);
    if (found != Found::kYes) return found;
    if (!call) call = callIn(object, false);
    if (!call) return Found::kNo;
    cursor.skipBlanks();
    found = cursor.take(kCallEnd);
    if (found == Found::kCut && m_ended) {
      cursor.setAt(m_text.size());
      found = Found::kYes;
    }
    if (found == Found::kYes) add(std::move(call), begin, at = cursor.at());
    return found;
  }

  // Qwen3-Coder forgets the outer opening mark at times, and then writes the closing one.
  Found readBareFunction(Cursor cursor, std::size_t& at) {
    const std::size_t begin = cursor.at();
    std::optional<ToolCall> call;
    if (const Found found = takeFunction(cursor, call); found != Found::kYes) return found;
    const std::size_t end = cursor.at();
    cursor.skipBlanks();
    const Found closing = cursor.take(kCallEnd);
    if (closing == Found::kCut && !m_ended) return Found::kCut;
    add(std::move(call), begin, at = closing == Found::kYes ? cursor.at() : end);
    return Found::kYes;
  }

  Found takeFunction(Cursor& cursor, std::optional<ToolCall>& call) const {
    std::string_view name;
    Found found = cursor.take(kFunction);
    if (found == Found::kYes) found = cursor.takeWord(isOfName, name);
    if (found == Found::kYes) found = cursor.take(">");
    Json arguments = Json::object();
    while (found == Found::kYes) {
      cursor.skipBlanks();
      found = cursor.take(kParameter);
      if (found == Found::kYes)
        found = takeParameter(cursor, name, arguments);
      else if (found == Found::kNo) {
        found = cursor.take(kFunctionEnd);
        break;
      }
      // "<" may begin either mark.
    }
    if (found == Found::kYes) call = ToolCall{std::string(name), arguments.dump()};
    return found;
  }

  Found takeParameter(Cursor& cursor, std::string_view tool, Json& arguments) const {
    std::string_view name, value;
    Found found = cursor.takeUntil(">", name);
    if (found == Found::kYes) found = cursor.takeUntil(kParameterEnd, value);
    if (found == Found::kYes) arguments[std::string(name)] = std::string(value);
    (void)tool;
    return found;
  }

  Found readMistral(Cursor, std::size_t&) { return Found::kNo; }
  Found readPython(Cursor, std::size_t&) { return Found::kNo; }
  Found readBareObjects(std::size_t&) { return Found::kNo; }

  static constexpr std::size_t kUnknown = std::string_view::npos;
  const std::string_view m_text;
  const ToolSet& m_tools;
  const bool m_ended;
  std::array<std::size_t, kOpenings.size()> m_openingAt = {kUnknown, kUnknown, kUnknown, kUnknown};
  AnswerCalls m_result;
};

}  // namespace

AnswerCalls toolCalls(std::string_view answer, const ToolSet& tools, bool ended) {
  return AnswerReader(answer, tools, ended).read();
}

std::string textBesideCalls(std::string_view answer, const AnswerCalls& calls) {
  if (calls.calls.empty()) return std::string(answer.substr(0, calls.undecided.begin));
  std::string text;
  const auto add = [&](std::size_t begin, std::size_t end) {
    const std::string_view part = trimmed(answer.substr(begin, end - begin));
    text += (text.empty() || part.empty() ? "" : "\n\n") + std::string(part);
  };
  std::size_t at = 0;
  for (const PlacedCall& call : calls.calls) {
    add(at, call.range.begin);
    at = call.range.end;
  }
  add(at, calls.undecided.begin);
  return text;
}

bool isToolMark(std::string_view piece) {
  static constexpr std::array kTokens = {kCall, kCallEnd, kMistral, kMistralId, kMistralArguments, kPython};
  return std::ranges::find(kTokens, piece) != kTokens.end();
}

}  // namespace vitrine
