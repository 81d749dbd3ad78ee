#include "desk/prompt_messages.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "desk/asking.h"
#include "history/chat_calls.h"
#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

bool isRead(const MessageRecord& message) {
  if (message.role == MessageRole::kUser) return true;
  const bool isEmpty = message.text.isEmpty() && message.thinking.isEmpty();
  return message.role == MessageRole::kAssistant && !isEmpty && message.state != MessageState::kFailed;
}

ChatMessage answerOf(const MessageRecord& message, const AnswerCalls& read) {
  ChatMessage answer{ChatRole::kAssistant, message.text.toStdString(), message.thinking.toStdString()};
  answer.calls = wholeCalls(read);
  if (!answer.calls.empty()) answer.text = textBesideCalls(answer.text, read);
  return answer;
}

}  // namespace

Places placesLeftOut(const std::vector<MessageRecord>& path) {
  Places places;
  for (std::size_t i = 0; i < path.size(); ++i)
    if (path[i].leftOut) places.insert(static_cast<int>(i));
  return places;
}

QString toText(const Places& places) {
  return places.empty() ? QString() : QString::fromStdString(nlohmann::json(places).dump());
}

Places placesFrom(const QString& text) {
  struct NotJson {};
  Places places;
  if (text.isEmpty()) return places;
  try {
    const auto list =
        readJson<nlohmann::json>(text.toStdString(), {}, [](const std::string&) { throw NotJson(); });
    if (!list.is_array()) return places;
    for (const auto& place : list)
      if (place.is_number_integer()) places.insert(place.get<int>());
  } catch (const NotJson&) {
    return {};
  }
  return places;
}

PromptMessages promptMessages(const ChatSettings& settings, const std::vector<MessageRecord>& path,
                              const Places& leftOut) {
  PromptMessages prompt;
  const auto add = [&](ChatMessage message, MessageId id) {
    prompt.messages.push_back(std::move(message));
    prompt.ids.push_back(id);
  };
  if (!settings.instructions.trimmed().isEmpty())
    add({ChatRole::kSystem, settings.instructions.toStdString()}, 0);
  const PathCalls calls(settings, path);
  bool callsAreRead = false;  // of the last answer
  for (std::size_t i = 0; i < path.size(); ++i) {
    const MessageRecord& message = path[i];
    const bool isLeftOut = leftOut.contains(static_cast<int>(i));
    if (const ToolCall* const call = calls.answeredBy(i)) {
      if (callsAreRead && !isLeftOut)
        add({.role = ChatRole::kTool, .text = message.text.toStdString(), .tool = call->name}, message.id);
      continue;
    }
    callsAreRead = isRead(message) && !isLeftOut;
    if (!callsAreRead) continue;
    add(message.role == MessageRole::kUser ? ChatMessage{ChatRole::kUser, message.text.toStdString()}
                                           : answerOf(message, calls.of(i)),
        message.id);
  }
  return prompt;
}

Dialogue dialogueOf(const ChatSettings& settings, std::vector<ChatMessage> messages, bool thinking) {
  Dialogue dialogue;
  dialogue.messages = std::move(messages);
  dialogue.tools = settings.tools.trimmed().toStdString();
  dialogue.thinking = thinking;
  askingOf(settings.asking).tell(dialogue);
  return dialogue;
}

}  // namespace vitrine
