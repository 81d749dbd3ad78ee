// CallReader: reads the calls of one answer, from a settled place to its end.
//
// Each form has a function that follows what the family writes, piece by piece. kCut and kNo of such a
// function end in readBroken(), which decides whether the model meant a call all the same. Thread: one. Read
// next: answer_cursor.h, call_json.h.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "core/channel_messages.h"
#include "text/answer_cursor.h"
#include "text/call_marks.h"
#include "text/mark_places.h"
#include "vitrine/tool_call.h"

namespace vitrine {

class CallReader {
 public:
  CallReader(std::string_view text, const ToolSet& tools, bool ended, std::size_t from = 0);

  AnswerCalls read();

  // What is read from here on is the same, whatever follows; and the calls before it.
  std::size_t settled() const { return m_settled; }
  std::size_t settledCalls() const { return m_settledCalls; }

 private:
  static constexpr std::array kOpenings = {kCallBegin,   kFunction,     kMistral,    kPython,   kMessageStart,
                                           kChannelMark, kSolarMessage, kSolarCalls, kSolarCall};

  // What is known of a call before it is whole.
  struct Begun {
    bool isCall = true;                      // it is one, not only what may become one
    bool hasBody = false;                    // what stands behind the mark is no text about the mark
    std::optional<std::size_t> inside = {};  // where that stands, of forms that text may follow
    std::array<MarkPlaces*, 2> ends = {};    // the marks that end such a call; null: none
  };

  void settle(Found found);
  void add(PlacedCall call, std::size_t begin, std::size_t end);
  void addBroken(CallState state, std::size_t end);
  std::size_t nextOpening(std::size_t from);
  bool beginsLine(std::size_t at) const;
  TextRange rangeOf(std::string_view part) const;

  Found readUnmarked();
  Found readMarked(std::size_t begin);
  Found readForm(AnswerCursor& cursor, std::size_t begin);
  Found readBroken(Found found, AnswerCursor& cursor);
  bool mayBeInside(std::size_t begin) const;

  Found readTagged(AnswerCursor& cursor, std::size_t begin);
  Found readBareFunction(AnswerCursor& cursor, std::size_t begin);
  Found takeNamed(AnswerCursor& cursor, PlacedCall& call) const;
  Found takeFunction(AnswerCursor& cursor, PlacedCall& call) const;
  Found takeParameter(AnswerCursor& cursor, std::string_view tool, nlohmann::ordered_json& arguments) const;
  Found takeKeyed(AnswerCursor& cursor, PlacedCall& call);
  Found takeKeyedArgument(AnswerCursor& cursor, std::string_view tool,
                          nlohmann::ordered_json& arguments) const;
  // An object of arguments, behind the name.
  Found takeArguments(AnswerCursor& cursor, std::string_view name, PlacedCall& call) const;

  Found readMistral(AnswerCursor& cursor, std::size_t begin);
  Found readMistralList(AnswerCursor& cursor, std::size_t begin);
  Found readSolar(AnswerCursor& cursor, std::size_t begin);
  Found readPython(AnswerCursor& cursor, std::size_t begin);
  Found readChannel(AnswerCursor& cursor, std::size_t begin);

  Found readBareRecipient(AnswerCursor& cursor);
  Found readBareObjects(AnswerCursor& cursor);
  Found readObjects(AnswerCursor& cursor, std::size_t begin, bool mustBeKnown);
  bool namesTool(std::size_t begin) const;
  bool beginsTool(std::string_view name) const;

  const std::string_view m_text;
  const ToolSet& m_tools;
  const bool m_ended;
  std::vector<MarkPlaces> m_openings;
  MarkPlaces m_callEnd, m_functionEnd, m_channelEnd, m_channelCallEnd, m_solarEnd;
  std::vector<PlacedCall> m_calls;
  Begun m_begun;
  std::size_t m_decided;  // up to here it is known what is a call and what is text
  std::size_t m_settled, m_settledCalls = 0;
  bool m_mayGoOn = false;  // the text ends where the next bytes may be a call without a mark
};

}  // namespace vitrine
