// ChatTurn: a question, or results of tools, and the answer that is asked for, on its way from the
// conversation to the engine.
//
// Thread: values of the window's. Read next: chat_controller.h, load_order.h.
#pragma once

#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

#include "desk/desk.h"
#include "vitrine/request.h"

namespace vitrine {

// An answer that is not asked for with the sampling controls, in the place of one that is shown.
struct OwnRequest {
  Request request = {};
  std::vector<AnswerToken> forced = {};  // of request.outputIds
  bool thinking = false;
  QString leftOut = {};  // of its prompt, as Provenance has it
};

struct ChatTurn {
  MessageId parent = 0;                   // that the question, or without one the answer, follows
  QString question = {};                  // empty: another answer to `parent`, or one to these results
  QStringList results = {};               // of the calls in the last message of `before`, in their order
  std::vector<ShownMessage> before = {};  // what stays in sight above
  std::uint64_t seedShift = 0;            // so that another answer is another one
  std::optional<OwnRequest> own = {};
  std::vector<ShownMessage> reads = {};  // the model reads these, and not what stands above
};

// Not yet taken by the engine.
struct PlacedTurn {
  ChatId chat = 0;
  ChatTurn turn = {};
  std::vector<MessageId> ids = {};  // of the prompt's messages
  QString leftOut = {};
};

}  // namespace vitrine
