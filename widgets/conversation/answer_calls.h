// An answer as it is shown: its text, and in the place of each call of a tool the call. Thread: any; no
// state. Read next: vitrine/tool_call.h.
#pragma once

#include <QString>
#include <vector>

namespace vitrine {

struct ChatEntry;

// A part of an answer as the model wrote it.
struct WrittenPart {
  QString text;
  qint64 begins = 0;  // byte of the answer's text

  bool operator==(const WrittenPart&) const = default;
};

struct ShownCall {
  // kBegun: the answer is being written.
  enum class State { kWhole, kBegun, kCut, kUnreadable };

  QString name;       // of one that is not whole, as far as it is known
  QString arguments;  // of a whole one: JSON in one line
  State state = State::kWhole;
  WrittenPart after = {};                               // the text behind it, up to the next call
  WrittenPart written = {};                             // the call with its marks
  WrittenPart writtenName = {}, writtenArguments = {};  // of a whole one

  bool operator==(const ShownCall&) const = default;
};

struct ShownAnswer {
  QString text;  // up to the first call: bytes of the answer's text are bytes of this one
  std::vector<ShownCall> calls = {};

  bool operator==(const ShownAnswer&) const = default;
};

ShownAnswer shownAnswer(const ChatEntry& entry);
// "get_weather" and its arguments, a line for each value; a broken call as the model wrote it.
QString callInLines(const ShownCall& call);
// The byte of the answer's text that a character of callInLines() comes from. The model may have written the
// arguments otherwise, so the words of both are compared; what is no word belongs to the word before it.
qint64 callByteAt(const ShownCall& call, qsizetype position);
// The answer's Markdown, in which calls are blocks of code, as the model wrote them.
QString markdownWithCalls(const ChatEntry& entry);

}  // namespace vitrine
