#include <algorithm>

#include "chat_source.h"
#include "chat_tree.h"
#include "foreign_message.h"

namespace vitrine {

namespace {

constexpr double kNs = 1e9;

void addBlocks(const Json& content, bool thinking, ForeignMessage& message) {
  if (content.is_string()) return message.addText(textIn(content));
  if (!content.is_array()) return;
  QString words;  // of neighbouring blocks, which are pieces of one text
  const auto flush = [&] {
    if (thinking)
      message.addThinking(words);
    else
      message.addText(words);
    words.clear();
  };
  for (const Json& block : content) {
    const QString kind = textOf(block, "type");
    if (kind == u"text") {
      words += textOf(block, "text");
      continue;
    }
    flush();
    if (kind == u"file" && textOf(block, "fileType") == u"image")
      message.addPicture(textOf(block, "fileIdentifier"));
    else if (kind == u"file")
      message.addFile(textOf(block, "fileIdentifier"));
    else if (kind == u"toolCallRequest")
      message.addToolRequest(textOf(block, "name"), wordsOf(memberOf(block, "parameters")));
    else if (kind == u"toolCallResult")
      message.addToolResult({}, wordsOf(memberOf(block, "content")));
  }
  flush();
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
  if (reason == u"userStopped") message.state = MessageState::kStopped;
  if (reason == u"failed") message.state = MessageState::kFailed;
  if (reason == u"maxPredictedTokensReached") message.limit = AnswerLimit::kTokens;
  if (reason == u"contextLengthReached") message.limit = AnswerLimit::kContext;
}

std::vector<MessageRecord> lmStudioMessages(const Json& version, ImportNotes& notes) {
  MessageRecord message;
  message.role = roleNamed(textOf(version, "role"));
  ForeignMessage foreign(notes);
  addBlocks(memberOf(version, "content"), false, foreign);
  for (const Json& step : listOf(version, "steps")) {
    if (textOf(step, "type") != u"contentBlock") continue;
    const bool thinking = textOf(memberOf(step, "style"), "type") == u"thinking";
    addBlocks(memberOf(step, "content"), thinking, foreign);
    takeGeneration(memberOf(step, "genInfo"), message);
  }
  if (message.role == MessageRole::kAssistant && message.provenance.model.isEmpty())
    message.provenance.model = textOf(memberOf(version, "senderInfo"), "senderName");
  return foreign.take(std::move(message));
}

bool isVersion(const Json& version) {
  return memberOf(version, "role").is_string() &&
         (memberOf(version, "content").is_array() || memberOf(version, "steps").is_array());
}

bool isEntry(const Json& entry) { return std::ranges::any_of(listOf(entry, "versions"), isVersion); }

// The chat's own one, or that of its settings where it has none.
QString instructionsOf(const Json& chat) {
  const QString own = textOf(chat, "systemPrompt");
  if (!own.isEmpty()) return own;
  for (const Json& field : listOf(memberOf(chat, "perChatPredictionConfig"), "fields"))
    if (textOf(field, "key") == u"llm.prediction.systemPrompt") return textOf(field, "value");
  return {};
}

class LmStudioChats : public ChatListSource {
 public:
  Format format() const override { return {"LM Studio", "*.conversation.json", "json"}; }

 protected:
  // "messages", each with "versions" and the place of the one that is shown. What follows a message hangs on
  // its shown version.
  bool isChat(const Json& entry) const override {
    return std::ranges::any_of(listOf(entry, "messages"), isEntry);
  }

  ChatRecord chatOf(const Json& json, ImportNotes& notes) const override {
    ChatRecord chat;
    chat.summary.title = textOf(json, "name");
    chat.summary.createdMs = timeOf(json, "createdAt");
    chat.summary.changedMs =
        std::max(timeOf(json, "userLastMessagedAt"), timeOf(json, "assistantLastMessagedAt"));
    chat.summary.pinned = flagOf(json, "pinned");
    chat.settings.instructions = instructionsOf(json);
    chat.draft = textOf(json, "clientInput");
    ChatTree tree(notes);
    QString above;
    int place = 0;
    for (const Json& entry : memberOf(json, "messages")) {
      if (!isEntry(entry)) {
        notes.add(ImportNote::kStranger);
        continue;
      }
      const Json& versions = memberOf(entry, "versions");
      const auto selected =
          std::min(static_cast<std::size_t>(wholeOf(entry, "currentlySelected")), versions.size() - 1);
      const auto idOf = [&](std::size_t version) { return QStringLiteral("%1/%2").arg(place).arg(version); };
      for (std::size_t i = 0; i < versions.size(); ++i)
        tree.add({.id = idOf(i), .parent = above, .messages = lmStudioMessages(versions[i], notes)});
      above = idOf(selected);
      ++place;
    }
    tree.finish(chat, above);
    return chat;
  }
};

}  // namespace

const ChatSource& lmStudioChats() { return theOnly<LmStudioChats>(); }

}  // namespace vitrine
