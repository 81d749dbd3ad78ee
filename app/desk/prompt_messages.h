// Which messages of a chat the model reads: the one place that says so.
//
// Thread: values. Read next: answer_turn.h; common/chat_prompt.h, which makes them a prompt.
#pragma once

#include <set>
#include <vector>

#include "history/chat_record.h"
#include "vitrine/chat_format.h"

namespace vitrine {

// Messages of a path, by their places in it; 0: the root.
using Places = std::set<int>;
Places placesLeftOut(const std::vector<MessageRecord>& path);  // from now on
// As Provenance::leftOut has them. A text of another kind gives none.
QString toText(const Places& places);
Places placesFrom(const QString& text);

struct PromptMessages {
  std::vector<ChatMessage> messages;
  std::vector<MessageId> ids;  // of each; 0: the system prompt
};

// The system prompt, then the path without what is left out and answers that failed or are empty. What was
// thought is beside its answer: the model's template drops or keeps it. Calls of tools are beside the text of
// their answer, and their results follow it. What tools gave back to no call that is read, as in imported
// chats, is not read.
PromptMessages promptMessages(const ChatSettings& settings, const std::vector<MessageRecord>& path,
                              const Places& leftOut);

// These messages as the chat tells them to the model's template: with its tools, and how it is asked.
// `thinking`: where the chat does not say it.
Dialogue dialogueOf(const ChatSettings& settings, std::vector<ChatMessage> messages, bool thinking = false);

}  // namespace vitrine
