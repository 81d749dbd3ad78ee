#include <QHash>
#include <QRegularExpression>
#include <algorithm>
#include <vector>

#include "chat_source.h"
#include "chat_tree.h"
#include "foreign_message.h"

namespace vitrine {

namespace {

bool isPart(const Json& part) {
  const QString kind = textOf(part, "type");
  if (kind == u"text" || kind == u"reasoning") return memberOf(memberOf(part, "text"), "value").is_string();
  return kind == u"image_url" ? memberOf(part, "image_url").is_object()
                              : kind == u"tool_call" && part.contains("tool_name");
}

bool isJanMessage(const Json& message) {
  const Json& content = memberOf(message, "content");
  return memberOf(message, "role").is_string() && content.is_array() && std::ranges::any_of(content, isPart);
}

bool hasMessages(const Json& list) { return std::ranges::any_of(listIn(list), isJanMessage); }

// Jan writes the files of a question behind it, between marks of its own.
void addQuestion(QString text, ForeignMessage& message) {
  static const QRegularExpression block(
      QStringLiteral("\\n*\\[ATTACHED_FILES\\]\\n(.*?)\\n?\\[/ATTACHED_FILES\\]"),
      QRegularExpression::DotMatchesEverythingOption);
  static const QRegularExpression name(QStringLiteral("\\bname: ([^,\\n]+)"));
  if (const auto found = block.match(text); found.hasMatch()) {
    for (auto file = name.globalMatch(found.captured(1)); file.hasNext();)
      message.addFile(file.next().captured(1).trimmed());
    text.remove(found.capturedStart(), found.capturedLength());
  }
  message.addText(text);
}

void addJanPart(const Json& part, MessageRole role, ForeignMessage& message) {
  const QString kind = textOf(part, "type");
  const QString text = textOf(memberOf(part, "text"), "value");
  if (kind == u"reasoning")
    message.addThinking(text);
  else if (kind == u"image_url")
    message.addPicture();
  else if (kind == u"tool_call") {
    message.addToolRequest(textOf(part, "tool_name"), wordsOf(memberOf(part, "input")));
    message.addToolResult(textOf(part, "tool_name"), wordsOf(memberOf(part, "output")));
  } else if (role == MessageRole::kAssistant)
    message.addTextWithThinking(text);
  else
    addQuestion(text, message);
}

// Before parts of a tool there were those of the metadata.
void addOlderTools(const Json& metadata, ForeignMessage& message) {
  for (const Json& call : listOf(metadata, "tool_calls")) {
    const Json& function = memberOf(memberOf(call, "tool"), "function");
    const QString name = textOf(function, "name");
    message.addToolRequest(name, wordsOf(memberOf(function, "arguments")));
    const Json &response = memberOf(call, "response"), &content = memberOf(response, "content");
    message.addToolResult(name, content.is_null() ? wordsOf(response) : wordsOf(content));
  }
}

QString modelOf(const Json& json, const Json& metadata) {
  for (const QString& name : {textOf(metadata, "model"), textOf(metadata, "modelId"),
                              textOf(memberOf(metadata, "model"), "id"), textOf(json, "model")})
    if (!name.isEmpty()) return name;
  return {};
}

std::vector<MessageRecord> janMessages(const Json& json, const QString& model, ImportNotes& notes) {
  const Json &content = memberOf(json, "content"), &metadata = memberOf(json, "metadata");
  MessageRecord message;
  message.role = roleNamed(textOf(json, "role"));
  message.createdMs = timeOf(json, "created_at");
  ForeignMessage foreign(notes);
  for (const Json& part : listIn(content)) addJanPart(part, message.role, foreign);
  if (message.role == MessageRole::kAssistant) {
    addOlderTools(metadata, foreign);
    message.provenance.model = modelOf(json, metadata);
    if (message.provenance.model.isEmpty()) message.provenance.model = model;
    const QString status = textOf(json, "status");
    if (status == u"stopped" || status == u"pending") message.state = MessageState::kStopped;
    if (status == u"error") message.state = MessageState::kFailed;
    const Json& usage = memberOf(metadata, "usage");
    message.timings.promptTokens = std::max(countOf(usage, "prompt_tokens"), countOf(usage, "inputTokens"));
    message.timings.outputTokens =
        std::max(countOf(usage, "completion_tokens"), countOf(usage, "outputTokens"));
  }
  return foreign.take(std::move(message));
}

// A node's parent is "parentId" in the metadata of its message; a chat without any is one branch.
bool hasParent(const Json& message) {
  return memberOf(memberOf(message, "metadata"), "parentId").is_string();
}

// From the newest root along "activeChildId", or the newest child.
QString shownLeaf(const std::vector<const Json*>& messages) {
  QHash<QString, std::vector<const Json*>> below;
  for (const Json* message : messages)
    below[textOf(memberOf(*message, "metadata"), "parentId")].push_back(message);
  QString shown, active;
  for (std::size_t depth = 0; depth < messages.size(); ++depth) {
    const Json* next = nullptr;
    for (const Json* message : below.value(shown)) {
      const bool chosen = !active.isEmpty() && textOf(*message, "id") == active;
      if (chosen || next == nullptr || timeOf(*message, "created_at") >= timeOf(*next, "created_at"))
        next = message;
      if (chosen) break;
    }
    if (next == nullptr || textOf(*next, "id").isEmpty()) break;
    shown = textOf(*next, "id");
    active = textOf(memberOf(*next, "metadata"), "activeChildId");
  }
  return shown;
}

class JanChats : public ChatSource {
 public:
  Format format() const override {
    return {"Jan", "its JSON export or a thread's messages.jsonl", "json jsonl"};
  }

  bool recognises(const Json& document) const override {
    const auto isThread = [](const Json& entry) { return hasMessages(memberOf(entry, "messages")); };
    return isThread(document) || hasMessages(document) || std::ranges::any_of(listIn(document), isThread);
  }

  std::vector<ChatRecord> read(const Json& document, ImportNotes& notes) const override {
    std::vector<ChatRecord> chats;
    const auto add = [&](const Json& thread, const Json& messages) {
      ChatRecord chat = chatOf(thread, messages, notes);
      if (!chat.messages.empty()) chats.push_back(std::move(chat));
    };
    if (hasMessages(document)) {
      add(Json(), document);
    } else if (document.is_array()) {
      for (const Json& entry : document) {
        const Json& messages = memberOf(entry, "messages");
        if (hasMessages(messages))
          add(entry, messages);
        else
          notes.add(ImportNote::kStranger);
      }
    } else {
      add(document, memberOf(document, "messages"));
    }
    return chats;
  }

 private:
  static ChatRecord chatOf(const Json& thread, const Json& list, ImportNotes& notes) {
    ChatRecord chat;
    static const QRegularExpression tags(QStringLiteral("<[^>]*>"));
    chat.summary.title = textOf(thread, "title").remove(tags).trimmed();
    chat.summary.createdMs = timeOf(thread, "created");
    chat.summary.changedMs = timeOf(thread, "updated");
    chat.summary.pinned = flagOf(thread, "isFavorite");
    QString model = textOf(memberOf(thread, "model"), "id");
    if (const Json& assistants = memberOf(thread, "assistants");
        assistants.is_array() && !assistants.empty()) {
      chat.settings.instructions = textOf(assistants.front(), "instructions");
      if (model.isEmpty()) model = textOf(memberOf(assistants.front(), "model"), "id");
    }
    std::vector<const Json*> messages;
    for (const Json& message : list)
      if (isJanMessage(message))
        messages.push_back(&message);
      else
        notes.add(message.is_object() && message.contains("role") ? ImportNote::kEmpty
                                                                  : ImportNote::kStranger);
    const bool branches =
        std::ranges::any_of(messages, [](const Json* message) { return hasParent(*message); });
    ChatTree tree(notes);
    for (const Json* message : messages) {
      if (branches)
        tree.add({.id = textOf(*message, "id"),
                  .parent = textOf(memberOf(*message, "metadata"), "parentId"),
                  .messages = janMessages(*message, model, notes)});
      else
        tree.append(janMessages(*message, model, notes));
    }
    tree.finish(chat, branches ? shownLeaf(messages) : tree.last());
    return chat;
  }
};

}  // namespace

const ChatSource& janChats() { return theOnly<JanChats>(); }

}  // namespace vitrine
