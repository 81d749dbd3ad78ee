// AnswerTurn: how a kept answer was asked for, so that it can be asked for again: its messages, its request
// and its tokens. Thread: the window's. Read next: provenance.h.
#pragma once

#include <optional>
#include <vector>

#include "desk/desk.h"
#include "vitrine/chat_format.h"
#include "vitrine/request.h"

namespace vitrine {

struct AnswerTurn {
  MessageRecord answer;  // with its tokens
  Dialogue dialogue;     // the messages before it, as the model read them
  Request request;       // as its provenance has it, without a name

  // The answer ended because it was stopped or as long as it might be, so it can go on.
  bool canGoOn() const;
};

// Of the chat that is shown. Nothing for a message that is no ended answer of a model with tokens: a
// question, an answer that streams, that a person wrote, that another program computed, or that has read
// another chat.
std::optional<AnswerTurn> answerTurn(Desk& desk, MessageId answer);
// Of a chat that was read with its tokens.
std::optional<AnswerTurn> answerTurn(const ChatRecord& chat, MessageId answer);

}  // namespace vitrine
