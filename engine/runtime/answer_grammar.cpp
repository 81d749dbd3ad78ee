#include "runtime/answer_grammar.h"

#include <algorithm>
#include <bit>

#include "grammar/request_grammar.h"
#include "vitrine/error.h"

namespace vitrine {
namespace {

constexpr int kMostExpected = 12;  // characters and ranges in an event

std::string keyOf(const Request& request) {
  std::string key = request.grammar + '\0' + request.regex + '\0' + request.jsonSchema;
  for (const std::string& text : request.choice) key += '\0' + text;
  return key;
}

bool isAny(const AllowedTokens& allowed) {
  return !allowed.also.empty() ||
         std::ranges::any_of(allowed.bits, [](std::uint64_t word) { return word != 0; });
}

}  // namespace

AnswerGrammar::Spot AnswerGrammar::spotAfter(GrammarPlace& place, std::span<const TokenId> output,
                                             std::span<const TokenId> more) const {
  Spot spot{m_guide->stateAfter(place, output), output.size()};
  for (const TokenId token : more) spot.state = m_guide->advance(spot.state, token, spot.tokens++);
  return spot;
}

AllowedTokens AnswerGrammar::allowedAt(const Spot& spot) const {
  AllowedTokens allowed{m_guide->allowed(spot.state, spot.tokens), {}};
  if (m_guide->mayEnd(spot.state)) allowed.also = m_endTokens;
  return allowed;
}

bool AnswerGrammar::has(GrammarPlace& place, std::span<const TokenId> output,
                        std::span<const TokenId> more) const {
  return spotAfter(place, output, more).state != GrammarMatcher::kDead;
}

AllowedTokens AnswerGrammar::allowed(GrammarPlace& place, std::span<const TokenId> output,
                                     std::span<const TokenId> more) const {
  return allowedAt(spotAfter(place, output, more));
}

GrammarEnd AnswerGrammar::endOf(GrammarPlace& place, std::span<const TokenId> output,
                                std::span<const TokenId> more) const {
  const Spot spot = spotAfter(place, output, more);
  if (!m_guide->isOver(spot.state) && isAny(allowedAt(spot))) return GrammarEnd::kOpen;
  return m_guide->mayEnd(spot.state) ? GrammarEnd::kWhole : GrammarEnd::kStuck;
}

GrammarMasked AnswerGrammar::describe(GrammarPlace& place, std::span<const TokenId> output,
                                      std::span<const TokenId> more) const {
  const Spot spot = spotAfter(place, output, more);
  const AllowedTokens allowed = allowedAt(spot);
  GrammarMasked masked;
  for (const std::uint64_t word : allowed.bits) masked.allowed += std::popcount(word);
  masked.allowed += static_cast<int>(allowed.also.size());
  masked.mayEnd = m_guide->mayEnd(spot.state);
  masked.rules = m_guide->matcher().rulesAt(spot.state);
  masked.expected = m_guide->matcher().expectedAt(spot.state, kMostExpected);
  return masked;
}

std::shared_ptr<GrammarGuide> Grammars::guideFor(const Request& request) {
  const std::string key = keyOf(request);
  const auto found = std::ranges::find(m_known, key, &Known::key);
  Known known = found != m_known.end() ? std::move(*found) : Known{key, nullptr};
  if (found != m_known.end()) m_known.erase(found);
  if (!known.guide) {
    const Grammar grammar = grammarOf(request);
    if (!m_trie) m_trie = std::make_shared<TokenTrie>(*m_tokenizer, m_vocabularySize, m_endTokens);
    known.guide = std::make_shared<GrammarGuide>(grammar, m_trie);
  }
  std::shared_ptr<GrammarGuide> guide = known.guide;
  m_known.push_front(std::move(known));
  if (m_known.size() > kMostKept) m_known.pop_back();
  return guide;
}

std::unique_ptr<AnswerGrammar> Grammars::forRequest(const Request& request) {
  if (!request.hasGrammar()) return nullptr;
  if (m_tokenizer == nullptr)
    throw EngineError(ErrorCode::kUnavailable,
                      "a grammar is about text, and the model's directory has no tokenizer",
                      "put the tokenizer's files beside the model, or ask without a grammar");
  auto grammar = std::make_unique<AnswerGrammar>(guideFor(request),
                                                 request.ignoreEos ? std::vector<TokenId>() : m_endTokens);
  GrammarPlace place;
  if (grammar->endOf(place, {}) != GrammarEnd::kOpen)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "no token of the model's vocabulary begins an answer that the grammar has",
                      "ask for a text that is not empty, in characters that the model can write");
  if (!grammar->has(place, request.outputIds))
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--output-ids is no beginning of an answer that the grammar has");
  if (!request.outputIds.empty() && grammar->endOf(place, request.outputIds) != GrammarEnd::kOpen)
    throw EngineError(ErrorCode::kInvalidArgument,
                      "--output-ids is a whole answer of the grammar, so that nothing may follow it",
                      "begin with fewer tokens");
  return grammar;
}

}  // namespace vitrine
