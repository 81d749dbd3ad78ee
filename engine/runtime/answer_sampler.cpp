#include "runtime/answer_sampler.h"

#include <algorithm>

#include "sampling/softmax.h"
#include "text/utf8.h"
#include "vitrine/token_text.h"

namespace vitrine {
namespace {

SamplerInput inputOf(const Answer& answer, const LogitsRow& logits, std::span<const TokenId> accepted,
                     const AllowedTokens* allowed) {
  const std::span<const TokenId> tokens = answer.sequence.tokens;
  const auto promptTokens = static_cast<std::size_t>(answer.sequence.promptTokens);
  return {logits,
          {tokens.first(promptTokens), answer.output(), accepted},
          answer.record.request.sampling,
          allowed};
}

}  // namespace

RowWish AnswerSampler::wishFor(const Answer& answer) const {
  const Request& request = answer.record.request;
  RowWish wish = wishOf(request.sampling);
  if (answer.record.grammar || m_candidates > 0 || m_measuresEntropy || wish.isWhole() ||
      request.logprobs > kMostDigestCandidates)
    return RowWish::whole();
  wish.candidates = std::max(wish.candidates, request.logprobs);
  return wish;
}

// Published before the token is drawn, since the grammar comes before the other stages.
const AllowedTokens* AnswerSampler::allowedFor(Answer& answer, std::span<const TokenId> accepted) {
  if (!answer.record.grammar) return nullptr;
  const std::span<const TokenId> output = answer.output();
  m_masked = answer.record.grammar->describe(answer.grammar, output, accepted);
  m_masked.sequence = answer.sequence.id;
  m_masked.position = static_cast<int>(answer.sequence.tokens.size() + accepted.size());
  m_events.publish(m_masked);
  m_allowed = answer.record.grammar->allowed(answer.grammar, output, accepted);
  return &m_allowed;
}

TokenId AnswerSampler::draw(Answer& answer, const LogitsRow& logits, std::span<const TokenId> accepted) {
  const SamplerInput input = inputOf(answer, logits, accepted, allowedFor(answer, accepted));
  const std::size_t position = input.history.size();
  const DrawKey key{answer.record.seed, static_cast<std::uint32_t>(answer.sequence.index),
                    static_cast<std::uint32_t>(position)};
  const SampledToken token = m_sampler.sample(input, key, record());
  keep(answer, logits, static_cast<int>(position), token);
  return token.token;
}

std::span<const double> AnswerSampler::probabilities(Answer& answer, std::span<const float> logits,
                                                     std::span<const TokenId> accepted) {
  m_probabilities.resize(logits.size());
  m_sampler.probabilities(inputOf(answer, logits, accepted, allowedFor(answer, accepted)), m_probabilities,
                          record());
  return m_probabilities;
}

void AnswerSampler::keep(Answer& answer, const LogitsRow& logits, int position, SampledToken token) {
  DrawnToken drawn{&answer, token, {}};
  if (m_measuresEntropy) drawn.entropy = static_cast<float>(entropyBits(logits.whole()));
  const int wanted = answer.record.request.logprobs;
  if (wanted > 0) drawn.top = Sampler::topLogprobs(logits, wanted);
  if (m_candidates > 0) publishCandidates(answer, position, token.token);
  m_drawn.push_back(std::move(drawn));
}

void AnswerSampler::publishCandidates(const Answer& answer, int position, TokenId chosen) {
  TokenCandidates candidates{answer.sequence.id, position, chosen, m_stages, {}};
  if (answer.record.grammar) {
    candidates.rules = m_masked.rules;
    candidates.expected = m_masked.expected;
  }
  if (m_tokenizer && !m_stages.empty()) {
    for (const Candidate& candidate : m_stages.front().top)
      candidates.pieces.push_back(tokenText(*m_tokenizer, candidate.token));
  }
  m_events.publish(std::move(candidates));
}

std::string AnswerSampler::wholePiece(TokenId token) const {
  std::string piece = m_tokenizer ? tokenText(*m_tokenizer, token) : std::string();
  return utf8::isValid(piece) ? piece : std::string();
}

GrammarEnd AnswerSampler::grammarEnd(Answer& answer, std::span<const TokenId> more) {
  if (!answer.record.grammar) return GrammarEnd::kOpen;
  return answer.record.grammar->endOf(answer.grammar, answer.output(), more);
}

bool AnswerSampler::endsAnswer(const Answer& answer, TokenId token) const {
  return !answer.record.request.ignoreEos && std::ranges::find(m_endTokens, token) != m_endTokens.end();
}

}  // namespace vitrine
