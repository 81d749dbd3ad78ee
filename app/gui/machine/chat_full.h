// ChatFull: a conversation does not fit in the context, and what could go so that it does. Thread: the
// engine's makes it, the window's reads it. Read next: load_order.h, common/chat_prompt.h, context_line.h.
#pragma once

#include <QMetaType>
#include <QString>

namespace vitrine {

struct ChatFull {
  // Messages of the order, in a row.
  struct Part {
    int from = 0, count = 0;  // count 0: leaving out such messages does not help

    bool operator==(const Part&) const = default;
  };

  QString request;  // the order's name
  int tokens = 0;   // of the whole prompt
  int room = 0;     // for a prompt and its answer together
  Part oldest = {};
  Part middle = {};  // all of it behind the first exchange

  bool operator==(const ChatFull&) const = default;
};

}  // namespace vitrine

Q_DECLARE_METATYPE(vitrine::ChatFull)
