// Titles of a list of chats, told apart: a title is the beginning of the first question, so chats that begin
// alike have equal ones. Thread: any; no state.
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "history/chat_record.h"

namespace vitrine {

struct ChatTitle {
  QString text;
  bool beginsAlike =
      false;  // as another one of the list: where there is little room, its end is what differs

  bool operator==(const ChatTitle&) const = default;
};

// One for each of `chats`, in their order. Equal titles that were cut go on with the end of the question;
// what is equal still is numbered from the second oldest chat on.
std::vector<ChatTitle> titlesApart(const std::vector<ChatSummary>& chats,
                                   const std::function<QString(ChatId)>& questionOf);

}  // namespace vitrine
