// ChatFork: where two conversations part: how many of their messages are the same from the first one on.
//
// Branches of one chat share a message that the host keeps once; two versions of an answer are two messages,
// whatever they say. Two chats share words of the same author. Thread: the models'. Read next: chat_model.h.
#pragma once

#include "widgets/conversation/chat_model.h"

namespace vitrine {

struct ChatFork {
  int shared = 0;                              // messages
  bool firstEnds = false, secondEnds = false;  // there; both: they are the same

  bool operator==(const ChatFork&) const = default;
};

enum class ForkBy : std::uint8_t { kMessages, kWords };  // of one chat, of two

ChatFork forkOf(const ChatModel& first, const ChatModel& second, ForkBy by);

}  // namespace vitrine
