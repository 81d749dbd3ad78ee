// A turn of a chat as the body of POST /v1/chat/completions, which asks for a stream, the probabilities of
// its tokens and their count. A sampling option at its neutral value is left out, and so is one that the
// server does not know; unsentOptions() names those. Thread: any. Read next: server_kind.h, chat_stream.h.
#pragma once

#include <string>
#include <vector>

#include "connect/server_kind.h"
#include "vitrine/chat_format.h"
#include "vitrine/request.h"

namespace vitrine::connect {

struct ChatAsked {
  const Dialogue& dialogue;
  const Request& request;    // its prompt is not read
  const std::string& model;  // as the server lists it
  ServerKind kind = ServerKind::kUnknown;
  int alternatives = 0;  // of each token; -1: no probabilities are asked for
};

// Throws EngineError(kUnsupported) for a request of which the answer would be another one without what cannot
// be said: several answers, a search, a given beginning, a grammar.
std::string chatBody(const ChatAsked& asked);

// The keys of option_schema.h of those sampling options that are not neutral and cannot be said.
std::vector<std::string> unsentOptions(const SamplingOptions& sampling, ServerKind kind);

}  // namespace vitrine::connect
