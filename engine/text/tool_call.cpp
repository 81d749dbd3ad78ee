#include "vitrine/tool_call.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/begun_mark.h"
#include "core/channel_messages.h"
#include "text/answer_cursor.h"
#include "text/dialogue_json.h"
#include "text/utf8.h"

namespace vitrine {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kCall = "<tool_call>", kCallEnd = "</tool_call>";
constexpr std::string_view kFunction = "<function=", kFunctionEnd = "</function>";
constexpr std::string_view kParameter = "<parameter=", kParameterEnd = "</parameter>";
constexpr std::string_view kMistral = "[TOOL_CALLS]", kMistralId = "[CALL_ID]", kMistralArguments = "[ARGS]";
constexpr std::string_view kPython = "<|python_tag|>";
constexpr std::array kOpenings = {kCall, kFunction, kMistral, kPython, kMessageStart, kChannelMark};
// What gpt-oss writes before a tool's name.
constexpr std::string_view kFunctions = "functions.";

bool isOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool isOfName(char c) { return isOfWord(c) || c == '-' || c == '.' || c == ':' || c == '/'; }
bool isOfParameter(char c) { return c != '<' && c != '>' && static_cast<unsigned char>(c) >= ' '; }

std::optional<Json> jsonIn(std::string_view text, int depth) {
  struct NoJson {};
  try {
    return readJson<Json>(text, {.depth = depth, .keepsDigits = true},
                          [](const std::string&) { throw NoJson(); });
  } catch (const NoJson&) {
    return std::nullopt;
  }
}

// The value of an argument: JSON, or Python's words for the three values that it spells otherwise.
std::optional<Json> valueIn(std::string_view text) {
  if (text == "True") return true;
  if (text == "False") return false;
  if (text == "None") return nullptr;
  return jsonIn(text, kArgumentsDepth - 1);
}

bool isOfType(const Json& value, std::string_view type) {
  return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
         (type == "boolean" && value.is_boolean()) || (type == "null" && value.is_null()) ||
         ((type == "number" || type == "integer") && (value.is_number() || value.is_binary()));
}

// {"name", "arguments"}; Llama says "parameters". Some models write the arguments as text that is JSON.
std::optional<ToolCall> callIn(const Json& object) {
  const auto name = object.find("name");
  if (name == object.end() || !name->is_string() || name->get_ref<const std::string&>().empty())
    return std::nullopt;
  auto given = object.find("arguments");
  if (given == object.end()) given = object.find("parameters");
  std::optional<Json> arguments = given == object.end() ? Json::object() : *given;
  if (arguments->is_string()) arguments = jsonIn(arguments->get_ref<const std::string&>(), kArgumentsDepth);
  if (!arguments || !arguments->is_object()) return std::nullopt;
  return ToolCall{*name, writtenJson(*arguments)};
}

// The places of a mark in a text. A place is looked for once, however often it is asked for.
class MarkPlaces {
 public:
  MarkPlaces(std::string_view text, std::string_view mark) : m_text(text), m_mark(mark) {}

  // The next one, or the end of the text. `from` ascends.
  std::size_t next(std::size_t from) {
    if (!m_known || m_next < from) m_next = std::min(m_text.find(m_mark, from), m_text.size());
    m_known = true;
    return m_next;
  }

 private:
  std::string_view m_text, m_mark;
  std::size_t m_next = 0;
  bool m_known = false;
};

// Reads the calls of one answer, from a settled place to its end.
class CallReader {
 public:
  CallReader(std::string_view text, const ToolSet& tools, bool ended, std::size_t from = 0)
      : m_text(text), m_tools(tools), m_ended(ended), m_decided(from), m_settled(from) {}

  AnswerCalls read() {
    Found found = m_settled == 0 ? readUnmarked() : Found::kNo;
    settle(found);
    std::array places = {MarkPlaces(m_text, kCall),         MarkPlaces(m_text, kFunction),
                         MarkPlaces(m_text, kMistral),      MarkPlaces(m_text, kPython),
                         MarkPlaces(m_text, kMessageStart), MarkPlaces(m_text, kChannelMark)};
    while (found != Found::kCut) {
      std::size_t begin = m_text.size();
      for (MarkPlaces& one : places) begin = std::min(begin, one.next(m_decided));
      if (begin == m_text.size()) break;
      m_decided = begin;
      settle(found);
      found = readMarked(begin);
      settle(found);
    }
    if (m_ended)
      m_decided = m_text.size();
    else if (found != Found::kCut && !m_mayGoOn)
      m_decided = std::max(m_decided, m_text.size() - begunMark(m_text, kOpenings));
    settle(found);
    return {std::move(m_calls), found == Found::kCut && !m_ended && m_isCall, {m_decided, m_text.size()}};
  }

  // What is read from here on is the same, whatever follows; and the calls before it.
  std::size_t settled() const { return m_settled; }
  std::size_t settledCalls() const { return m_settledCalls; }

 private:
  void settle(Found found) {
    if (found == Found::kCut || m_mayGoOn) return;
    m_settled = m_decided;
    m_settledCalls = m_calls.size();
  }

  void add(std::optional<ToolCall> call, std::size_t begin, std::size_t end) {
    m_calls.push_back({*std::move(call), {begin, end}});
    m_decided = end;
  }

  // A call that the answer begins with, without a mark.
  Found readUnmarked() {
    AnswerCursor cursor(m_text, 0);
    cursor.skipBlanks();
    m_mayGoOn = cursor.isAtEnd();
    if (cursor.startsWith('{') && !m_tools.empty()) return readBareObjects(cursor);
    return cursor.startsWith('t') ? readBareRecipient(cursor) : Found::kNo;
  }

  // What the mark at `begin` opens.
  Found readMarked(std::size_t begin) {
    AnswerCursor cursor(m_text, begin);
    m_decided = begin;
    m_isCall = true;
    Found found = Found::kNo;
    if (cursor.take(kCall) == Found::kYes)
      found = readTagged(cursor, begin);
    else if (cursor.take(kFunction) == Found::kYes)
      found = readBareFunction(cursor, begin);
    else if (cursor.take(kMistral) == Found::kYes)
      found = readMistral(cursor, begin);
    else if (cursor.take(kPython) == Found::kYes)
      found = readPython(cursor, begin);
    else
      found = readChannel(cursor, begin);
    // A mark within what turned out to be no call opens none.
    if (found == Found::kNo) m_decided = cursor.at();
    return found;
  }

  // Hermes and Qwen3-Coder.
  Found readTagged(AnswerCursor& cursor, std::size_t begin) {
    std::optional<ToolCall> call;
    cursor.skipBlanks();
    if (const Found found =
            cursor.startsWith('{') ? takeNamed(cursor, call) : takeMarkedFunction(cursor, call);
        found != Found::kYes)
      return found;
    cursor.skipBlanks();
    Found found = cursor.take(kCallEnd);
    if (found == Found::kCut && m_ended) {
      cursor.skipToEnd();
      found = Found::kYes;
    }
    if (found == Found::kYes) add(std::move(call), begin, cursor.at());
    return found;
  }

  // Qwen3-Coder forgets the outer opening mark at times, and then writes the closing one.
  Found readBareFunction(AnswerCursor& cursor, std::size_t begin) {
    std::optional<ToolCall> call;
    if (const Found found = takeFunction(cursor, call); found != Found::kYes) return found;
    const std::size_t end = cursor.at();
    cursor.skipBlanks();
    const Found closed = cursor.take(kCallEnd);
    if (closed == Found::kCut && !m_ended) return Found::kCut;
    add(std::move(call), begin, closed == Found::kYes ? cursor.at() : end);
    return Found::kYes;
  }

  Found takeNamed(AnswerCursor& cursor, std::optional<ToolCall>& call) const {
    Json object;
    const Found found = cursor.takeJson('{', kArgumentsDepth + 1, object);
    if (found != Found::kYes) return found;
    call = callIn(object);
    return call ? Found::kYes : Found::kNo;
  }

  Found takeMarkedFunction(AnswerCursor& cursor, std::optional<ToolCall>& call) const {
    const Found found = cursor.take(kFunction);
    return found == Found::kYes ? takeFunction(cursor, call) : found;
  }

  Found takeFunction(AnswerCursor& cursor, std::optional<ToolCall>& call) const {
    std::string_view name;
    Json arguments = Json::object();
    Found found = cursor.takeWord(isOfName, name);
    if (found == Found::kYes) found = cursor.take(">");
    if (found != Found::kYes) return found;
    cursor.skipBlanks();
    while ((found = cursor.take(kParameter)) == Found::kYes) {
      found = takeParameter(cursor, name, arguments);
      if (found != Found::kYes) return found;
      cursor.skipBlanks();
    }
    if (found == Found::kNo) found = cursor.take(kFunctionEnd);
    if (found == Found::kYes) call = ToolCall{std::string(name), writtenJson(arguments)};
    return found;
  }

  Found takeParameter(AnswerCursor& cursor, std::string_view tool, Json& arguments) const {
    std::string_view name, text;
    Found found = cursor.takeWord(isOfParameter, name);
    if (found == Found::kYes) found = cursor.take(">");
    if (found == Found::kYes) found = cursor.takeUntil(kParameterEnd, text);
    if (found != Found::kYes) return found;
    if (!utf8::isValid(name) || !utf8::isValid(text)) return Found::kNo;
    if (text.starts_with('\n')) text.remove_prefix(1);
    if (text.ends_with('\n')) text.remove_suffix(1);
    arguments[std::string(name)] = typed(text, m_tools.typesOf(tool, name));
    return Found::kYes;
  }

  // Text, unless the tool's schema wants something else and it is that.
  static Json typed(std::string_view text, const std::vector<std::string>& types) {
    if (std::ranges::find(types, "string") != types.end()) return std::string(text);
    const std::optional<Json> value = types.empty() ? std::nullopt : valueIn(trimmed(text));
    const bool fits =
        value && std::ranges::any_of(types, [&](const auto& type) { return isOfType(*value, type); });
    return fits ? *value : Json(std::string(text));
  }

  Found readMistral(AnswerCursor& cursor, std::size_t begin) {
    cursor.skipBlanks();
    if (cursor.take("[") == Found::kYes) return readMistralList(cursor, begin);
    std::string_view name, id;
    Json arguments;
    Found found = cursor.takeWord(isOfName, name);
    if (found == Found::kYes) found = cursor.take(kMistralId);
    if (found == Found::kYes) found = cursor.takeWord(isOfName, id);
    if (found == Found::kCut || name.empty()) return found;
    if (cursor.take(kMistralArguments) == Found::kCut) return Found::kCut;
    cursor.skipBlanks();
    found = cursor.takeJson('{', kArgumentsDepth, arguments);
    if (found == Found::kYes) add(ToolCall{std::string(name), writtenJson(arguments)}, begin, cursor.at());
    return found;
  }

  Found readMistralList(AnswerCursor& cursor, std::size_t begin) {
    Found more = Found::kYes;
    while (more == Found::kYes) {
      std::optional<ToolCall> call;
      cursor.skipBlanks();
      if (const Found found = takeNamed(cursor, call); found != Found::kYes) return found;
      cursor.skipBlanks();
      more = cursor.take(",");
      const Found end = more == Found::kNo ? cursor.take("]") : more;
      if (end == Found::kNo || (end == Found::kCut && !m_ended)) return end;
      add(std::move(call), begin, cursor.at());
      begin = cursor.at();
    }
    return Found::kYes;
  }

  Found readPython(AnswerCursor& cursor, std::size_t begin) {
    cursor.skipBlanks();
    if (cursor.startsWith('{')) return readObjects(cursor, begin, false);
    std::string_view name;
    Json arguments = Json::object();
    Found found = cursor.takeWord(isOfWord, name);
    if (found == Found::kYes) found = cursor.take(".call(");
    if (found == Found::kYes) found = takePythonArguments(cursor, arguments);
    if (found == Found::kYes) add(ToolCall{std::string(name), writtenJson(arguments)}, begin, cursor.at());
    return found;
  }

  static Found takePythonArguments(AnswerCursor& cursor, Json& arguments) {
    cursor.skipBlanks();
    Found more = cursor.take(")");
    if (more != Found::kNo) return more;
    do {
      std::string_view name;
      Json value;
      cursor.skipBlanks();
      Found found = cursor.takeWord(isOfWord, name);
      if (found == Found::kYes) found = cursor.take("=");
      if (found == Found::kYes) found = takePythonValue(cursor, value);
      if (found != Found::kYes) return found;
      arguments[std::string(name)] = std::move(value);
      cursor.skipBlanks();
      more = cursor.take(",");
    } while (more == Found::kYes);
    return more == Found::kNo ? cursor.take(")") : more;
  }

  static Found takePythonValue(AnswerCursor& cursor, Json& value) {
    for (const char first : {'"', '[', '{'})
      if (cursor.startsWith(first)) return cursor.takeJson(first, kArgumentsDepth - 1, value);
    std::string_view word;
    const auto isOfValue = [](char c) { return isOfWord(c) || c == '.' || c == '-' || c == '+'; };
    const Found found = cursor.takeWord(isOfValue, word);
    if (found != Found::kYes) return found;
    const std::optional<Json> read = valueIn(word);
    if (read) value = *read;
    return read ? Found::kYes : Found::kNo;
  }

  // gpt-oss: a message with a recipient. Messages without one are words (answerParts()).
  Found readChannel(AnswerCursor& cursor, std::size_t begin) {
    const ChannelHeader header = channelHeader(m_text.substr(cursor.at()));
    m_isCall = !header.recipient.empty();
    if (header.state == ChannelHeader::State::kBegun) return Found::kCut;
    cursor.skip(header.size);
    if (header.state == ChannelHeader::State::kNone || !m_isCall) return Found::kNo;
    Json arguments;
    cursor.skipBlanks();
    if (const Found found = cursor.takeJson('{', kArgumentsDepth, arguments); found != Found::kYes)
      return found;
    std::string_view name = header.recipient;
    if (name.starts_with(kFunctions)) name.remove_prefix(kFunctions.size());
    if (name.empty()) return Found::kNo;
    const std::size_t end = cursor.at();
    cursor.skipBlanks();
    const Found closed = takeEither(cursor, kCallMessageEnd, kMessageEnd);
    if (closed == Found::kCut && !m_ended) return Found::kCut;
    add(ToolCall{std::string(name), writtenJson(arguments)}, begin,
        closed == Found::kYes ? cursor.at() : end);
    return Found::kYes;
  }

  static Found takeEither(AnswerCursor& cursor, std::string_view one, std::string_view other) {
    const Found first = cursor.take(one);
    if (first == Found::kYes) return first;
    const Found second = cursor.take(other);
    return second == Found::kNo ? first : second;
  }

  // The prompt has written what stands before the recipient.
  Found readBareRecipient(AnswerCursor& cursor) {
    const std::size_t begin = cursor.at();
    const ChannelHeader header = channelHeader(m_text.substr(begin));
    if (header.state == ChannelHeader::State::kNone) return Found::kNo;
    m_decided = begin;
    return readChannel(cursor, begin);
  }

  // Llama's without its mark: JSON alone is no call yet.
  Found readBareObjects(AnswerCursor& cursor) {
    const std::size_t begin = m_decided = cursor.at();
    if (const Found found = beginsAsCall(cursor); found != Found::kYes) return found;
    return readObjects(cursor, begin, true);
  }

  // By the object's first key, so that other JSON is not held back until it ends.
  static Found beginsAsCall(AnswerCursor cursor) {
    cursor.take("{");
    cursor.skipBlanks();
    Json key;
    const Found found = cursor.takeJson('"', 1, key);
    if (found != Found::kYes) return found;
    constexpr std::array<std::string_view, 5> kKeys = {"name", "type", "id", "parameters", "arguments"};
    return std::ranges::find(kKeys, key.get_ref<const std::string&>()) != kKeys.end() ? Found::kYes
                                                                                      : Found::kNo;
  }

  Found readObjects(AnswerCursor& cursor, std::size_t begin, bool mustBeKnown) {
    do {
      std::optional<ToolCall> call;
      cursor.skipBlanks();
      const Found found = takeNamed(cursor, call);
      if (found != Found::kYes) return found;
      if (mustBeKnown && !m_tools.has(call->name)) return Found::kNo;
      add(std::move(call), begin, cursor.at());
      begin = cursor.at();
      cursor.skipBlanks();
    } while (cursor.take(";") == Found::kYes || cursor.startsWith('{'));
    m_mayGoOn = cursor.isAtEnd();
    return Found::kYes;
  }

  const std::string_view m_text;
  const ToolSet& m_tools;
  const bool m_ended;
  std::vector<PlacedCall> m_calls;
  bool m_isCall = true;   // what has begun is one, not only what may become one
  std::size_t m_decided;  // up to here it is known what is a call and what is text
  std::size_t m_settled, m_settledCalls = 0;
  bool m_mayGoOn = false;  // the text ends where the next bytes may be a call without a mark
};

}  // namespace

AnswerCalls toolCalls(std::string_view answer, const ToolSet& tools, bool ended) {
  return CallReader(answer, tools, ended).read();
}

const AnswerCalls& GrowingCalls::read(std::string_view answer, bool ended) {
  CallReader reader(answer, m_tools, ended, m_settled);
  AnswerCalls found = reader.read();
  m_found.calls.resize(m_settledCalls);
  m_found.calls.insert(m_found.calls.end(), std::make_move_iterator(found.calls.begin()),
                       std::make_move_iterator(found.calls.end()));
  m_found.open = found.open;
  m_found.undecided = found.undecided;
  m_settled = reader.settled();
  m_settledCalls += reader.settledCalls();
  return m_found;
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

std::string callId(std::size_t number) {
  std::array<char, 16> id{};
  std::snprintf(id.data(), id.size(), "call%05zu", number % 100'000);
  return id.data();
}

bool isToolMark(std::string_view piece) {
  static constexpr std::array kTokens = {
      kCall, kCallEnd, kMistral, kMistralId, kMistralArguments, kPython, kConstrainMark, kCallMessageEnd};
  return std::ranges::find(kTokens, piece) != kTokens.end();
}

}  // namespace vitrine
