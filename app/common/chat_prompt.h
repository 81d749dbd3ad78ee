// A conversation as a request: written in the model's chat format, cut to what the model can attend to, and
// ended by the format's stop strings. Thread: the engine's. Read next: vitrine/chat_format.h.
#pragma once

#include <vector>

#include "vitrine/chat_format.h"
#include "vitrine/engine.h"

namespace vitrine {

// `request` with the whole conversation as its prompt, as text, and the stop strings added. Nothing is cut:
// the engine refuses what is too long.
Request chatRequest(const ChatFormat& format, const std::vector<ChatMessage>& messages, Request request,
                    bool thinking = false);

struct ChatPrompt {
  Request request;    // the prompt as text and as ids
  int forgotten = 0;  // so many messages were left out, the oldest
};

// The same, cut so that an answer of request.maxTokens, or of a quarter of the room if that is less, fits
// behind it. A first system message stays, and so does the newest message; of the others the oldest turns go
// whole, each from one of the user's messages up to the next, since templates refuse roles that do not
// alternate. Where the KV pool is smaller than the context, maxTokens shrinks to what the pool holds.
// Throws EngineError: kContextTooLong when the newest message leaves no room for a token of an answer,
// kUnavailable for a model without a tokenizer.
ChatPrompt fittingChatRequest(const Engine& engine, const std::vector<ChatMessage>& messages,
                              const Request& request, bool thinking = false);

}  // namespace vitrine
