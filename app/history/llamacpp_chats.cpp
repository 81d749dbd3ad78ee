#include <QRegularExpression>
#include <algorithm>
#include <vector>

#include "chat_source.h"
#include "chat_tree.h"
#include "foreign_message.h"
#include "vitrine/json_reader.h"

namespace vitrine {

namespace {

constexpr double kNsOfMs = 1e6;

// Messages of before kept thinking and tools in the text, between these.
void addOlderText(QString text, ForeignMessage& message) {
  static const QRegularExpression marks(
      QStringLiteral("<<<reasoning_content_start>>>(?<thinking>.*?)(<<<reasoning_content_end>>>|$)|"
                     "<<<AGENTIC_TOOL_CALL_START>>>\\n?<<<TOOL_NAME:(?<tool>[^>]*)>>>\\n?"
                     "(<<<TOOL_ARGS_START>>>(?<arguments>.*?)(<<<TOOL_ARGS_END>>>|$))?"
                     "(?<result>.*?)(<<<AGENTIC_TOOL_CALL_END>>>|$)"),
      QRegularExpression::DotMatchesEverythingOption);
  qsizetype end = 0;
  for (auto found = marks.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch mark = found.next();
    message.addTextWithThinking(text.mid(end, mark.capturedStart() - end).trimmed());
    message.addThinking(mark.captured(QStringLiteral("thinking")).trimmed());
    if (const QString tool = mark.captured(QStringLiteral("tool")); !tool.isEmpty()) {
      message.addToolRequest(tool, mark.captured(QStringLiteral("arguments")).trimmed());
      message.addToolResult(tool, mark.captured(QStringLiteral("result")).trimmed());
    }
    end = mark.capturedEnd();
  }
  message.addTextWithThinking(end == 0 ? text : text.mid(end).trimmed());
}

// A list, or a text that is one.
void addTools(const Json& calls, ForeignMessage& message) {
  struct NotJson {};
  if (calls.is_string()) {
    if (textIn(calls).trimmed().isEmpty()) return;
    try {
      const Json list = readJson<Json>(calls.get_ref<const std::string&>(), {},
                                       [](const std::string&) { throw NotJson(); });
      if (!list.is_string()) addTools(list, message);
    } catch (const NotJson&) {
      message.addToolRequest({}, textIn(calls));
    }
    return;
  }
  for (const Json& call : listIn(calls)) {
    const Json& function = memberOf(call, "function");
    message.addToolRequest(textOf(function, "name"), wordsOf(memberOf(function, "arguments")));
  }
}

void addExtras(const Json& extras, ForeignMessage& message) {
  for (const Json& extra : listIn(extras)) {
    const QString kind = textOf(extra, "type").toLower(), name = textOf(extra, "name");
    if (kind.startsWith(QLatin1String("image")))
      message.addPicture(name);
    else if (kind.startsWith(QLatin1String("audio")))
      message.addSound();
    else if (kind.startsWith(QLatin1String("video")))
      message.addVideo();
    else if (extra.is_object())
      message.addFile(name, textOf(extra, "content"));
  }
}

std::vector<MessageRecord> llamaCppMessages(const Json& json, ImportNotes& notes) {
  if (flagOf(json, "isSynthetic")) {  // the page wrote it, for the model alone
    notes.add(ImportNote::kHidden);
    return {};
  }
  if (textOf(json, "type") == u"root" && textOf(json, "content").isEmpty()) return {};
  MessageRecord message;
  message.role = roleNamed(textOf(json, "role"));
  message.createdMs = timeOf(json, "timestamp");
  ForeignMessage foreign(notes);
  addExtras(memberOf(json, "extra"), foreign);
  const QString thinking = textOf(json, "reasoningContent");
  foreign.addThinking(thinking.isEmpty() ? textOf(json, "thinking") : thinking);
  const Json& content = memberOf(json, "content");
  if (content.is_array())
    for (const Json& part : content) foreign.addPart(part);
  else if (message.role == MessageRole::kAssistant)
    addOlderText(textIn(content), foreign);
  else
    foreign.addText(textIn(content));
  addTools(memberOf(json, "toolCalls"), foreign);
  if (message.role == MessageRole::kAssistant) {
    message.provenance.model = textOf(json, "model");
    const Json& timings = memberOf(json, "timings");
    message.timings.prefillNs = wholeOf(timings, "prompt_ms", kNsOfMs);
    message.timings.decodeNs = wholeOf(timings, "predicted_ms", kNsOfMs);
    message.timings.cachedTokens = countOf(timings, "cache_n");
    message.timings.promptTokens = countOf(timings, "prompt_n") + message.timings.cachedTokens;
    message.timings.outputTokens = countOf(timings, "predicted_n");
  }
  return foreign.take(std::move(message));
}

bool isLlamaCppMessage(const Json& message) {
  return memberOf(message, "role").is_string() && message.contains("content");
}

struct Session {
  const Json* conversation;
  std::vector<const Json*> messages;
};

// {"conv", "messages"}, a list of them, or lines: a "session", then each "message" of it.
std::vector<Session> sessionsOf(const Json& document, int& strangers) {
  std::vector<Session> sessions;
  const auto add = [&](const Json& entry) {
    const Json &conversation = memberOf(entry, "conv"), &messages = memberOf(entry, "messages");
    if (conversation.is_object() && messages.is_array()) {
      sessions.push_back({&conversation, {}});
      for (const Json& message : messages) sessions.back().messages.push_back(&message);
    } else if (textOf(entry, "type") == u"session" && memberOf(entry, "id").is_string()) {
      sessions.push_back({&entry, {}});
    } else if (textOf(entry, "type") == u"message" && !sessions.empty()) {
      sessions.back().messages.push_back(&memberOf(entry, "message"));
    } else {
      ++strangers;
    }
  };
  if (document.is_array())
    for (const Json& entry : document) add(entry);
  else
    add(document);
  return sessions;
}

ChatRecord chatOf(const Session& session, ImportNotes& notes) {
  const Json& conversation = *session.conversation;
  ChatRecord chat;
  chat.summary.title = textOf(conversation, "name");
  chat.summary.changedMs = timeOf(conversation, "lastModified");
  chat.summary.pinned = flagOf(conversation, "pinned");
  ChatTree tree(notes);
  for (const Json* message : session.messages) {
    if (!isLlamaCppMessage(*message)) {
      notes.add(ImportNote::kStranger);
      continue;
    }
    ChatTree::Node node{.id = textOf(*message, "id"), .parent = textOf(*message, "parent")};
    for (const Json& child : listOf(*message, "children")) node.children += textIn(child);
    node.messages = llamaCppMessages(*message, notes);
    tree.add(std::move(node));
  }
  const QString shown = textOf(conversation, "currNode");
  tree.finish(chat, shown.isEmpty() ? tree.last() : shown);
  return chat;
}

class LlamaCppChats : public ChatSource {
 public:
  Format format() const override {
    return {"llama.cpp's page", "its export as JSONL, JSON or ZIP", "jsonl json zip"};
  }

  bool recognises(const Json& document) const override {
    int strangers = 0;
    return std::ranges::any_of(sessionsOf(document, strangers), [](const Session& session) {
      return std::ranges::any_of(session.messages,
                                 [](const Json* message) { return isLlamaCppMessage(*message); });
    });
  }

  std::vector<ChatRecord> read(const Json& document, ImportNotes& notes) const override {
    int strangers = 0;
    std::vector<ChatRecord> chats;
    for (const Session& session : sessionsOf(document, strangers)) {
      ChatRecord chat = chatOf(session, notes);
      if (chat.messages.empty())
        notes.add(ImportNote::kEmpty);
      else
        chats.push_back(std::move(chat));
    }
    notes.add(ImportNote::kStranger, strangers);
    return chats;
  }
};

}  // namespace

const ChatSource& llamaCppChats() { return theOnly<LlamaCppChats>(); }

}  // namespace vitrine
