// A chat with one engine: messages in, streamed answers out.
#pragma once

#include "answer_printer.h"
#include "request_run.h"
#include "terminal.h"

namespace vitrine::cli {

class TerminalChat {
 public:
  TerminalChat(const EngineArguments& engine, const RequestArguments& request);

  std::string greeting() const;
  void reset() { m_dialogue.messages.resize(m_system.empty() ? 0 : 1, {ChatRole::kSystem, {}}); }
  void setSystem(const std::string& text);
  // Sets an option of `generate`: its name, and its value as typed. Throws UsageError.
  void set(const std::string& option, const std::string& value);
  std::string stats() const;

  // Streams the answer to standard output. Ctrl-C stops it, and the part written until then stays in the
  // chat. When the context is full, the oldest turns are forgotten. Throws EngineError and leaves the chat
  // unchanged.
  void answer(const std::string& message, const Terminal& terminal);

 private:
  void sayLimit(int promptTokens, const SequenceResult& sequence) const;

  RequestArguments m_arguments;
  RunObserver m_observer;
  std::unique_ptr<Engine> m_engine;
  std::string m_system;
  Dialogue m_dialogue;
  std::optional<AnswerPrinter> m_printer;  // of the newest answer
};

}  // namespace vitrine::cli
