#include "answer_printer.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "output.h"

namespace vitrine::cli {
namespace {

std::string_view saidIn(const AnswerParts& parts) {
  std::string_view said = parts.answer;
  if (parts.marks != nullptr) said.remove_prefix(std::min(said.find_first_not_of(" \t\r\n"), said.size()));
  return said;
}

}  // namespace

AnswerPrinter::AnswerPrinter(std::string_view prompt)
    : m_opened(openedThought(prompt)), m_faint(isatty(STDERR_FILENO) != 0) {}

void AnswerPrinter::push(std::string_view text) {
  m_text += text;
  print();
}

void AnswerPrinter::finish() {
  m_ended = true;
  print();
  if (m_thought > 0 && !m_thoughtEnded) std::fputs("\n", stderr);
}

std::string AnswerPrinter::answer() const { return std::string(saidIn(parts())); }

void AnswerPrinter::print() {
  const AnswerParts now = parts();
  if (now.thinking.size() > m_thought) {
    const std::string_view grown = now.thinking.substr(m_thought);
    if (m_faint) std::fputs("\033[2m", stderr);
    std::fwrite(grown.data(), 1, grown.size(), stderr);
    if (m_faint) std::fputs("\033[22m", stderr);
    m_thought = now.thinking.size();
  }
  if (now.marks != nullptr && !now.thinks && !m_thoughtEnded) {
    m_thoughtEnded = true;
    if (m_thought > 0) std::fputs("\n\n", stderr);
  }
  const std::string_view said = saidIn(now);
  if (said.size() <= m_said) return;
  printText(said.substr(m_said));
  flushOutput();
  m_said = said.size();
}

}  // namespace vitrine::cli
