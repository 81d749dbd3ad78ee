#include <algorithm>

#include "foreign_chats.h"

namespace vitrine {

namespace {

constexpr double kNs = 1e9;

// A string, or a list of blocks of which those of text count.
QString contentText(const Json& content) {
  if (content.is_string()) return textIn(content);
  QString text;
  if (!content.is_array()) return text;
  for (const Json& block : content) {
    const QString kind = textOf(block, "type");
    if (kind == "text") text += textOf(block, "text");
    if (kind == "toolCallResult") appendParagraph(text, textOf(block, "content"));
  }
  return text;
}

void takeGeneration(const Json& info, MessageRecord& message) {
  if (!info.is_object()) return;
  const QString model = textOf(info, "indexedModelIdentifier");
  message.provenance.model = model.isEmpty() ? textOf(info, "identifier") : model;
  const Json& stats = memberOf(info, "stats");
  message.timings.firstTokenNs = wholeOf(stats, "timeToFirstTokenSec", kNs);
  message.timings.decodeNs =
      std::max<std::int64_t>(0, wholeOf(stats, "totalTimeSec", kNs) - message.timings.firstTokenNs);
  message.timings.promptTokens = countOf(stats, "promptTokensCount");
  message.timings.outputTokens = countOf(stats, "predictedTokensCount");
  const QString reason = textOf(stats, "stopReason");
  if (reason == "userStopped") message.state = MessageState::kStopped;
  if (reason == "failed") message.state = MessageState::kFailed;
}

MessageRecord messageOf(const Json& version) {
  MessageRecord message;
  message.role = roleNamed(textOf(version, "role"));
  message.text = contentText(memberOf(version, "content"));
  if (const Json& steps = memberOf(version, "steps"); steps.is_array())
    for (const Json& step : steps) {
      if (textOf(step, "type") != "contentBlock") continue;
      const bool thinking = textOf(memberOf(step, "style"), "type") == "thinking";
      appendParagraph(thinking ? message.thinking : message.text, contentText(memberOf(step, "content")));
      takeGeneration(memberOf(step, "genInfo"), message);
    }
  if (message.role == MessageRole::kAssistant && message.provenance.model.isEmpty())
    message.provenance.model = textOf(memberOf(version, "senderInfo"), "senderName");
  return message;
}

}  // namespace

bool looksLikeLmStudio(const Json& conversation) { return memberOf(conversation, "messages").is_array(); }

ChatRecord lmStudioChat(const Json& conversation) {
  ChatRecord chat;
  chat.summary.title = textOf(conversation, "name");
  chat.summary.createdMs = wholeOf(conversation, "createdAt");
  chat.summary.changedMs =
      std::max(wholeOf(conversation, "userLastMessagedAt"), wholeOf(conversation, "assistantLastMessagedAt"));
  chat.summary.pinned = flagOf(conversation, "pinned");
  chat.settings.instructions = textOf(conversation, "systemPrompt");
  chat.draft = textOf(conversation, "clientInput");
  MessageId above = 0;
  for (const Json& entry : memberOf(conversation, "messages")) {
    const Json& versions = memberOf(entry, "versions");
    const std::size_t count = versions.is_array() ? versions.size() : 1;
    const auto selected = static_cast<std::size_t>(wholeOf(entry, "currentlySelected"));
    MessageId shown = 0;
    for (std::size_t i = 0; i < count; ++i) {
      MessageRecord message = messageOf(versions.is_array() ? versions[i] : entry);
      message.id = static_cast<MessageId>(chat.messages.size()) + 1;
      message.parent = above;
      if (shown == 0 || i == selected) shown = message.id;
      chat.messages.push_back(std::move(message));
    }
    if (shown != 0) above = shown;
  }
  chat.shownLeaf = above;
  return chat;
}

}  // namespace vitrine
