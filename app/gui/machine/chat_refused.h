// ChatRefused: the model's chat template takes no such conversation. Thread: the engine's makes it, the
// window's reads it. Read next: vitrine/chat_format.h, template_line.h.
#pragma once

#include <QString>
#include <vector>

#include "vitrine/chat_format.h"

namespace vitrine {

struct ChatRefused {
  QString request;                   // the order's name
  QString words;                     // the template's own
  std::vector<ChatMend> mends = {};  // with which it takes the conversation
};

}  // namespace vitrine
