// An answer as it is shown: its text, and in the place of each call of a tool the call. Thread: any; no
// state. Read next: vitrine/tool_call.h.
#pragma once

#include <QString>
#include <vector>

namespace vitrine {

struct ChatEntry;

struct ShownCall {
  QString name;            // of one that has only begun, as far as it is known
  QString arguments;       // JSON in one line
  bool isBegun = false;    // and not ended
  QString after = {};      // the text behind it, up to the next call
  qint64 afterBegins = 0;  // byte of the answer's text
  QString written = {};    // of one that has ended: as the model wrote it, with its marks
  qint64 begins = 0;       // byte of the answer's text

  bool operator==(const ShownCall&) const = default;
};

struct ShownAnswer {
  QString text;  // up to the first call: bytes of the answer's text are bytes of this one
  std::vector<ShownCall> calls = {};

  bool operator==(const ShownAnswer&) const = default;
};

ShownAnswer shownAnswer(const ChatEntry& entry);
// "get_weather" and its arguments, a line for each value.
QString callInLines(const ShownCall& call);
// The byte of the answer's text that a character of callInLines() comes from. The model may have written the
// call otherwise, so the words of both are compared; what is no word belongs to the word before it.
qint64 callByteAt(const ShownCall& call, qsizetype position);
// The answer's Markdown, in which calls are blocks of code, as the model wrote them.
QString markdownWithCalls(const ChatEntry& entry);

}  // namespace vitrine
