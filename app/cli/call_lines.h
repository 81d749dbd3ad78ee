// CallLines: what an answer says, as a terminal shows it while it is written: a call of a tool is a line of
// its own, and so is a broken one, as the model wrote it. What was shown never changes, so a text that may
// become a call waits until that is decided.
//
// Thread: one. Read next: answer_printer.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vitrine/tool_call.h"

namespace vitrine::cli {

class CallLines {
 public:
  // `tools` outlive it; without any, the answer has no calls.
  explicit CallLines(const ToolSet& tools) : m_hasTools(!tools.empty()), m_calls(tools) {}

  // What there is to show behind what was shown before. `said` begins with what it was then.
  std::string next(std::string_view said, bool ended);
  bool endsLine() const { return m_endsLine; }  // the last byte that was shown
  std::vector<ToolCall> calls() const { return wholeCalls(m_calls.found()); }
  // What `said`, which was shown, says beside them.
  std::string textBeside(std::string_view said) const;

 private:
  const bool m_hasTools;
  GrowingCalls m_calls;
  std::size_t m_at = 0, m_shown = 0;  // bytes and calls of what is said that were shown
  bool m_isBehindCall = false;        // and nothing but blanks since
  bool m_isEmpty = true, m_endsLine = false;
};

}  // namespace vitrine::cli
