// AnswerPrinter: an answer on the terminal as it is written, what the model thinks apart from what it says.
//
// The answer goes to standard output, so that a pipe has it alone; the thought goes to standard error, faint
// on a terminal. A call of a tool is a line of its own. Thread: one. Read next: vitrine/thought.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vitrine/thought.h"
#include "vitrine/tool_call.h"

namespace vitrine::cli {

class AnswerPrinter {
 public:
  // `prompt`: what is answered. `tools` outlive the printer; without any, the answer has no calls.
  AnswerPrinter(std::string_view prompt, const ToolSet& tools);

  void push(std::string_view text);
  void finish();  // the text has ended

  std::string thinking() const { return parts().thinking; }
  std::string answer() const;           // without its calls and the blanks between thought and answer
  std::vector<ToolCall> calls() const;  // complete ones
  bool thinks() const { return parts().thinks; }
  // Whether the last byte of the answer that was printed is a line's end.
  bool endsLine() const { return m_endsLine; }

 private:
  AnswerParts parts() const { return answerParts(m_text, m_opened, m_ended); }
  AnswerCalls callsIn(std::string_view said) const;
  std::string shown(std::string_view said) const;
  void print();

  const ThoughtMarks* m_opened;
  const ToolSet& m_tools;
  bool m_faint;
  bool m_ended = false, m_thoughtEnded = false, m_endsLine = false;
  std::string m_text;
  std::size_t m_thought = 0, m_said = 0;  // bytes that are printed
};

}  // namespace vitrine::cli
