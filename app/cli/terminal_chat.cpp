#include "terminal_chat.h"

#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include "answer_printer.h"
#include "common/chat_prompt.h"

namespace vitrine::cli {
namespace {

Json jsonOrText(const std::string& value) {
  try {
    return parseJson(value);
  } catch (const UsageError&) {
    return value;
  }
}

// Adds a result for each call of the newest answer; false when the input ends before.
bool askResults(std::vector<ChatMessage>& messages, const Terminal& terminal) {
  const std::vector<ToolCall> calls = messages.back().calls;
  for (const ToolCall& call : calls) {
    std::string result;
    if (!terminal.readLine((call.name + ": ").c_str(), result)) {
      std::fprintf(stderr, "(the input ended before the result of %s)\n", call.name.c_str());
      return false;
    }
    messages.push_back({ChatRole::kTool, result, "", {}, call.name});
  }
  return true;
}

}  // namespace

TerminalChat::TerminalChat(const EngineArguments& engine, const RequestArguments& request,
                           const std::string& tools)
    : m_arguments(request), m_loaded(loadEngine(engine, m_observer)), m_tools(tools) {
  m_dialogue.tools = tools;
  if (m_engine->tokenizer() == nullptr)
    throw EngineError(ErrorCode::kFileNotFound, "the model's directory has no tokenizer, so it cannot chat",
                      "Put the tokenizer's files beside the model.");
  noteChatFormat(*m_engine);
  m_observer.onText = [this](SequenceId, const std::string& text) {
    if (m_printer) m_printer->push(text);
  };
}

std::string TerminalChat::greeting() const {
  const std::string format = m_engine->chatFormat().name();
  return m_engine->description().model.name +
         (format == "plain" ? ", asked in a plain form" : ", asked with its chat template") +
         ". /help lists the commands.";
}

void TerminalChat::setSystem(const std::string& text) {
  m_system = text;
  m_dialogue.messages.clear();
  if (!text.empty()) m_dialogue.messages.push_back({ChatRole::kSystem, text});
}

void TerminalChat::set(const std::string& option, const std::string& value) {
  std::string key = option;
  for (char& c : key) c = c == '-' ? '_' : c;
  RequestArguments changed = m_arguments;
  const bool known = takeRequestKey(changed, key, jsonOrText(value));
  if (!known || key == "n" || key == "chat")
    throw UsageError("there is no option " + option + " to set here");
  changed.validate();
  m_arguments = changed;
}

std::string TerminalChat::stats() const {
  const Statistics& statistics = m_observer.statistics();
  const RunTotals& totals = statistics.totals();
  if (totals.finished == 0) return "There are no answers yet.";
  const double seconds = statistics.endToEnd().totalNs() / 1e9;
  char text[256];
  std::snprintf(
      text, sizeof text,
      "%lld answers, %lld tokens at %.1f tokens/s; first token after %.0f ms on average; %lld of %lld prompt "
      "tokens from the cache",
      static_cast<long long>(totals.finished), static_cast<long long>(totals.completionTokens),
      seconds > 0 ? static_cast<double>(totals.completionTokens) / seconds : 0.0,
      statistics.ttft().meanNs() / 1e6, static_cast<long long>(totals.cachedTokens),
      static_cast<long long>(totals.promptTokens));
  return text;
}

// Of an answer that ended before the model ended it.
void TerminalChat::sayLimit(int promptTokens, const SequenceResult& sequence) const {
  const EngineLoaded& machine = m_engine->description();
  const auto tokens = static_cast<int>(sequence.tokenIds.size());
  if (machine.options.eviction == Eviction::kNone &&
      promptTokens + tokens >= contextRoom(machine, m_arguments.request))
    std::fputs("(the context is full)\n", stderr);
  else
    std::fprintf(stderr, "(stopped at %d tokens: --max-tokens)\n", tokens);
}

void TerminalChat::answer(const std::string& message, const Terminal& terminal) {
  Dialogue dialogue = m_dialogue;
  dialogue.messages.push_back({ChatRole::kUser, message});
  if (!std::exchange(m_toolsNoted, true)) noteTools(*m_engine, dialogue);
  continueDialogue(dialogue, terminal);
  while (!dialogue.messages.back().calls.empty() && askResults(dialogue.messages, terminal))
    continueDialogue(dialogue, terminal);
  m_dialogue = std::move(dialogue);
}

void TerminalChat::continueDialogue(Dialogue& dialogue, const Terminal& terminal) {
  std::vector<ChatMessage>& messages = dialogue.messages;
  Request request = m_arguments.request;
  request.sequences = 1;
  const ChatPrompt prompt = fittingChatRequest(*m_engine, dialogue, request);
  AnswerPrinter& printer = m_printer.emplace(prompt.request.prompt, m_tools);
  const RequestId id = m_engine->submit(prompt.request);
  if (prompt.forgotten > 0) {
    std::fprintf(stderr, "(The context is full: %d older message%s forgotten.)\n", prompt.forgotten,
                 prompt.forgotten == 1 ? " was" : "s were");
    const auto oldest = messages.begin() + (m_system.empty() ? 0 : 1);
    messages.erase(oldest, oldest + prompt.forgotten);
  }
  terminal.wasInterrupted();  // forgets an earlier Ctrl-C
  while (!m_engine->isFinished(id)) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(m_engine->idleNs()));
    m_engine->step();
    if (terminal.wasInterrupted()) m_engine->cancel(id);
  }
  const RequestResult result = m_engine->takeResult(id);
  m_engine->forget(id);
  const SequenceResult& sequence = result.sequences.front();
  printer.finish();
  if (!printer.endsLine()) printText("\n");
  flushOutput();
  if (sequence.reason == FinishReason::kLength) sayLimit(result.promptTokens, sequence);
  if (sequence.reason == FinishReason::kCancelled) std::fputs("(stopped)\n", stderr);
  if (sequence.reason == FinishReason::kFailed)
    throw EngineError(ErrorCode::kOutOfMemory, "the answer failed on the way");
  if (printer.thinks()) std::fputs("(the model was still thinking)\n", stderr);
  messages.push_back({ChatRole::kAssistant, printer.answer(), printer.thinking(), printer.calls()});
}

}  // namespace vitrine::cli
