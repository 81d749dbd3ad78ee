// AnswerPrinter: an answer on the terminal as it is written, what the model thinks apart from what it says.
//
// The answer goes to standard output, so that a pipe has it alone; the thought goes to standard error, faint
// on a terminal. A call of a tool is a line of its own. Thread: one. Read next: vitrine/thought.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "call_lines.h"
#include "vitrine/thought.h"

namespace vitrine::cli {

class AnswerPrinter {
 public:
  // `prompt`: what is answered. `tools` outlive the printer; without any, the answer has no calls.
  AnswerPrinter(std::string_view prompt, const ToolSet& tools);

  void push(std::string_view text);
  void finish();  // the text has ended

  std::string thinking() const { return parts().thinking; }
  // Without its calls and the blanks between thought and answer.
  std::string answer() const { return m_lines.textBeside(said(parts())); }
  std::vector<ToolCall> calls() const { return m_lines.calls(); }
  bool thinks() const { return parts().thinks; }
  // Whether the last byte of the answer that was printed is a line's end.
  bool endsLine() const { return m_lines.endsLine(); }

 private:
  AnswerParts parts() const { return answerParts(m_text, m_opened, m_ended); }
  static std::string said(const AnswerParts& parts);
  void print();

  const ThoughtMarks* m_opened;
  CallLines m_lines;
  bool m_faint;
  bool m_ended = false, m_thoughtEnded = false;
  std::string m_text;
  std::size_t m_thought = 0;  // bytes that are printed
};

}  // namespace vitrine::cli
