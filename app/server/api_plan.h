// A request body of OpenAI's API as the engine takes it: the prompts with their options, and the form of the
// answer.
//
// A field that would change the answer and is not understood is refused, never passed over; a field that
// changes nothing (a user's name) is. null counts as absent. README.md lists the fields. Thread: pure
// functions. Read next: api_server.h.
#pragma once

#include <vector>

#include "server/api_error.h"
#include "server/served.h"

namespace vitrine::server {

enum class ApiKind { kCompletion, kChat };

inline constexpr int kMostPrompts = 64;            // of one completion
inline constexpr int kMostTopLogprobs = 20;        // as OpenAI's chat
inline constexpr int kMostStops = 16;              // strings
inline constexpr std::size_t kLongestStop = 1024;  // bytes of each

struct ApiPlan {
  ApiKind kind = ApiKind::kChat;
  std::vector<RequestArguments> prompts;  // checked; each with as many answers
  bool streams = false, includesUsage = false;
  bool logprobs = false;  // and of so many alternatives for each token
  int topLogprobs = 0;
  bool tokenIds = false;  // vLLM's return_token_ids

  bool searches() const { return prompts.front().request.searches(); }
  int answersOfEach() const { return prompts.front().request.sequences; }
  int answers() const { return static_cast<int>(prompts.size()) * answersOfEach(); }
};

// Throws ApiError: 400 naming the field, 404 for another model.
ApiPlan planOf(ApiKind kind, const Json& body, const ServedModel& model);

// The body of a request as an object. Throws ApiError(400) for what JSON's reader refuses: no JSON, nesting
// deeper than 32, an object with more than 256 members, a key given twice, bytes that are not UTF-8.
Json jsonBodyOf(const HttpRequest& request);
// The same of a text without headers: a message of a WebSocket.
Json jsonObjectIn(std::string_view text);

// What /tokenize encodes: {"prompt", "add_special_tokens"} or {"messages"}. Throws as planOf().
RequestArguments promptToEncode(const Json& body, const ServedModel& model);
// What /detokenize decodes: {"tokens"}. Throws as planOf().
std::vector<TokenId> tokensToDecode(const Json& body, const ServedModel& model);
// What /v1/steer asks: {"do"}. Throws ApiError(400) naming the field.
Steering steeringOf(const Json& body);

}  // namespace vitrine::server
