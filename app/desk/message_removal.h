// MessageRemoval: what can be deleted at a message of a chat, in words, and which messages go then.
//
// A message that has other versions goes with all that follows it: alone it would leave its followers beside
// the other versions, as if they were some. Thread: values, the window's. Read next: desk.h.
#pragma once

#include <QString>
#include <vector>

#include "history/chat_record.h"

namespace vitrine {

struct MessageRemoval {
  QString words;                    // of a menu
  std::vector<MessageId> messages;  // the first of them above the others
};

// At a message of the conversation: only it, or it and all that follows it. Empty for one that is not there.
std::vector<MessageRemoval> removalsAt(const ChatRecord& chat, MessageId message);
// Of the branch that ends with this message, or forks behind it: what it has behind the fork before. Nothing
// where no fork is before it: that would be the whole chat.
std::vector<MessageRemoval> removalOfBranch(const ChatRecord& chat, MessageId last);

}  // namespace vitrine
