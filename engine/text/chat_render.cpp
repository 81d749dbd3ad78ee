#include "text/chat_render.h"

#include <string_view>

#include "text/unicode.h"
#include "text/utf8.h"

namespace vitrine {
namespace {

const char* roleName(ChatRole role) {
  switch (role) {
    case ChatRole::kSystem:
      return "system";
    case ChatRole::kUser:
      return "user";
    case ChatRole::kAssistant:
      return "assistant";
  }
  return "user";
}

// Python's str.strip(): Unicode white space and the four separators of ASCII.
bool isPythonSpace(char32_t c) { return unicode::isWhitespace(c) || (c >= 0x1C && c <= 0x1F); }

std::string trimmed(std::string_view text) {
  for (auto step = utf8::decode(text); step.length > 0 && isPythonSpace(step.codePoint);
       step = utf8::decode(text))
    text.remove_prefix(step.length);
  for (auto step = utf8::decodeLast(text); step.length > 0 && isPythonSpace(step.codePoint);
       step = utf8::decodeLast(text))
    text.remove_suffix(step.length);
  return std::string(text);
}

std::string_view withoutNewlines(std::string_view text, bool left, bool right) {
  while (left && !text.empty() && text.front() == '\n') text.remove_prefix(1);
  while (right && !text.empty() && text.back() == '\n') text.remove_suffix(1);
  return text;
}

bool hasSystemFirst(const std::vector<ChatMessage>& messages) {
  return !messages.empty() && messages.front().role == ChatRole::kSystem;
}

struct Thought {
  std::string reasoning, answer;
};

// "<think>\nwhy\n</think>\n\nso" in two; a text without the closing mark is all answer.
Thought thoughtOf(std::string_view text) {
  constexpr std::string_view kOpen = "<think>", kClose = "</think>";
  const std::size_t first = text.find(kClose);
  if (first == std::string_view::npos) return {"", std::string(text)};
  std::string_view reasoning = withoutNewlines(text.substr(0, first), false, true);
  if (const std::size_t open = reasoning.rfind(kOpen); open != std::string_view::npos)
    reasoning.remove_prefix(open + kOpen.size());
  const std::string_view answer = text.substr(text.rfind(kClose) + kClose.size());
  return {std::string(withoutNewlines(reasoning, true, false)),
          std::string(withoutNewlines(answer, true, false))};
}

// Qwen3: the last user message that is not a tool's reply opens the current exchange; thoughts before it are
// history.
std::size_t lastQuestion(const std::vector<ChatMessage>& messages) {
  for (std::size_t i = messages.size(); i-- > 0;) {
    const std::string_view text = messages[i].text;
    constexpr std::string_view kOpen = "<tool_response>", kClose = "</tool_response>";
    const bool isReply = text.substr(0, kOpen.size()) == kOpen && text.size() >= kClose.size() &&
                         text.substr(text.size() - kClose.size()) == kClose;
    if (messages[i].role == ChatRole::kUser && !isReply) return i;
  }
  return messages.empty() ? 0 : messages.size() - 1;
}

std::string chatMlAnswer(const ChatMessage& message, bool current, bool last) {
  const Thought thought = thoughtOf(message.text);
  if (!current || (!last && thought.reasoning.empty())) return thought.answer;
  return "<think>\n" + std::string(withoutNewlines(thought.reasoning, true, true)) + "\n</think>\n\n" +
         std::string(withoutNewlines(thought.answer, true, false));
}

}  // namespace

std::string renderPlain(const std::vector<ChatMessage>& messages) {
  std::string text;
  for (const ChatMessage& message : messages) {
    if (message.role == ChatRole::kSystem) text += message.text + "\n\n";
    if (message.role == ChatRole::kUser) text += "User: " + message.text + "\n";
    if (message.role == ChatRole::kAssistant) text += "Assistant: " + message.text + "\n";
  }
  return text + "Assistant:";
}

std::string renderZephyr(const std::vector<ChatMessage>& messages, const ChatDetails& details) {
  std::string text;
  for (const ChatMessage& message : messages)
    text += std::string("<|") + roleName(message.role) + "|>\n" + message.text + details.eos + "\n";
  return text + "<|assistant|>\n";
}

std::string renderChatMl(const std::vector<ChatMessage>& messages, const ChatDetails& details,
                         bool emptyThought) {
  std::string text;
  const std::size_t question = lastQuestion(messages);
  if (!details.defaultSystem.empty() && !hasSystemFirst(messages))
    text += "<|im_start|>system\n" + details.defaultSystem + "<|im_end|>\n";
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const bool split = messages[i].role == ChatRole::kAssistant && details.hidesOldThoughts;
    text += std::string("<|im_start|>") + roleName(messages[i].role) + "\n";
    text += split ? chatMlAnswer(messages[i], i > question, i + 1 == messages.size()) : messages[i].text;
    text += "<|im_end|>\n";
  }
  text += "<|im_start|>assistant\n";
  if (details.alwaysThinks) return text + "<think>\n";
  return emptyThought ? text + "<think>\n\n</think>\n\n" : text;
}

std::string renderLlama2(const std::vector<ChatMessage>& messages, const ChatDetails& details) {
  std::string text, system;
  for (const ChatMessage& message : messages) {
    if (message.role == ChatRole::kSystem) {
      system = "<<SYS>>\n" + message.text + "\n<</SYS>>\n\n";
    } else if (message.role == ChatRole::kUser) {
      if (!text.empty()) text += details.bos;
      text += "[INST] " + trimmed(system + message.text) + " [/INST]";
      system.clear();
    } else {
      text += " " + trimmed(message.text) + " " + details.eos;
    }
  }
  return text;
}

std::string renderLlama3(const std::vector<ChatMessage>& messages, const ChatDetails& details) {
  constexpr const char* kEnd = "<|eot_id|>";
  const auto header = [](const char* role) {
    return std::string("<|start_header_id|>") + role + "<|end_header_id|>\n\n";
  };
  std::string text;
  std::size_t first = 0;
  if (!details.dateHeader.empty()) {
    text = header("system") + details.dateHeader;
    if (hasSystemFirst(messages)) text += trimmed(messages[first++].text);
    text += kEnd;
  }
  for (std::size_t i = first; i < messages.size(); ++i)
    text += header(roleName(messages[i].role)) + trimmed(messages[i].text) + kEnd;
  return text + header("assistant");
}

std::string renderMistral(const std::vector<ChatMessage>& messages, const ChatDetails& details) {
  std::string text, system;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& message = messages[i];
    if (message.role == ChatRole::kSystem) {
      system = message.text + "\n\n";
    } else if (message.role == ChatRole::kUser) {
      const bool takesSystem = !details.systemWithLast || i + 1 == messages.size();
      text += details.instructionOpen + (takesSystem ? system : "") + message.text + details.instructionClose;
      if (takesSystem) system.clear();
    } else {
      text += details.answerOpen + (details.trimsAnswer ? trimmed(message.text) : message.text) +
              details.eos + details.answerClose;
    }
  }
  return text;
}

}  // namespace vitrine
