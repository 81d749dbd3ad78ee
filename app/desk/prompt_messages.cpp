#include "desk/prompt_messages.h"

#include <nlohmann/json.hpp>

#include "vitrine/json_reader.h"

namespace vitrine {
namespace {

bool isRead(const MessageRecord& message) {
  if (message.role == MessageRole::kUser) return true;
  const bool isEmpty = message.text.isEmpty() && message.thinking.isEmpty();
  return message.role == MessageRole::kAssistant && !isEmpty && message.state != MessageState::kFailed;
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

QString promptOfAnotherPath() { return QStringLiteral("\"another path\""); }

PromptMessages promptMessages(const ChatSettings& settings, const std::vector<MessageRecord>& path,
                              const Places& leftOut) {
  PromptMessages prompt;
  const auto add = [&](ChatRole role, const QString& text, const QString& thinking, MessageId id) {
    prompt.messages.push_back({role, text.toStdString(), thinking.toStdString()});
    prompt.ids.push_back(id);
  };
  if (!settings.instructions.trimmed().isEmpty()) add(ChatRole::kSystem, settings.instructions, {}, 0);
  for (std::size_t i = 0; i < path.size(); ++i) {
    const MessageRecord& message = path[i];
    if (!isRead(message) || leftOut.contains(static_cast<int>(i))) continue;
    add(message.role == MessageRole::kUser ? ChatRole::kUser : ChatRole::kAssistant, message.text,
        message.thinking, message.id);
  }
  return prompt;
}

}  // namespace vitrine
