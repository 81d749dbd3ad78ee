#include "text/call_reader.h"

#include <algorithm>
#include <utility>

#include "core/begun_mark.h"
#include "text/call_json.h"
#include "text/dialogue_json.h"
#include "text/utf8.h"

namespace vitrine {
namespace {

using Json = nlohmann::ordered_json;

// What gpt-oss writes before a tool's name.
constexpr std::string_view kFunctions = "functions.";

bool isOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}
bool isOfName(char c) { return isOfWord(c) || c == '-' || c == '.' || c == ':' || c == '/'; }
bool isOfParameter(char c) { return c != '<' && c != '>' && static_cast<unsigned char>(c) >= ' '; }

Found takeEither(AnswerCursor& cursor, std::string_view one, std::string_view other) {
  const Found first = cursor.take(one);
  if (first == Found::kYes) return first;
  const Found second = cursor.take(other);
  return second == Found::kNo ? first : second;
}

Found takePythonValue(AnswerCursor& cursor, Json& value) {
  for (const char first : {'"', '[', '{'})
    if (cursor.startsWith(first)) return cursor.takeJson(first, kArgumentsDepth - 1, value);
  std::string_view word;
  const auto isOfValue = [](char c) { return isOfWord(c) || c == '.' || c == '-' || c == '+'; };
  const Found found = cursor.takeWord(isOfValue, word);
  if (found != Found::kYes) return found;
  const std::optional<Json> read = argumentIn(word);
  if (read) value = *read;
  return read ? Found::kYes : Found::kNo;
}

Found takePythonArguments(AnswerCursor& cursor, Json& arguments) {
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

// By the object's first key, so that other JSON is not held back until it ends.
Found beginsAsCall(AnswerCursor cursor) {
  cursor.take("{");
  cursor.skipBlanks();
  Json key;
  const Found found = cursor.takeJson('"', 1, key);
  if (found != Found::kYes) return found;
  constexpr std::array<std::string_view, 5> kKeys = {"name", "type", "id", "parameters", "arguments"};
  return std::ranges::find(kKeys, key.get_ref<const std::string&>()) != kKeys.end() ? Found::kYes
                                                                                    : Found::kNo;
}

}  // namespace

CallReader::CallReader(std::string_view text, const ToolSet& tools, bool ended, std::size_t from)
    : m_text(text),
      m_tools(tools),
      m_ended(ended),
      m_callEnd(text, kCallEnd),
      m_functionEnd(text, kFunctionEnd),
      m_channelEnd(text, kMessageEnd),
      m_channelCallEnd(text, kCallMessageEnd),
      m_solarEnd(text, kSolarCallsEnd),
      m_decided(from),
      m_settled(from) {
  for (const std::string_view mark : kOpenings) m_openings.emplace_back(text, mark);
}

AnswerCalls CallReader::read() {
  Found found = m_settled == 0 ? readUnmarked() : Found::kNo;
  settle(found);
  while (found != Found::kCut) {
    const std::size_t begin = nextOpening(m_decided);
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
  return {std::move(m_calls), found == Found::kCut && !m_ended && m_begun.isCall, {m_decided, m_text.size()}};
}

void CallReader::settle(Found found) {
  if (found == Found::kCut || m_mayGoOn) return;
  m_settled = m_decided;
  m_settledCalls = m_calls.size();
}

void CallReader::add(PlacedCall call, std::size_t begin, std::size_t end) {
  call.range = {begin, end};
  m_calls.push_back(std::move(call));
  m_decided = end;
}

void CallReader::addBroken(CallState state, std::size_t end) {
  PlacedCall call;
  call.state = state;
  add(std::move(call), m_decided, end);
}

std::size_t CallReader::nextOpening(std::size_t from) {
  std::size_t begin = m_text.size();
  for (MarkPlaces& one : m_openings) begin = std::min(begin, one.next(from));
  return begin;
}

// Or directly behind another mark.
bool CallReader::beginsLine(std::size_t at) const {
  while (at > 0 && (m_text[at - 1] == ' ' || m_text[at - 1] == '\t')) --at;
  return at == 0 || m_text[at - 1] == '\n' || m_text[at - 1] == '>';
}

TextRange CallReader::rangeOf(std::string_view part) const {
  const auto begin = static_cast<std::size_t>(part.data() - m_text.data());
  return {begin, begin + part.size()};
}

// A call that the answer begins with, without a mark.
Found CallReader::readUnmarked() {
  AnswerCursor cursor(m_text, 0);
  cursor.skipBlanks();
  m_mayGoOn = cursor.isAtEnd();
  if (cursor.startsWith('{') && !m_tools.empty()) return readBareObjects(cursor);
  return cursor.startsWith('t') ? readBareRecipient(cursor) : Found::kNo;
}

// What the mark at `begin` opens.
Found CallReader::readMarked(std::size_t begin) {
  AnswerCursor cursor(m_text, begin);
  m_decided = begin;
  m_begun = {};
  Found found = readForm(cursor, begin);
  if (found != Found::kYes) found = readBroken(found, cursor);
  // A mark within what turned out to be no call opens none.
  if (found == Found::kNo) m_decided = cursor.at();
  return found;
}

Found CallReader::readForm(AnswerCursor& cursor, std::size_t begin) {
  if (cursor.take(kCallBegin) == Found::kYes) return readTagged(cursor, begin);
  if (cursor.take(kFunction) == Found::kYes) return readBareFunction(cursor, begin);
  if (cursor.take(kMistral) == Found::kYes) return readMistral(cursor, begin);
  if (cursor.take(kPython) == Found::kYes) return readPython(cursor, begin);
  for (const std::string_view mark : {kSolarMessage, kSolarCalls, kSolarCall})
    if (m_text.substr(begin).starts_with(mark)) return readSolar(cursor, begin);
  return readChannel(cursor, begin);
}

// What a form does not read: a call that the answer's end has cut, or one that is in no form up to the mark
// that ends it, or else up to the next call. Where only the mark stands, it is a call at the beginning of a
// line alone, and only if no words follow: a sentence may speak of it.
Found CallReader::readBroken(Found found, AnswerCursor& cursor) {
  const Begun& begun = m_begun;
  if (!begun.isCall || (!begun.hasBody && !beginsLine(m_decided))) return found;
  if (found == Found::kNo && !begun.hasBody && begun.inside && !mayBeInside(*begun.inside)) return found;
  if (found == Found::kCut) {
    if (m_ended) addBroken(CallState::kCut, m_text.size());
    return m_ended ? Found::kYes : Found::kCut;
  }
  const std::size_t opening = nextOpening(cursor.at());
  std::size_t end = std::string_view::npos;
  for (MarkPlaces* const mark : begun.ends)
    if (mark != nullptr) end = std::min(end, mark->behindNext(cursor.at()));
  if (end > opening) {
    const bool mayEnd = begun.hasBody || begun.ends[0] != nullptr;
    if (mayEnd && opening == m_text.size() && !m_ended) return Found::kCut;
    if (!begun.hasBody) return Found::kNo;
    end = opening;
  } else if (begun.ends[0] == &m_functionEnd) {
    AnswerCursor behind(m_text, end);
    behind.skipBlanks();
    const Found closed = behind.take(kCallEnd);
    if (closed == Found::kCut && !m_ended) return Found::kCut;
    if (closed == Found::kYes) end = behind.at();
  }
  addBroken(CallState::kUnreadable, end);
  return Found::kYes;
}

// A bracket or another mark, or a name before one; and a tool's name, whatever follows. Words are shown while
// they are written.
bool CallReader::mayBeInside(std::size_t begin) const {
  AnswerCursor cursor(m_text, begin);
  const auto isAtBracket = [&] {
    return std::ranges::any_of(std::string_view("<{[(`"), [&](char c) { return cursor.startsWith(c); });
  };
  cursor.skipBlanks();
  if (cursor.isAtEnd() || isAtBracket()) return true;
  std::string_view name;
  const Found found = cursor.takeWord(isOfName, name);
  if (found != Found::kYes) return found == Found::kCut;
  cursor.skipBlanks();
  return cursor.isAtEnd() || isAtBracket() || m_tools.has(name);
}

// Hermes, Qwen3-Coder and GLM.
Found CallReader::readTagged(AnswerCursor& cursor, std::size_t begin) {
  PlacedCall call;
  m_begun.ends[0] = &m_callEnd;
  m_begun.inside = cursor.at();
  cursor.skipBlanks();
  Found found = Found::kYes;
  if (cursor.startsWith('{')) {
    m_begun.hasBody = true;
    found = takeNamed(cursor, call);
  } else if (found = cursor.take(kFunction); found == Found::kYes) {
    m_begun.hasBody = true;
    found = takeFunction(cursor, call);
  } else if (found == Found::kNo) {
    found = takeKeyed(cursor, call);
  }
  if (found != Found::kYes) return found;
  cursor.skipBlanks();
  found = cursor.take(kCallEnd);
  if (found == Found::kCut && m_ended) {
    cursor.skipToEnd();
    found = Found::kYes;
  }
  if (found == Found::kYes) add(std::move(call), begin, cursor.at());
  return found;
}

// Qwen3-Coder forgets the outer opening mark at times, and then writes the closing one.
Found CallReader::readBareFunction(AnswerCursor& cursor, std::size_t begin) {
  PlacedCall call;
  m_begun.ends = {&m_functionEnd, &m_callEnd};
  if (const Found found = takeFunction(cursor, call); found != Found::kYes) return found;
  const std::size_t end = cursor.at();
  cursor.skipBlanks();
  const Found closed = cursor.take(kCallEnd);
  if (closed == Found::kCut && !m_ended) return Found::kCut;
  add(std::move(call), begin, closed == Found::kYes ? cursor.at() : end);
  return Found::kYes;
}

Found CallReader::takeNamed(AnswerCursor& cursor, PlacedCall& call) const {
  Json object;
  const std::size_t begin = cursor.at();
  const Found found = cursor.takeJson('{', kArgumentsDepth + 1, object);
  if (found != Found::kYes) return found;
  std::optional<ToolCall> read = callIn(object);
  if (!read) return Found::kNo;
  const CallPlaces places = placesInCall(m_text, begin);
  call.call = *std::move(read);
  call.name = places.name;
  call.arguments = places.arguments;
  return Found::kYes;
}

Found CallReader::takeFunction(AnswerCursor& cursor, PlacedCall& call) const {
  std::string_view name;
  Json arguments = Json::object();
  Found found = cursor.takeWord(isOfName, name);
  if (found == Found::kYes) found = cursor.take(">");
  if (found != Found::kYes) return found;
  cursor.skipBlanks();
  const std::size_t begin = cursor.at();
  while ((found = cursor.take(kParameter)) == Found::kYes) {
    found = takeParameter(cursor, name, arguments);
    if (found != Found::kYes) return found;
    cursor.skipBlanks();
  }
  call.arguments = {begin, cursor.at()};
  if (found == Found::kNo) found = cursor.take(kFunctionEnd);
  if (found != Found::kYes) return found;
  call.call = {std::string(name), writtenJson(arguments)};
  call.name = rangeOf(name);
  return found;
}

Found CallReader::takeParameter(AnswerCursor& cursor, std::string_view tool, Json& arguments) const {
  std::string_view name, text;
  Found found = cursor.takeWord(isOfParameter, name);
  if (found == Found::kYes) found = cursor.take(">");
  if (found == Found::kYes) found = cursor.takeUntil(kParameterEnd, text);
  if (found != Found::kYes) return found;
  if (!utf8::isValid(name) || !utf8::isValid(text)) return Found::kNo;
  if (text.starts_with('\n')) text.remove_prefix(1);
  if (text.ends_with('\n')) text.remove_suffix(1);
  arguments[std::string(name)] = typedArgument(text, m_tools.typesOf(tool, name));
  return Found::kYes;
}

// GLM's: a name, and marks around each key and each value. More arguments may follow as long as the closing
// mark has not begun.
Found CallReader::takeKeyed(AnswerCursor& cursor, PlacedCall& call) {
  std::string_view name;
  Json arguments = Json::object();
  m_begun.isCall = beginsLine(m_decided);
  const std::string_view begun = m_text.substr(cursor.at());
  Found found = cursor.takeWord(isOfName, name);
  if (found == Found::kCut && m_ended && !beginsTool(begun)) return Found::kNo;
  if (found != Found::kYes) return found;
  cursor.skipBlanks();
  const std::size_t begin = cursor.at();
  while ((found = cursor.take(kArgKey)) == Found::kYes) {
    m_begun.isCall = m_begun.hasBody = true;
    found = takeKeyedArgument(cursor, name, arguments);
    if (found != Found::kYes) return found;
    cursor.skipBlanks();
  }
  const bool isKnown = m_begun.hasBody || m_tools.has(name);
  if (!isKnown && (found == Found::kNo || m_ended)) return Found::kNo;
  if (found == Found::kCut) return found;
  call.call = {std::string(name), writtenJson(arguments)};
  call.name = rangeOf(name);
  if (m_begun.hasBody) call.arguments = {begin, cursor.at()};
  return Found::kYes;
}

Found CallReader::takeKeyedArgument(AnswerCursor& cursor, std::string_view tool, Json& arguments) const {
  std::string_view name, text;
  Found found = cursor.takeWord(isOfParameter, name);
  if (found == Found::kYes) found = cursor.take(kArgKeyEnd);
  if (found != Found::kYes) return found;
  cursor.skipBlanks();
  found = cursor.take(kArgValue);
  if (found == Found::kYes) found = cursor.takeUntil(kArgValueEnd, text);
  if (found != Found::kYes) return found;
  if (!utf8::isValid(name) || !utf8::isValid(text)) return Found::kNo;
  arguments[std::string(name)] = jsonArgument(text, m_tools.typesOf(tool, name));
  return Found::kYes;
}

Found CallReader::takeArguments(AnswerCursor& cursor, std::string_view name, PlacedCall& call) const {
  Json arguments;
  cursor.skipBlanks();
  const std::size_t begin = cursor.at();
  const Found found = cursor.takeJson('{', kArgumentsDepth, arguments);
  if (found != Found::kYes) return found;
  call.call = {std::string(name), writtenJson(arguments)};
  call.name = rangeOf(name);
  call.arguments = {begin, cursor.at()};
  return found;
}

Found CallReader::readMistral(AnswerCursor& cursor, std::size_t begin) {
  cursor.skipBlanks();
  if (cursor.take("[") == Found::kYes) return readMistralList(cursor, begin);
  std::string_view name, id;
  PlacedCall call;
  Found found = cursor.takeWord(isOfName, name);
  if (found == Found::kYes) found = cursor.take(kMistralId);
  m_begun.hasBody = found == Found::kYes;
  if (found == Found::kYes) found = cursor.takeWord(isOfName, id);
  if (found == Found::kCut || name.empty()) return found;
  const Found marked = cursor.take(kMistralArguments);
  if (marked == Found::kCut) return Found::kCut;
  cursor.skipBlanks();
  m_begun.hasBody = m_begun.hasBody || marked == Found::kYes || cursor.startsWith('{');
  found = takeArguments(cursor, name, call);
  if (found == Found::kYes) add(std::move(call), begin, cursor.at());
  return found;
}

Found CallReader::readMistralList(AnswerCursor& cursor, std::size_t begin) {
  Found more = Found::kYes;
  while (more == Found::kYes) {
    PlacedCall call;
    cursor.skipBlanks();
    m_begun.hasBody = cursor.startsWith('{');
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

// The model's id of a call is left out: the calls of a conversation get new ones.
Found CallReader::readSolar(AnswerCursor& cursor, std::size_t begin) {
  m_begun.ends[0] = &m_solarEnd;
  m_begun.isCall = cursor.take(kSolarMessage) != Found::kYes;
  Found more = cursor.take(kSolarCalls);
  m_begun.isCall = m_begun.isCall || more == Found::kYes;
  if (!m_begun.isCall) return more;
  m_begun.inside = cursor.at();
  for (more = cursor.take(kSolarCall); more == Found::kYes;) {
    std::string_view id, name;
    PlacedCall call;
    m_begun.hasBody = true;
    Found found = cursor.takeWord(isOfName, id);
    if (found == Found::kYes) found = cursor.take(kSolarName);
    if (found == Found::kYes) found = cursor.takeWord(isOfName, name);
    if (found == Found::kYes) found = cursor.take(kSolarArguments);
    if (found == Found::kYes) found = takeArguments(cursor, name, call);
    cursor.skipBlanks();
    const Found end = found == Found::kYes ? cursor.take(kSolarCallEnd) : found;
    if (end == Found::kNo || (end == Found::kCut && (found == Found::kCut || !m_ended))) return end;
    if (end == Found::kCut) cursor.skipToEnd();
    const AnswerCursor behind = cursor;
    more = cursor.take(kSolarCall);
    const Found last = more == Found::kNo ? cursor.take(kSolarCallsEnd) : more;
    if (last == Found::kCut && !m_ended) return last;
    if (last == Found::kCut) cursor.skipToEnd();
    const std::size_t callEnd = more == Found::kYes ? behind.at() : cursor.at();
    add(std::move(call), begin, callEnd);
    begin = callEnd;
    if (more != Found::kYes) return Found::kYes;
  }
  return more;
}

Found CallReader::readPython(AnswerCursor& cursor, std::size_t begin) {
  cursor.skipBlanks();
  if (cursor.startsWith('{')) return readObjects(cursor, begin, false);
  std::string_view name;
  Json arguments = Json::object();
  Found found = cursor.takeWord(isOfWord, name);
  if (found == Found::kYes) found = cursor.take(".call(");
  m_begun.hasBody = found == Found::kYes;
  const std::size_t inside = cursor.at();
  if (found == Found::kYes) found = takePythonArguments(cursor, arguments);
  if (found != Found::kYes) return found;
  PlacedCall call{{std::string(name), writtenJson(arguments)}};
  call.name = rangeOf(name);
  call.arguments = {inside, cursor.at() - 1};
  add(std::move(call), begin, cursor.at());
  return found;
}

// gpt-oss: a message with a recipient. Messages without one are words (answerParts()).
Found CallReader::readChannel(AnswerCursor& cursor, std::size_t begin) {
  const ChannelHeader header = channelHeader(m_text.substr(cursor.at()));
  const bool isWhole = header.state == ChannelHeader::State::kWhole;
  m_begun = {
      .isCall = !header.recipient.empty(), .hasBody = isWhole, .ends = {&m_channelCallEnd, &m_channelEnd}};
  if (header.state == ChannelHeader::State::kBegun) return Found::kCut;
  cursor.skip(header.size);
  if (!isWhole || !m_begun.isCall) return Found::kNo;
  std::string_view name = header.recipient;
  if (name.starts_with(kFunctions)) name.remove_prefix(kFunctions.size());
  PlacedCall call;
  if (const Found found = takeArguments(cursor, name, call); found != Found::kYes) return found;
  if (name.empty()) return Found::kNo;
  const std::size_t end = cursor.at();
  cursor.skipBlanks();
  const Found closed = takeEither(cursor, kCallMessageEnd, kMessageEnd);
  if (closed == Found::kCut && !m_ended) return Found::kCut;
  add(std::move(call), begin, closed == Found::kYes ? cursor.at() : end);
  return Found::kYes;
}

// The prompt has written what stands before the recipient.
Found CallReader::readBareRecipient(AnswerCursor& cursor) {
  const std::size_t begin = cursor.at();
  const ChannelHeader header = channelHeader(m_text.substr(begin));
  if (header.state == ChannelHeader::State::kNone) return Found::kNo;
  m_decided = begin;
  const Found found = readChannel(cursor, begin);
  return found == Found::kYes || !m_begun.hasBody ? found : readBroken(found, cursor);
}

// Llama's without its mark: JSON alone is no call yet.
Found CallReader::readBareObjects(AnswerCursor& cursor) {
  const std::size_t begin = m_decided = cursor.at();
  if (const Found found = beginsAsCall(cursor); found != Found::kYes) return found;
  const Found found = readObjects(cursor, begin, true);
  m_begun.hasBody = found == Found::kCut && m_ended && namesTool(m_decided);
  return m_begun.hasBody ? readBroken(found, cursor) : found;
}

// Of an object that is cut.
bool CallReader::namesTool(std::size_t begin) const {
  constexpr std::string_view kName = "\"name\"";
  const std::size_t place = m_text.find(kName, begin);
  if (place == std::string_view::npos) return false;
  AnswerCursor cursor(m_text, place + kName.size());
  Json name;
  cursor.skipBlanks();
  cursor.take(":");
  cursor.skipBlanks();
  return cursor.takeJson('"', 1, name) == Found::kYes && m_tools.has(name.get_ref<const std::string&>());
}

// A name that the answer's end may have cut.
bool CallReader::beginsTool(std::string_view name) const {
  return std::ranges::any_of(m_tools.names(), [&](const auto& tool) { return tool.starts_with(name); });
}

Found CallReader::readObjects(AnswerCursor& cursor, std::size_t begin, bool mustBeKnown) {
  do {
    PlacedCall call;
    cursor.skipBlanks();
    m_begun.hasBody = !mustBeKnown && cursor.startsWith('{');
    const Found found = takeNamed(cursor, call);
    if (found != Found::kYes) return found;
    if (mustBeKnown && !m_tools.has(call.call.name)) return Found::kNo;
    add(std::move(call), begin, cursor.at());
    begin = cursor.at();
    cursor.skipBlanks();
  } while (cursor.take(";") == Found::kYes || cursor.startsWith('{'));
  m_mayGoOn = cursor.isAtEnd();
  return Found::kYes;
}

}  // namespace vitrine
