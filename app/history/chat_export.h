// A chat as a document for people: the branch that is shown, as Markdown or as one HTML page.
//
// A message's text is Markdown already, so Markdown has it as it is. HTML shows it as text: everything is
// escaped, and the page runs nothing and loads nothing. Whole trees are exported as JSON (chat_json.h).
// Thread: any.
#pragma once

#include <QString>

#include "chat_record.h"

namespace vitrine {

QString chatToMarkdown(const ChatRecord& chat);
QString chatToHtml(const ChatRecord& chat);

// A name for the file, without its ending: of the title, fit for every file system.
QString exportName(const ChatRecord& chat);

}  // namespace vitrine
