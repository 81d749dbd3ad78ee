// A chat as a document for people: the branch that is shown, as Markdown or as one HTML page.
//
// A message's text is Markdown already, so Markdown has it as it is. HTML shows an answer as the window does,
// by what the window hands over, and all else as text: it is escaped, and the page runs nothing and loads
// nothing. Whole trees are exported as JSON (chat_json.h).
// Thread: any.
#pragma once

#include <QString>
#include <functional>

#include "chat_record.h"

namespace vitrine {

QString chatToMarkdown(const ChatRecord& chat);

// How an answer's Markdown is shown on a page.
struct AnswerHtml {
  QString style;  // a style sheet
  // Of a Markdown text, safe HTML. `anchors`: what its anchors begin with.
  std::function<QString(const QString& markdown, const QString& anchors)> body;
};
QString chatToHtml(const ChatRecord& chat, const AnswerHtml& answers);

// A name for the file, without its ending: of the title, fit for every file system.
QString exportName(const ChatRecord& chat);

}  // namespace vitrine
