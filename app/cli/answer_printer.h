// AnswerPrinter: an answer on the terminal as it is written, what the model thinks apart from what it says.
//
// The answer goes to standard output, so that a pipe has it alone; the thought goes to standard error, faint
// on a terminal. Thread: one. Read next: vitrine/thought.h.
#pragma once

#include <string>
#include <string_view>

#include "vitrine/thought.h"

namespace vitrine::cli {

class AnswerPrinter {
 public:
  // `prompt`: what is answered.
  explicit AnswerPrinter(std::string_view prompt);

  void push(std::string_view text);
  void finish();  // the text has ended

  std::string thinking() const { return std::string(parts().thinking); }
  std::string answer() const;  // without the blanks between thought and answer
  bool thinks() const { return parts().thinks; }

 private:
  AnswerParts parts() const { return answerParts(m_text, m_opened, m_ended); }
  void print();

  const ThoughtMarks* m_opened;
  bool m_faint;
  bool m_ended = false, m_thoughtEnded = false;
  std::string m_text;
  std::size_t m_thought = 0, m_said = 0;  // bytes that are printed
};

}  // namespace vitrine::cli
