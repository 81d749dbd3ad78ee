// Answers as OpenAI's API writes them: whole, in pieces of a stream, and their log probabilities.
//
// Thread: values. Read next: api_answer.h.
#pragma once

#include "server/api_plan.h"

namespace vitrine::server {

// One answer, as far as it is written. Without a reason at the end there is none: a grammar may leave a beam
// search fewer answers than were asked for.
struct ApiChoice {
  std::string text;
  std::vector<TokenId> tokens;
  std::vector<TokenLogprob> logprobs;
  std::optional<FinishReason> reason = {};
};

class ApiWriting {
 public:
  // The plan's form, with an id of its own ("chatcmpl-...") and the present time. The model must outlive it.
  ApiWriting(const ApiPlan& plan, const ServedModel& model);

  // {"id", "object", "created", "model", "choices", "usage"}
  std::string whole(const std::vector<ApiChoice>& choices, const ServedUsage& usage) const;

  // Chunks of a stream: one object each, or empty when there is nothing to say.
  std::string opening(int answer) const;  // of a chat: its role
  // `before`: characters of the answer's tokens before these, for "text_offset".
  std::string piece(const Written& written, std::size_t before) const;
  std::size_t charactersOf(const std::vector<TokenLogprob>& tokens) const;  // of a completion's
  std::string usage(const ServedUsage& usage) const;
  // Whether a text that begins with this token lacks the space that the token begins with.
  bool losesSpace(TokenId token) const;

 private:
  Json envelope(bool chunk, Json choices) const;
  std::string chunk(Json json) const;
  std::string textOfToken(TokenId token) const;
  Json logprobsOf(const std::vector<TokenLogprob>& list, std::size_t before) const;
  Json chatLogprobs(const std::vector<TokenLogprob>& list) const;
  Json completionLogprobs(const std::vector<TokenLogprob>& list, std::size_t before) const;

  const bool m_isChat, m_includesUsage, m_logprobs, m_tokenIds;
  const int m_topLogprobs;
  const ServedModel& m_model;
  std::string m_id;
  std::int64_t m_created = 0;
};

}  // namespace vitrine::server
