#include "text/chat_recognition.h"

#include <algorithm>

#include "text/chat_template.h"

namespace vitrine {
namespace {

using chat_template::Expression;
using chat_template::Term;

bool has(std::string_view text, std::string_view mark) { return text.find(mark) != std::string_view::npos; }

std::string_view trimmedSpaces(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

// Zephyr closes a question with the eos token. Other models write "<|user|>" as well, but close it
// differently.
bool closesUserWithEos(std::string_view chatTemplate) {
  for (const Expression& expression : chat_template::expressions(chatTemplate)) {
    if (expression.size() == 3 && expression[0].isString && expression[0].text == "<|user|>\n" &&
        chat_template::isContent(expression[1]) && expression[2].text == "eos_token")
      return true;
  }
  return false;
}

void readChatMl(std::string_view chatTemplate, ChatDetails& details) {
  constexpr std::string_view kOpen = "<|im_start|>system\n", kClose = "<|im_end|>";
  for (const Expression& expression : chat_template::expressions(chatTemplate)) {
    for (const Term& term : expression) {
      const std::size_t close = term.text.find(kClose);
      if (!term.isString || term.text.compare(0, kOpen.size(), kOpen) != 0 || close == std::string::npos)
        continue;
      details.defaultSystem = term.text.substr(kOpen.size(), close - kOpen.size());
    }
    if (!expression.empty() && expression[0].isString &&
        expression[0].text == "<|im_start|>assistant\n<think>\n")
      details.alwaysThinks = true;
  }
  details.hidesOldThoughts = has(chatTemplate, "</think>") && has(chatTemplate, "reasoning_content");
}

void readLlama3(std::string_view chatTemplate, ChatDetails& details) {
  if (!has(chatTemplate, "Today Date: ")) return;
  std::string date = "26 Jul 2024", knowledge = "Cutting Knowledge Date: December 2023\n";
  for (const Expression& expression : chat_template::expressions(chatTemplate)) {
    if (expression.empty() || !expression[0].isString) continue;
    const std::string& text = expression[0].text;
    if (text.rfind("Cutting Knowledge Date: ", 0) == 0) knowledge = text;
    // the one string that is a date: "26 Jul 2024"
    if (expression.size() == 1 && text.size() == 11 && text[2] == ' ' && text[6] == ' ' &&
        text.find('%') == std::string::npos)
      date = text;
  }
  details.dateHeader = knowledge + "Today Date: " + date + "\n\n";
}

void readMistralAnswer(const Expression& expression, std::size_t content, ChatDetails& details) {
  details.answerOpen.clear();
  details.answerClose.clear();
  for (std::size_t i = 0; i < content; ++i)
    details.answerOpen += expression[i].isString ? expression[i].text : "";
  for (std::size_t i = content + 1; i < expression.size(); ++i)
    details.answerClose += expression[i].isString ? expression[i].text : "";
  details.trimsAnswer = has(expression[content].text, "trim") || has(expression[content].text, "strip");
}

void readMistral(std::string_view chatTemplate, ChatDetails& details) {
  for (const Expression& expression : chat_template::expressions(chatTemplate)) {
    const auto content = std::find_if(expression.begin(), expression.end(), chat_template::isContent);
    if (content == expression.end()) continue;
    for (const Term& term : expression) {
      if (!term.isString) continue;
      if (trimmedSpaces(term.text) == "[INST]") details.instructionOpen = term.text;
      if (trimmedSpaces(term.text) == "[/INST]") details.instructionClose = term.text;
    }
    const bool isAnswer = std::any_of(expression.begin(), expression.end(), [](const Term& term) {
      return !term.isString && has(term.text, "eos_token");
    });
    if (isAnswer)
      readMistralAnswer(expression, static_cast<std::size_t>(content - expression.begin()), details);
  }
  details.systemWithLast = has(chatTemplate, "loop.last and system_message");
}

}  // namespace

std::optional<ChatFormatKind> recogniseChat(std::string_view chatTemplate) {
  if (has(chatTemplate, "<|im_start|>") && !has(chatTemplate, "<|im_sep|>")) return ChatFormatKind::kChatMl;
  if (has(chatTemplate, "<|start_header_id|>")) return ChatFormatKind::kLlama3;
  if (has(chatTemplate, "[SYSTEM_PROMPT]"))
    return std::nullopt;  // Mistral's later form, with a page of default text
  if (has(chatTemplate, "[INST]"))
    return has(chatTemplate, "<<SYS>>") ? ChatFormatKind::kLlama2 : ChatFormatKind::kMistral;
  if (has(chatTemplate, "<|user|>") && has(chatTemplate, "<|assistant|>") && closesUserWithEos(chatTemplate))
    return ChatFormatKind::kZephyr;
  return std::nullopt;
}

bool writesBosToken(std::string_view chatTemplate) {
  constexpr std::string_view kName = "bos_token";
  for (const Expression& expression : chat_template::expressions(chatTemplate)) {
    for (const Term& term : expression) {
      if (!term.isString && term.text.compare(0, kName.size(), kName) == 0) return true;
    }
  }
  return false;
}

ChatDetails readChatDetails(ChatFormatKind kind, std::string_view chatTemplate) {
  ChatDetails details;
  if (kind == ChatFormatKind::kChatMl) readChatMl(chatTemplate, details);
  if (kind == ChatFormatKind::kLlama3) readLlama3(chatTemplate, details);
  if (kind == ChatFormatKind::kMistral) readMistral(chatTemplate, details);
  return details;
}

}  // namespace vitrine
