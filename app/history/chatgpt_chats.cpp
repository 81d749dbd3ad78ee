#include <algorithm>
#include <vector>

#include "chat_source.h"
#include "chat_tree.h"
#include "chatgpt_references.h"
#include "foreign_message.h"

namespace vitrine {

namespace {

bool isNode(const Json& node) {
  const Json& message = memberOf(node, "message");
  if (!node.is_object() || !node.contains("message")) return false;
  return (node.contains("parent") || node.contains("children")) &&
         (message.is_null() || memberOf(message, "content").is_object());
}

QString thoughtsOf(const Json& content) {
  QString text;
  for (const Json& thought : listOf(content, "thoughts")) {
    appendParagraph(text, textOf(thought, "summary"));
    appendParagraph(text, textOf(thought, "content"));
  }
  for (const Json& part : listOf(content, "parts")) appendParagraph(text, textIn(part));
  return text;
}

// Web pages that a tool has read: what they are, then their text.
void addPage(const Json& page, ForeignMessage& message) {
  const QString title = textOf(page, "title"), url = textOf(page, "url");
  message.addText(title);
  message.addText(url);
  const QString text = textOf(page, "text");
  message.addText(text.isEmpty() ? textOf(page, "snippet") : text);
}

void addChatGptPart(const Json& part, ForeignMessage& message) {
  if (part.is_string()) return message.addText(textIn(part));
  const QString kind = textOf(part, "content_type");
  if (kind.contains(QLatin1String("image")))
    message.addPicture(textOf(memberOf(memberOf(part, "metadata"), "dalle"), "prompt"));
  else if (kind.contains(QLatin1String("video")))
    message.addVideo();
  else if (kind.contains(QLatin1String("audio")) && kind.endsWith(QLatin1String("pointer")))
    message.addSound();
  else if (part.contains("url"))
    addPage(part, message);
  else
    message.addText(textOf(part, "text"));  // speech, written down
}

void addContent(const Json& content, const Json& metadata, ImportNotes& notes, ForeignMessage& message) {
  const QString kind = textOf(content, "content_type");
  if (kind == u"thoughts") return message.addThinking(thoughtsOf(content));
  if (kind == u"reasoning_recap" || kind.endsWith(QLatin1String("editable_context"))) return;
  if (kind == u"code") {
    const QString language = textOf(content, "language");
    return message.addText(fenced(textOf(content, "text"), language == u"unknown" ? QString() : language));
  }
  if (kind == u"execution_output") return message.addText(fenced(textOf(content, "text")));
  if (content.contains("url")) return addPage(content, message);
  if (kind == u"computer_output") message.addPicture();
  for (const Json& part : listOf(content, "parts"))
    addChatGptPart(part.is_string() ? Json(withLinks(textIn(part), metadata, notes).toStdString()) : part,
                   message);
  for (const char* key : {"text", "result", "output_str"})
    if (const QString text = textOf(content, key); !text.isEmpty())
      return message.addText(withLinks(text, metadata, notes));
}

// Pictures stand among the parts already.
void addAttachments(const Json& metadata, ForeignMessage& message) {
  for (const Json& file : listOf(metadata, "attachments")) {
    const QString kind = textOf(file, "mime_type") + textOf(file, "mimeType");
    if (file.is_object() && !kind.startsWith(QLatin1String("image/"))) message.addFile(textOf(file, "name"));
  }
}

void takeEnd(const Json& json, const Json& metadata, MessageRecord& message) {
  const QString status = textOf(json, "status"), end = textOf(memberOf(metadata, "finish_details"), "type");
  if ((!status.isEmpty() && status != u"finished_successfully") || end == u"interrupted")
    message.state = MessageState::kStopped;
  if (end == u"max_tokens") message.limit = AnswerLimit::kTokens;
}

class Conversation {
 public:
  Conversation(const Json& json, ImportNotes& notes) : m_json(json), m_notes(notes) {}

  ChatRecord take() {
    ChatSummary& summary = m_chat.summary;
    summary.title = textOf(m_json, "title");
    summary.createdMs = timeOf(m_json, "create_time");
    summary.changedMs = timeOf(m_json, "update_time");
    summary.archived = flagOf(m_json, "is_archived");
    summary.pinned = memberOf(m_json, "pinned_time").is_number() || flagOf(m_json, "is_starred");
    ChatTree tree(m_notes);
    for (const auto& [id, node] : memberOf(m_json, "mapping").items()) {
      ChatTree::Node made{.id = QString::fromStdString(id), .parent = textOf(node, "parent")};
      for (const Json& child : listOf(node, "children")) made.children += textIn(child);
      if (const Json& message = memberOf(node, "message"); message.is_object())
        made.messages = messagesOf(message);
      else if (!node.is_object())
        m_notes.add(ImportNote::kStranger);
      tree.add(std::move(made));
    }
    tree.finish(m_chat, textOf(m_json, "current_node"));
    return std::move(m_chat);
  }

 private:
  // The person's own instructions, which hidden messages carry.
  void takeInstructions(const Json& content, const Json& metadata) {
    const Json& older = memberOf(metadata, "user_context_message_data");
    for (const QString& text : {textOf(content, "user_profile"), textOf(content, "user_instructions"),
                                textOf(older, "about_user_message"), textOf(older, "about_model_message")})
      if (!m_chat.settings.instructions.contains(text)) appendParagraph(m_chat.settings.instructions, text);
  }

  QString modelOf(const Json& metadata) const {
    for (const QString& name : {textOf(metadata, "model_slug"), textOf(metadata, "default_model_slug"),
                                textOf(m_json, "default_model_slug"), textOf(m_json, "model_slug")})
      if (!name.isEmpty()) return name;
    return {};
  }

  std::vector<MessageRecord> messagesOf(const Json& json) {
    const Json &content = memberOf(json, "content"), &metadata = memberOf(json, "metadata"),
               &author = memberOf(json, "author");
    takeInstructions(content, metadata);
    MessageRecord message;
    message.role = roleNamed(textOf(author, "role"));
    message.createdMs = timeOf(json, "create_time");
    if (message.role == MessageRole::kAssistant) {
      message.provenance.model = modelOf(metadata);
      takeEnd(json, metadata, message);
    }
    ImportNotes notes;
    ForeignMessage foreign(notes);
    addAttachments(metadata, foreign);
    addContent(content, metadata, notes, foreign);
    message = foreign.take(std::move(message)).front();
    const bool empty = message.text.isEmpty() && message.thinking.isEmpty();
    if (flagOf(metadata, "is_visually_hidden_from_conversation")) {
      if (!empty) m_notes.add(ImportNote::kHidden);
      return {};
    }
    m_notes += notes;
    // The request itself is the text, as ChatGPT has it: its tool's message is another node.
    const QString recipient = textOf(json, "recipient");
    if (message.role == MessageRole::kAssistant && !empty && !recipient.isEmpty() && recipient != u"all") {
      m_notes.add(ImportNote::kTool);
      message.text = toolMark(recipient) + "\n\n" + message.text;
    }
    return {std::move(message)};
  }

  const Json& m_json;
  ImportNotes& m_notes;
  ChatRecord m_chat;
};

class ChatGptChats : public ChatListSource {
 public:
  Format format() const override { return {"ChatGPT", "its ZIP or conversations*.json", "zip json"}; }

 protected:
  // Nodes by id in "mapping", each with "parent", "children" and "message".
  bool isChat(const Json& entry) const override {
    const Json& mapping = memberOf(entry, "mapping");
    return mapping.is_object() && std::ranges::any_of(mapping, isNode);
  }
  ChatRecord chatOf(const Json& entry, ImportNotes& notes) const override {
    return Conversation(entry, notes).take();
  }
};

}  // namespace

const ChatSource& chatGptChats() { return theOnly<ChatGptChats>(); }

}  // namespace vitrine
