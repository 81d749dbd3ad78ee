#include "answer_printer.h"

#include <unistd.h>

#include <cstdio>

#include "output.h"
#include "vitrine/blanks.h"

namespace vitrine::cli {

AnswerPrinter::AnswerPrinter(std::string_view prompt, const ToolSet& tools)
    : m_opened(openedThought(prompt)), m_lines(tools), m_faint(isatty(STDERR_FILENO) != 0) {}

std::string AnswerPrinter::said(const AnswerParts& parts) {
  return parts.marks != nullptr ? std::string(withoutBlanksBefore(parts.answer)) : parts.answer;
}

void AnswerPrinter::push(std::string_view text) {
  m_text += text;
  print();
}

void AnswerPrinter::finish() {
  m_ended = true;
  print();
  if (m_thought > 0 && !m_thoughtEnded) std::fputs("\n", stderr);
}

void AnswerPrinter::print() {
  const AnswerParts now = parts();
  if (now.thinking.size() > m_thought) {
    const std::string_view grown = std::string_view(now.thinking).substr(m_thought);
    if (m_faint) std::fputs("\033[2m", stderr);
    std::fwrite(grown.data(), 1, grown.size(), stderr);
    if (m_faint) std::fputs("\033[22m", stderr);
    m_thought = now.thinking.size();
  }
  if (now.marks != nullptr && !now.thinks && !m_thoughtEnded) {
    m_thoughtEnded = true;
    if (m_thought > 0) std::fputs("\n\n", stderr);
  }
  const std::string lines = m_lines.next(said(now), m_ended);
  if (lines.empty()) return;
  printText(lines);
  flushOutput();
}

}  // namespace vitrine::cli
