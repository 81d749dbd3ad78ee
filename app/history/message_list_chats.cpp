#include <algorithm>

#include "chat_source.h"
#include "chat_tree.h"
#include "foreign_message.h"

namespace vitrine {

namespace {

// A message that names others belongs to a tree, which a list would flatten.
bool isListMessage(const Json& message) {
  for (const char* key : {"parent", "children", "parentId", "childrenIds", "versions"})
    if (message.is_object() && message.contains(key)) return false;
  const Json& content = memberOf(message, "content");
  return fromName<MessageRole>(textOf(message, "role").toStdString()).has_value() &&
         (content.is_string() || content.is_array() || (content.is_null() && message.contains("tool_calls")));
}

std::vector<MessageRecord> listMessages(const Json& json, const QString& model, ImportNotes& notes) {
  MessageRecord message;
  message.role = roleNamed(textOf(json, "role"));
  if (message.role == MessageRole::kAssistant) message.provenance.model = model;
  ForeignMessage foreign(notes);
  foreign.addThinking(textOf(json, "reasoning_content"));
  const Json& content = memberOf(json, "content");
  if (content.is_array())
    for (const Json& part : content) foreign.addPart(part);
  else if (message.role == MessageRole::kAssistant)
    foreign.addTextWithThinking(textIn(content));
  else
    foreign.addText(textIn(content));
  for (const Json& call : listOf(json, "tool_calls")) {
    const Json& function = memberOf(call, "function");
    foreign.addToolRequest(textOf(function, "name"), wordsOf(memberOf(function, "arguments")));
  }
  return foreign.take(std::move(message));
}

// The older files of LM Studio, and requests to OpenAI's API: {"messages": [{"role", "content"}]}.
class MessageListChats : public ChatListSource {
 public:
  Format format() const override {
    return {"LM Studio before 0.3 and OpenAI's API", "{\"messages\": [{\"role\", \"content\"}]}", "json"};
  }

 protected:
  bool isChat(const Json& entry) const override {
    const Json& messages = memberOf(entry, "messages");
    return messages.is_array() && !messages.empty() && std::ranges::all_of(messages, isListMessage);
  }

  ChatRecord chatOf(const Json& json, ImportNotes& notes) const override {
    ChatRecord chat;
    chat.summary.title = textOf(json, "name");
    if (chat.summary.title.isEmpty()) chat.summary.title = textOf(json, "title");
    chat.summary.createdMs = timeOf(json, "createdAt");
    ChatTree tree(notes);
    for (const Json& message : memberOf(json, "messages"))
      tree.append(listMessages(message, textOf(json, "model"), notes));
    tree.finish(chat, tree.last());
    return chat;
  }
};

}  // namespace

const ChatSource& messageListChats() { return theOnly<MessageListChats>(); }

}  // namespace vitrine
