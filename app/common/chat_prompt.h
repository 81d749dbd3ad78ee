// A conversation as a request: a prompt in the model's chat format, cut to the model's context, with the
// format's stop strings. Thread: the engine's. Read next: vitrine/chat_format.h.
#pragma once

#include <vector>

#include "vitrine/chat_format.h"
#include "vitrine/engine.h"

namespace vitrine {

// A conversation as the model reads it: what a person or a model wrote is text, unless typed marks count.
struct ReadPrompt {
  PromptText prompt;
  std::vector<TokenId> ids;
};
// A thought that the template opens in the prompt: the model has it, or it ends there and the answer begins.
enum class OpenedThought : std::uint8_t { kStays, kEnds };
// Throws as chatRequest().
ReadPrompt readPrompt(const Engine& engine, const Dialogue& dialogue,
                      OpenedThought thought = OpenedThought::kStays);

// `request` with the whole conversation as its prompt, as text and as ids, and the stop strings added. What a
// person or a model wrote is encoded as text, so that "<|im_end|>" in a message is no mark. A
// thought that the prompt opens ends there where the request has a grammar, which is about the answer.
// Nothing is cut: the engine rejects what is too long. Throws ChatRefusal; EngineError(kUnavailable) for a
// model without a tokenizer.
Request chatRequest(const Engine& engine, const Dialogue& dialogue, Request request);

// Which messages go first when a conversation is too long: the oldest, or those behind the first exchange.
enum class ChatCut : std::uint8_t { kOldest, kMiddle };

struct ChatPrompt {
  Request request;      // the prompt as text and as ids
  int forgotten = 0;    // messages that were left out
  int from = 0;         // the first of them
  int needed = 0;       // so many would have been enough for this turn alone
  int wholeTokens = 0;  // of the prompt with all messages
};

// The same, cut so that the rest of the context has room for an answer of request.maxTokens, or of a quarter
// of the context if that is less or there is no limit. A first system message and the newest message stay. Of
// the others, the oldest turns are left out whole, each from one message of the user up to the next, since
// templates refuse roles that do not alternate. They go by about a quarter of the context at a time, so that
// several turns in a row begin alike and find each other in the prefix cache. Where the KV pool is smaller
// than the context, maxTokens shrinks to what it holds. kMiddle keeps the first turn as well, as attention
// sinks keep the first tokens. Throws EngineError: kContextTooLong when the newest message leaves no room for
// a token of an answer; what chatRequest() throws.
ChatPrompt fittingChatRequest(const Engine& engine, const Dialogue& dialogue, const Request& request,
                              ChatCut cut = ChatCut::kOldest);

// Tokens that a prompt and its answer may have together, whatever else the pool holds.
int contextRoom(const EngineLoaded& machine, const Request& request);

}  // namespace vitrine
