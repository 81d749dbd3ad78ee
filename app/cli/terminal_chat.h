// A chat with one engine: messages in, streamed answers out.
#pragma once

#include "requests.h"
#include "terminal.h"

namespace vitrine::cli {

class TerminalChat {
 public:
  TerminalChat(const EngineArguments& engine, const RequestArguments& request);

  std::string greeting() const;
  void reset() { m_messages.resize(m_system.empty() ? 0 : 1); }
  void setSystem(const std::string& text);
  // An option of `generate` by its name, its value as typed. Throws UsageError.
  void set(const std::string& option, const std::string& value);
  std::string stats() const;

  // Streams the answer to standard output; Ctrl-C stops it, what was said until then stays said. The oldest
  // turns are forgotten when the context is full. Throws EngineError; the chat is then as before.
  void answer(const std::string& message, const Terminal& terminal);

 private:
  RequestArguments m_arguments;
  RunObserver m_observer;
  std::unique_ptr<Engine> m_engine;
  std::string m_system;
  std::vector<ChatMessage> m_messages;
  int m_answers = 0, m_promptTokens = 0, m_cachedTokens = 0, m_completionTokens = 0;
  double m_ttftMs = 0, m_totalMs = 0;
};

}  // namespace vitrine::cli
