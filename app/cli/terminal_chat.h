// A chat with one engine: messages in, streamed answers out.
#pragma once

#include "answer_printer.h"
#include "request_run.h"
#include "terminal.h"

namespace vitrine::cli {

class TerminalChat {
 public:
  // `tools`: as Dialogue::tools takes them. Throws EngineError.
  TerminalChat(const EngineArguments& engine, const RequestArguments& request, const std::string& tools);

  std::string greeting() const;
  void reset() { m_dialogue.messages.resize(m_system.empty() ? 0 : 1, {ChatRole::kSystem, {}}); }
  void setSystem(const std::string& text);
  // Sets an option of `generate`: its name, and its value as typed. Throws UsageError.
  void set(const std::string& option, const std::string& value);
  std::string stats() const;

  // Streams the answer to standard output. Ctrl-C stops it, and the part written until then stays in the
  // chat. When the context is full, the oldest turns are forgotten. An answer that calls tools asks the
  // terminal for their results, a line each, and the model goes on with them. Throws EngineError and leaves
  // the chat unchanged.
  void answer(const std::string& message, const Terminal& terminal);

 private:
  // Adds the model's answer to the dialogue.
  void continueDialogue(Dialogue& dialogue, const Terminal& terminal);
  void sayLimit(int promptTokens, const SequenceResult& sequence) const;

  RequestArguments m_arguments;
  RunObserver m_observer;
  const LoadedEngine m_loaded;
  Engine* const m_engine = m_loaded.engine.get();
  std::string m_system;
  Dialogue m_dialogue;
  ToolSet m_tools;
  bool m_toolsNoted = false;
  std::optional<AnswerPrinter> m_printer;  // of the newest answer
};

}  // namespace vitrine::cli
