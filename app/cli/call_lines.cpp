#include "call_lines.h"

#include "vitrine/blanks.h"

namespace vitrine::cli {
namespace {

std::string lineOf(const PlacedCall& placed, std::string_view said) {
  if (placed.state == CallState::kWhole) return "→ " + placed.call.name + " " + placed.call.arguments + "\n";
  const std::string_view written =
      trimmed(said.substr(placed.range.begin, placed.range.end - placed.range.begin));
  const char* const state = placed.state == CallState::kCut ? "cut off" : "unreadable";
  return std::string("→ (a call, ") + state + ") " + std::string(written) + "\n";
}

}  // namespace

std::string CallLines::next(std::string_view said, bool ended) {
  std::string lines;
  const auto show = [&](std::string_view text) {
    if (text.empty()) return;
    lines += text;
    m_isEmpty = false;
    m_endsLine = text.ends_with('\n');
  };
  const auto showText = [&](std::size_t end) {
    std::string_view text = said.substr(m_at, end - m_at);
    if (m_isBehindCall) text = withoutBlanksBefore(text);
    m_isBehindCall = m_isBehindCall && text.empty();
    show(text);
    m_at = end;
  };
  const std::size_t decided = m_hasTools ? m_calls.read(said, ended).undecided.begin : said.size();
  for (const auto& calls = m_calls.found().calls; m_shown < calls.size(); ++m_shown) {
    const PlacedCall& placed = calls[m_shown];
    showText(placed.range.begin);
    if (!m_isEmpty && !m_endsLine) show("\n");
    show(lineOf(placed, said));
    m_at = placed.range.end;
    m_isBehindCall = true;
  }
  showText(decided);
  return lines;
}

std::string CallLines::textBeside(std::string_view said) const {
  return m_hasTools ? textBesideCalls(said, m_calls.found()) : std::string(said);
}

}  // namespace vitrine::cli
