#include "foreign_message.h"

#include <QDateTime>
#include <algorithm>

namespace vitrine {

namespace {

// Numbers below it are seconds: as seconds it is the year 5138, as milliseconds 1973.
constexpr double kLeastMs = 1e11;

QString markOf(const char* kind, const QString& name) {
  const QString words = name.simplified();
  return '[' + QLatin1String(kind) + (words.isEmpty() ? QString() : ": " + words) + ']';
}

}  // namespace

void appendParagraph(QString& text, const QString& more) {
  if (!text.isEmpty() && !more.isEmpty()) text += QStringLiteral("\n\n");
  text += more;
}

QString fenced(const QString& text, const QString& language) {
  if (text.isEmpty()) return {};
  qsizetype longest = 2, row = 0;
  for (const QChar c : text) {
    row = c == '`' ? row + 1 : 0;
    longest = std::max(longest, row);
  }
  const QString fence(longest + 1, QChar('`'));
  return fence + language + '\n' + text + (text.endsWith('\n') ? "" : "\n") + fence;
}

QString toolMark(const QString& name) { return markOf("tool", name); }

QString wordsOf(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) return textIn(value);
  return QString::fromStdString(value.dump(2, ' ', false, Json::error_handler_t::replace));
}

MessageRole roleNamed(const QString& name) {
  return fromName<MessageRole>(name.toStdString()).value_or(MessageRole::kUser);
}

std::int64_t timeOf(const Json& object, const char* key) {
  const Json& value = memberOf(object, key);
  if (value.is_string()) {
    const QDateTime time = QDateTime::fromString(textIn(value), Qt::ISODateWithMs);
    return time.isValid() ? std::max<std::int64_t>(0, time.toMSecsSinceEpoch()) : 0;
  }
  const bool seconds = value.is_number() && value.get<double>() < kLeastMs;
  return wholeOf(object, key, seconds ? 1000 : 1);
}

void ForeignMessage::addTextWithThinking(const QString& text) {
  static const QString open = QStringLiteral("<think>"), close = QStringLiteral("</think>");
  const QString words = text.trimmed();
  const qsizetype end = words.indexOf(close);
  if (!words.startsWith(open)) return addText(text);
  addThinking(words.mid(open.size(), end < 0 ? -1 : end - open.size()).trimmed());
  if (end >= 0) addText(words.mid(end + close.size()).trimmed());
}

void ForeignMessage::addPicture(const QString& name) {
  m_notes.add(ImportNote::kPicture);
  addText(markOf("picture", name));
}

void ForeignMessage::addSound() {
  m_notes.add(ImportNote::kSound);
  addText(markOf("sound", {}));
}

void ForeignMessage::addVideo() {
  m_notes.add(ImportNote::kSound);
  addText(markOf("video", {}));
}

void ForeignMessage::addFile(const QString& name, const QString& text) {
  m_notes.add(ImportNote::kFile);
  addText(markOf("file", name));
  addText(fenced(text));
}

void ForeignMessage::addToolRequest(const QString& name, const QString& arguments) {
  m_notes.add(ImportNote::kTool);
  addText(toolMark(name));
  appendParagraph(m_tools, markOf("tool request", name));
  appendParagraph(m_tools, fenced(arguments, arguments.startsWith('{') ? QStringLiteral("json") : QString()));
}

void ForeignMessage::addToolResult(const QString& name, const QString& result) {
  if (result.trimmed().isEmpty()) return;
  appendParagraph(m_tools, markOf("tool result", name));
  appendParagraph(m_tools, fenced(result));
}

void ForeignMessage::addReference(const QString& title, const QString& url) {
  const QString name = title.simplified().isEmpty() ? url : title.simplified();
  if (name.isEmpty()) return;
  m_notes.add(ImportNote::kReference);
  m_references += url.isEmpty() || url == name ? name : '[' + name + "](" + url + ')';
}

void ForeignMessage::addPart(const Json& part) {
  const QString kind = textOf(part, "type");
  if (part.is_string())
    addText(textIn(part));
  else if (kind.contains(QLatin1String("image")))
    addPicture();
  else if (kind.contains(QLatin1String("audio")))
    addSound();
  else if (kind.contains(QLatin1String("video")))
    addVideo();
  else if (kind.contains(QLatin1String("file")))
    addFile(textOf(memberOf(part, "file"), "filename"));
  else
    addText(textOf(part, "text"));
}

std::vector<MessageRecord> ForeignMessage::take(MessageRecord message) {
  for (qsizetype i = 0; i < m_references.size(); ++i)
    appendParagraph(m_text, '[' + QString::number(i + 1) + "] " + m_references[i]);
  message.text = m_text;
  message.thinking = m_thinking;
  std::vector<MessageRecord> messages;
  if (!m_tools.isEmpty()) {
    MessageRecord tools;
    tools.role = MessageRole::kTool;
    tools.createdMs = message.createdMs;
    tools.text = m_tools;
    messages.push_back(std::move(tools));
  }
  messages.insert(messages.begin(), std::move(message));
  return messages;
}

}  // namespace vitrine
