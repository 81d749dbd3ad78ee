// How other programs write chats. Each function takes whatever the JSON is and throws nothing: what is
// missing or of a wrong kind is left out. Ids are 1, 2, ... in the order of the list. Thread: any.
#pragma once

#include "chat_record.h"
#include "json_members.h"

namespace vitrine {

// One conversation of ChatGPT's export: nodes by id in "mapping", each with "parent", "children" and
// "message"; "current_node" is the shown leaf.
bool looksLikeChatGpt(const Json& conversation);
ChatRecord chatGptChat(const Json& conversation);

// LM Studio's: a list of "messages", each with "versions" and the place of the one that is shown. What
// follows a message hangs on its shown version. Its older form, {"role", "content"}, is a version by itself.
bool looksLikeLmStudio(const Json& conversation);
ChatRecord lmStudioChat(const Json& conversation);

// Joins with an empty line between, where both have words.
void appendParagraph(QString& text, const QString& more);
MessageRole roleNamed(const QString& name);

}  // namespace vitrine
