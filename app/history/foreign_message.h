// How the texts of other programs' messages are put together: what has no place in a text of ours is marked.
// Thread: any.
#pragma once

#include <QString>
#include <vector>

#include "chat_record.h"
#include "import_report.h"
#include "json_members.h"

namespace vitrine {

// Joins with an empty line between, where both have words.
void appendParagraph(QString& text, const QString& more);
// A block of code, whose fence is longer than every row of backticks in the text. Empty for an empty text.
QString fenced(const QString& text, const QString& language = {});
QString toolMark(const QString& name);  // "[tool: name]"
// A string as it stands, any other value as JSON; empty for null.
QString wordsOf(const Json& value);
MessageRole roleNamed(const QString& name);
// Milliseconds since 1970 of a number of seconds or milliseconds, or of an ISO 8601 text; 0: none.
std::int64_t timeOf(const Json& object, const char* key);

// The content of one message, part by part.
class ForeignMessage {
 public:
  explicit ForeignMessage(ImportNotes& notes) : m_notes(notes) {}

  void addText(const QString& text) { appendParagraph(m_text, text); }
  void addThinking(const QString& text) { appendParagraph(m_thinking, text); }
  // With <think>...</think> at its beginning, as many models write.
  void addTextWithThinking(const QString& text);
  void addPicture(const QString& name = {});
  void addSound();
  void addVideo();
  // The text is what the export has of the file's content.
  void addFile(const QString& name, const QString& text = {});
  // "[tool: name]" in the text; the arguments and the result are for the tool's message.
  void addToolRequest(const QString& name, const QString& arguments);
  void addToolResult(const QString& name, const QString& result);
  void addReference(const QString& title, const QString& url);  // listed below the text
  // Parts of OpenAI's API: {"type": "text" | "image_url" | "input_audio" | "file"}.
  void addPart(const Json& part);

  // `message` with the text, then the message of its tools.
  std::vector<MessageRecord> take(MessageRecord message);

 private:
  ImportNotes& m_notes;
  QString m_text, m_thinking, m_tools;
  QStringList m_references;
};

}  // namespace vitrine
