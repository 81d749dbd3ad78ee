#include <algorithm>
#include <vector>

#include "chat_source.h"
#include "chat_tree.h"
#include "foreign_message.h"

namespace vitrine {

namespace {

void addCitations(const Json& block, ForeignMessage& message) {
  for (const Json& citation : listOf(block, "citations")) {
    const Json& details = memberOf(citation, "details");
    const Json& named = details.is_object() && details.contains("url") ? details : citation;
    message.addReference(textOf(named, "title"), textOf(named, "url"));
  }
}

// A text, or a list of blocks.
QString resultOf(const Json& content) {
  if (!content.is_array()) return wordsOf(content);
  QString text;
  for (const Json& block : content) {
    const QString kind = textOf(block, "type"), words = textOf(block, "text");
    if (kind == u"image")
      appendParagraph(text, QStringLiteral("[picture]"));
    else
      appendParagraph(text, words.isEmpty() ? wordsOf(block) : words);
  }
  return text;
}

void addBlock(const Json& block, ForeignMessage& message) {
  const QString kind = textOf(block, "type");
  if (kind == u"thinking") {
    message.addThinking(textOf(block, "thinking"));
  } else if (kind == u"tool_use") {
    const Json& input = memberOf(block, "input");
    message.addToolRequest(textOf(block, "name"), wordsOf(input));
  } else if (kind == u"tool_result") {
    message.addToolResult(textOf(block, "name"), resultOf(memberOf(block, "content")));
  } else if (kind == u"image") {
    message.addPicture();
  } else {
    message.addText(textOf(block, "title"));  // of a voice note
    message.addText(textOf(block, "text"));
    addCitations(block, message);
  }
}

bool isPicture(const QString& name) {
  static const QStringList endings = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".heic"};
  return std::ranges::any_of(
      endings, [&](const QString& ending) { return name.endsWith(ending, Qt::CaseInsensitive); });
}

void addClaudeFiles(const Json& files, ForeignMessage& message) {
  for (const Json& file : listIn(files)) {
    const QString name = textOf(file, "file_name");
    if (textOf(file, "file_kind") == u"image" || isPicture(name))
      message.addPicture(name);
    else if (file.is_object())
      message.addFile(name, textOf(file, "extracted_content"));
  }
}

std::vector<MessageRecord> claudeMessages(const Json& json, const QString& model, ImportNotes& notes) {
  MessageRecord message;
  message.role = textOf(json, "sender") == u"assistant" ? MessageRole::kAssistant : MessageRole::kUser;
  message.createdMs = timeOf(json, "created_at");
  ForeignMessage foreign(notes);
  addClaudeFiles(memberOf(json, "attachments"), foreign);
  addClaudeFiles(memberOf(json, "files"), foreign);
  // "text" is the blocks once more, with a sentence in the place of what it cannot say.
  const Json& content = memberOf(json, "content");
  if (content.is_array() && !content.empty())
    for (const Json& block : content) addBlock(block, foreign);
  else
    foreign.addText(textOf(json, "text"));
  if (message.role == MessageRole::kAssistant) {
    message.provenance.model = textOf(json, "model").isEmpty() ? model : textOf(json, "model");
    const QString reason = textOf(json, "stop_reason");
    if (reason == u"user_canceled") message.state = MessageState::kStopped;
    if (reason == u"max_tokens") message.limit = AnswerLimit::kTokens;
  }
  return foreign.take(std::move(message));
}

bool isClaudeMessage(const Json& message) {
  return memberOf(message, "sender").is_string() &&
         (memberOf(message, "content").is_array() || memberOf(message, "text").is_string());
}

class ClaudeChats : public ChatListSource {
 public:
  Format format() const override { return {"Claude", "its ZIP or conversations.json", "zip json"}; }

 protected:
  // "chat_messages", each with a "sender"; newer ones name their parents.
  bool isChat(const Json& entry) const override {
    return std::ranges::any_of(listOf(entry, "chat_messages"), isClaudeMessage);
  }

  ChatRecord chatOf(const Json& json, ImportNotes& notes) const override {
    ChatRecord chat;
    chat.summary.title = textOf(json, "name");
    chat.summary.createdMs = timeOf(json, "created_at");
    chat.summary.changedMs = timeOf(json, "updated_at");
    chat.summary.pinned = flagOf(json, "is_starred");
    const QString model = textOf(json, "model");
    ChatTree tree(notes);
    for (const Json& message : memberOf(json, "chat_messages")) {
      if (!isClaudeMessage(message)) {
        notes.add(ImportNote::kStranger);
        continue;
      }
      const Json& parent = memberOf(message, "parent_message_uuid");
      tree.add({.id = textOf(message, "uuid"),
                .parent = parent.is_string() ? textIn(parent) : tree.last(),
                .messages = claudeMessages(message, model, notes)});
    }
    const QString shown = textOf(json, "current_leaf_message_uuid");
    tree.finish(chat, shown.isEmpty() ? tree.last() : shown);
    return chat;
  }
};

}  // namespace

const ChatSource& claudeChats() { return theOnly<ClaudeChats>(); }

}  // namespace vitrine
