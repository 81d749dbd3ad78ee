// ChatFull: a conversation does not fit in the context, and what could go so that it does. Thread: the
// engine's makes it, the window's reads it. Read next: load_order.h, common/chat_prompt.h, context_line.h.
#pragma once

#include <QString>
#include <optional>

#include "common/chat_prompt.h"
#include "gui/machine/load_order.h"

namespace vitrine {

struct ChatFull {
  // Messages of the order, in a row.
  struct Part {
    int from = 0, count = 0;  // count 0: leaving out such messages does not help
    int needed = 0;           // of them; more go at once so that the next turns begin alike

    bool operator==(const Part&) const = default;
  };

  QString request;  // the order's name
  int tokens = 0;   // of the whole prompt
  int room = 0;     // for a prompt and its answer together
  Part oldest = {};
  Part middle = {};  // all of it behind the first exchange

  bool operator==(const ChatFull&) const = default;
};

// `cut`: the order's prompt, from which messages had to go. Errors as fittingChatRequest().
ChatFull fullness(const Engine& engine, const ChatOrder& order, const ChatPrompt& cut);
// Of an order that is not submitted. Empty: it fits, or no prompt can be made of it.
std::optional<ChatFull> fullness(const Engine& engine, const ChatOrder& order);

}  // namespace vitrine
