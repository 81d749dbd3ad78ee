// ChatStream: the answer of a server of OpenAI's API to a chat that asks for a stream, as it comes
// (chat.completion.chunk).
//
// What servers add is read where it is there: the thought beside the answer (reasoning_content, or
// reasoning), ids of tokens, the prompt tokens that were cached. A server may send anything, and what is no
// chunk is an error. Reads bytes from outside: tests/fuzz/fuzz_chat_stream. Thread: a value. Read next:
// outside_run.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "connect/sse_reader.h"
#include "vitrine/events/requests.h"

namespace vitrine::connect {

// A token, or an alternative to one, as "logprobs" has it.
struct ChatToken {
  std::string text;  // its bytes, which may be a part of a character
  double logprob = 0;
  std::vector<ChatToken> alternatives = {};  // itself included, the most likely first; empty for one of them

  bool operator==(const ChatToken&) const = default;
};

struct ChatUsage {
  int promptTokens = 0, completionTokens = 0, cachedTokens = 0;

  bool operator==(const ChatUsage&) const = default;
};

struct ChatChunk {
  std::string thought, text;
  std::vector<ChatToken> tokens = {};  // of both; empty where the server tells none
  std::optional<FinishReason> end = {};
  std::optional<ChatUsage> usage = {};

  bool operator==(const ChatChunk&) const = default;
};

class ChatStream {
 public:
  // Adds the chunks that `bytes` bring to `chunks`, those that say nothing left out. Behind them it throws
  // EngineError: kFileCorrupt for bytes that are no chunk; kUnavailable with the server's words where it
  // tells of an error.
  void take(std::string_view bytes, std::vector<ChatChunk>& chunks);
  bool hasEnded() const { return m_hasEnded; }  // "[DONE]" came

 private:
  SseReader m_messages;
  bool m_hasEnded = false;
};

// The words of an answer in place of a stream: {"error": {"message": ...}} and what comes near; else the
// beginning of the text.
std::string errorWords(std::string_view body);

}  // namespace vitrine::connect
