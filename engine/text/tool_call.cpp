#include "vitrine/tool_call.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>

#include "text/call_marks.h"
#include "text/call_reader.h"
#include "vitrine/blanks.h"

namespace vitrine {

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

std::vector<ToolCall> wholeCalls(const AnswerCalls& found) {
  std::vector<ToolCall> calls;
  for (const PlacedCall& placed : found.calls)
    if (placed.state == CallState::kWhole) calls.push_back(placed.call);
  return calls;
}

std::string textBesideCalls(std::string_view answer, const AnswerCalls& calls, BrokenCalls broken) {
  const auto isLeftOut = [&](const PlacedCall& call) {
    return call.state == CallState::kWhole || broken == BrokenCalls::kLeftOut;
  };
  if (std::ranges::none_of(calls.calls, isLeftOut))
    return std::string(answer.substr(0, calls.undecided.begin));
  std::string text;
  const auto add = [&](std::size_t begin, std::size_t end) {
    const std::string_view part = trimmed(answer.substr(begin, end - begin));
    text += (text.empty() || part.empty() ? "" : "\n\n") + std::string(part);
  };
  std::size_t at = 0;
  for (const PlacedCall& call : calls.calls) {
    if (!isLeftOut(call)) continue;
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
      kCallBegin,     kCallEnd,   kArgKey,           kArgKeyEnd,      kArgValue,      kArgValueEnd,
      kMistral,       kMistralId, kMistralArguments, kPython,         kConstrainMark, kSolarCalls,
      kSolarCallsEnd, kSolarCall, kSolarName,        kSolarArguments, kSolarCallEnd,  kCallMessageEnd};
  return std::ranges::find(kTokens, piece) != kTokens.end();
}

}  // namespace vitrine
