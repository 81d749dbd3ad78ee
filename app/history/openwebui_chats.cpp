#include <QRegularExpression>
#include <algorithm>
#include <vector>

#include "chat_source.h"
#include "chat_tree.h"
#include "foreign_message.h"
#include "vitrine/json_reader.h"

namespace vitrine {

namespace {

constexpr double kNsOfSecond = 1e9;

QString unescaped(QString text) {
  const std::pair<const char*, const char*> names[] = {{"&lt;", "<"},   {"&gt;", ">"},  {"&quot;", "\""},
                                                       {"&#x27;", "'"}, {"&#39;", "'"}, {"&amp;", "&"}};
  for (const auto& [name, letter] : names) text.replace(QLatin1String(name), QLatin1String(letter));
  return text;
}

// Of a block's attributes: a text is JSON there once more.
QString attributeOf(const QString& attributes, const QString& name) {
  struct NotJson {};
  const QRegularExpression value("\\b" + name + "=\"([^\"]*)\"");
  const QString text = unescaped(value.match(attributes).captured(1));
  try {
    return wordsOf(readJson<Json>(text.toStdString(), {}, [](const std::string&) { throw NotJson(); }));
  } catch (const NotJson&) {
    return text;
  }
}

QString unquoted(const QString& text) {
  QStringList lines = text.trimmed().split('\n');
  for (QString& line : lines)
    if (line.startsWith('>')) line.remove(0, line.startsWith(QLatin1String("> ")) ? 2 : 1);
  return lines.join('\n').trimmed();
}

// An answer's text has its thinking and its tools as blocks of HTML, which are not of the model.
void addAnswer(const QString& text, ForeignMessage& message, AnswerTimings& timings) {
  static const QRegularExpression blocks(
      QStringLiteral("<details type=\"(reasoning|tool_calls|code_interpreter)\"([^>]*)>\\s*"
                     "(?:<summary>.*?</summary>)?(.*?)(?:</details>|$)"),
      QRegularExpression::DotMatchesEverythingOption);
  qsizetype end = 0;
  for (auto found = blocks.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch block = found.next();
    message.addText(text.mid(end, block.capturedStart() - end).trimmed());
    const QString kind = block.captured(1), attributes = block.captured(2), inside = block.captured(3);
    if (kind == u"reasoning") {
      message.addThinking(unquoted(unescaped(inside)));
      timings.thinkingNs += std::max<std::int64_t>(
          0, static_cast<std::int64_t>(attributeOf(attributes, QStringLiteral("duration")).toInt() *
                                       kNsOfSecond));
    } else if (kind == u"tool_calls") {
      const QString name = attributeOf(attributes, QStringLiteral("name"));
      message.addToolRequest(name, attributeOf(attributes, QStringLiteral("arguments")));
      const QString result = attributeOf(attributes, QStringLiteral("result"));
      message.addToolResult(name, result.isEmpty() ? unescaped(inside).trimmed() : result);
    } else {
      message.addToolRequest(QStringLiteral("code interpreter"), inside.trimmed());
      message.addToolResult(QStringLiteral("code interpreter"),
                            attributeOf(attributes, QStringLiteral("output")));
    }
    end = block.capturedEnd();
  }
  if (end == 0)
    message.addTextWithThinking(text);
  else
    message.addText(text.mid(end).trimmed());
}

QString textsIn(const Json& parts) {
  if (!parts.is_array()) return wordsOf(parts);
  QString text;
  for (const Json& part : parts) appendParagraph(text, textOf(part, "text"));
  return text;
}

// What newer versions write beside the text.
void addOutput(const Json& output, ForeignMessage& message) {
  for (const Json& item : listIn(output)) {
    const QString kind = textOf(item, "type");
    if (kind == u"message")
      message.addText(textsIn(memberOf(item, "content")));
    else if (kind == u"reasoning")
      message.addThinking(textsIn(memberOf(item, item.contains("content") ? "content" : "summary")));
    else if (kind == u"function_call")
      message.addToolRequest(textOf(item, "name"), wordsOf(memberOf(item, "arguments")));
    else if (kind == u"function_call_output")
      message.addToolResult({}, textsIn(memberOf(item, "output")));
  }
}

void addOpenWebUiFiles(const Json& files, ForeignMessage& message) {
  for (const Json& file : listIn(files)) {
    const Json& inside = memberOf(file, "file");
    const QString name = textOf(file, "name").isEmpty() ? textOf(inside, "filename") : textOf(file, "name");
    if (textOf(file, "type") == u"image" || textOf(file, "content_type").startsWith(QLatin1String("image/")))
      message.addPicture(name);
    else if (file.is_object())
      message.addFile(name, textOf(memberOf(inside, "data"), "content"));
  }
}

void addSources(const Json& sources, ForeignMessage& message) {
  for (const Json& source : listIn(sources)) {
    const Json& named = memberOf(source, "source");
    const QString url = textOf(named, "url"), name = textOf(named, "name");
    message.addReference(name, url.isEmpty() && name.startsWith(QLatin1String("http")) ? name : url);
  }
}

void takeUsage(const Json& json, AnswerTimings& timings) {
  const Json& usage = memberOf(json, "usage").is_object() ? memberOf(json, "usage") : memberOf(json, "info");
  timings.promptTokens = std::max(countOf(usage, "prompt_tokens"), countOf(usage, "prompt_eval_count"));
  timings.outputTokens = std::max(countOf(usage, "completion_tokens"), countOf(usage, "eval_count"));
  timings.prefillNs = wholeOf(usage, "prompt_eval_duration");
  timings.decodeNs = wholeOf(usage, "eval_duration");
}

std::vector<MessageRecord> openWebUiMessages(const Json& json, ImportNotes& notes) {
  MessageRecord message;
  message.role = roleNamed(textOf(json, "role"));
  message.createdMs = timeOf(json, "timestamp");
  ForeignMessage foreign(notes);
  addOpenWebUiFiles(memberOf(json, "files"), foreign);
  const Json& content = memberOf(json, "content");
  if (message.role != MessageRole::kAssistant) {
    if (content.is_array())
      for (const Json& part : content) foreign.addPart(part);
    else
      foreign.addText(textIn(content));
    return foreign.take(std::move(message));
  }
  takeUsage(json, message.timings);
  foreign.addThinking(textOf(json, "reasoning_content"));
  if (textIn(content).trimmed().isEmpty())
    addOutput(memberOf(json, "output"), foreign);
  else
    addAnswer(textIn(content), foreign, message.timings);
  for (const char* key : {"sources", "citations"}) addSources(memberOf(json, key), foreign);
  message.provenance.model =
      textOf(json, "model").isEmpty() ? textOf(json, "modelName") : textOf(json, "model");
  if (memberOf(json, "done").is_boolean() && !flagOf(json, "done")) message.state = MessageState::kStopped;
  if (const Json& error = memberOf(json, "error"); error.is_object() || error.is_string()) {
    message.state = MessageState::kFailed;
    message.failure = error.is_object() ? wordsOf(memberOf(error, "content")) : textIn(error);
  }
  return foreign.take(std::move(message));
}

bool isOpenWebUiMessage(const Json& message) {
  return memberOf(message, "role").is_string() && message.contains("content");
}

// The chat is a member of what the export lists, or stands by itself.
const Json& innerOf(const Json& entry) {
  const Json& inner = memberOf(entry, "chat");
  return inner.is_object() ? inner : entry;
}

const Json& treeOf(const Json& entry) { return memberOf(memberOf(innerOf(entry), "history"), "messages"); }

class OpenWebUiChats : public ChatListSource {
 public:
  Format format() const override { return {"Open WebUI", "chat-export-*.json", "json"}; }

 protected:
  // "history" with messages by id, each with "parentId" and "childrenIds"; the list "messages" beside it is
  // one branch of them.
  bool isChat(const Json& entry) const override {
    const Json& tree = treeOf(entry);
    return tree.is_object() && std::ranges::any_of(tree, isOpenWebUiMessage);
  }

  ChatRecord chatOf(const Json& entry, ImportNotes& notes) const override {
    const Json& inner = innerOf(entry);
    ChatRecord chat;
    chat.summary.title = textOf(entry, "title").isEmpty() ? textOf(inner, "title") : textOf(entry, "title");
    const std::int64_t created = timeOf(entry, "created_at");
    chat.summary.createdMs = created == 0 ? timeOf(inner, "timestamp") : created;
    chat.summary.changedMs = timeOf(entry, "updated_at");
    chat.summary.archived = flagOf(entry, "archived");
    chat.summary.pinned = flagOf(entry, "pinned");
    chat.settings.instructions = textOf(memberOf(inner, "params"), "system");
    if (chat.settings.instructions.isEmpty()) chat.settings.instructions = textOf(inner, "system");
    ChatTree tree(notes);
    for (const auto& [id, message] : treeOf(entry).items()) {
      if (!isOpenWebUiMessage(message)) {
        notes.add(ImportNote::kStranger);
        continue;
      }
      ChatTree::Node node{.id = QString::fromStdString(id), .parent = textOf(message, "parentId")};
      for (const Json& child : listOf(message, "childrenIds")) node.children += textIn(child);
      node.messages = openWebUiMessages(message, notes);
      tree.add(std::move(node));
    }
    tree.finish(chat, textOf(memberOf(inner, "history"), "currentId"));
    return chat;
  }
};

}  // namespace

const ChatSource& openWebUiChats() { return theOnly<OpenWebUiChats>(); }

}  // namespace vitrine
