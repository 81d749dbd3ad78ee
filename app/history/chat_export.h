// A chat as a document for people: the branch that is shown, as Markdown or as one HTML page.
//
// A message's text is Markdown already, so Markdown has it as it is. HTML shows an answer as the window does,
// by what the window hands over, a question's files folded, and all else as text: it is escaped, and the page
// runs nothing and loads nothing. Whole trees are exported as JSON (chat_json.h).
// Thread: any.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "chat_record.h"

namespace vitrine {

QString chatToMarkdown(const ChatRecord& chat);

// A question with its files, as the window tells them apart; none of it is HTML.
struct PageQuestion {
  struct File {
    QString title, text;
  };
  std::vector<File> files;  // folded under their titles
  QString words;
};

// How a page shows what only the window can read.
struct AnswerHtml {
  QString style;  // a style sheet, which names the page's colours, too: see markdown_page.h
  // Of a Markdown text, safe HTML. `anchors`: what its anchors begin with.
  std::function<QString(const QString& markdown, const QString& anchors)> body;
  std::function<PageQuestion(const QString& text)> question = {};  // none: all of it is words
};
QString chatToHtml(const ChatRecord& chat, const AnswerHtml& answers);

// A name for the file, without its ending: of the title, fit for every file system.
QString exportName(const ChatRecord& chat);

}  // namespace vitrine
