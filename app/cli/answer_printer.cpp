#include "answer_printer.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "output.h"

namespace vitrine::cli {
namespace {

std::string_view withoutBlanksBefore(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text;
}

std::string saidIn(const AnswerParts& parts) {
  return parts.marks != nullptr ? std::string(withoutBlanksBefore(parts.answer)) : parts.answer;
}

}  // namespace

AnswerPrinter::AnswerPrinter(std::string_view prompt, const ToolSet& tools)
    : m_opened(openedThought(prompt)), m_tools(tools), m_faint(isatty(STDERR_FILENO) != 0) {}

void AnswerPrinter::push(std::string_view text) {
  m_text += text;
  print();
}

void AnswerPrinter::finish() {
  m_ended = true;
  print();
  if (m_thought > 0 && !m_thoughtEnded) std::fputs("\n", stderr);
}

AnswerCalls AnswerPrinter::callsIn(std::string_view said) const {
  if (m_tools.empty()) return {{}, false, {said.size(), said.size()}};
  return toolCalls(said, m_tools, m_ended);
}

std::string AnswerPrinter::answer() const {
  const std::string said = saidIn(parts());
  return textBesideCalls(said, callsIn(said));
}

std::vector<ToolCall> AnswerPrinter::calls() const {
  std::vector<ToolCall> calls;
  for (const PlacedCall& placed : callsIn(saidIn(parts())).calls) calls.push_back(placed.call);
  return calls;
}

// Text that grows with the answer: what may become a call is not in it yet.
std::string AnswerPrinter::shown(std::string_view said) const {
  const AnswerCalls found = callsIn(said);
  std::string text;
  std::size_t at = 0;
  const auto addText = [&](std::size_t end) {
    const std::string_view part = said.substr(at, end - at);
    text += at == 0 ? part : withoutBlanksBefore(part);
    at = end;
  };
  for (const PlacedCall& placed : found.calls) {
    addText(placed.range.begin);
    if (!text.empty() && !text.ends_with('\n')) text += '\n';
    text += "→ " + placed.call.name + " " + placed.call.arguments + "\n";
    at = placed.range.end;
  }
  addText(found.undecided.begin);
  return text;
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
  const std::string said = shown(saidIn(now));
  if (said.size() <= m_said) return;
  printText(std::string_view(said).substr(m_said));
  flushOutput();
  m_said = said.size();
  m_endsLine = said.ends_with('\n');
}

}  // namespace vitrine::cli
