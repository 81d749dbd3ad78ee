// AnswerGrammar: what the answers of one request may draw, where the request has a grammar.
//
// What may come next is a pure function of an answer's tokens: its GrammarPlace only spares reading them
// again. Grammars keeps what requests with the same grammar have in common.
//
// Thread: the engine's. Read next: grammar/grammar_guide.h, answer_sampler.h.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grammar/grammar_guide.h"
#include "sampling/allowed_tokens.h"
#include "vitrine/events/sampling.h"
#include "vitrine/request.h"

namespace vitrine {

// What comes behind an answer's tokens. kStuck: the text is not whole, and no token of the vocabulary goes
// on.
enum class GrammarEnd : std::uint8_t { kOpen, kWhole, kStuck };

class AnswerGrammar {
 public:
  // endTokens: those that may end an answer that is whole; none where the request ignores them.
  AnswerGrammar(std::shared_ptr<GrammarGuide> guide, std::vector<TokenId> endTokens)
      : m_guide(std::move(guide)), m_endTokens(std::move(endTokens)) {}

  // Whether the output, and `more` behind it, is a beginning of an answer that the grammar has.
  bool has(GrammarPlace& place, std::span<const TokenId> output, std::span<const TokenId> more = {}) const;
  // What may come behind them; good until the next call of any function.
  AllowedTokens allowed(GrammarPlace& place, std::span<const TokenId> output,
                        std::span<const TokenId> more = {}) const;
  // Whether anything may.
  GrammarEnd endOf(GrammarPlace& place, std::span<const TokenId> output,
                   std::span<const TokenId> more = {}) const;

  // The event of the token that is drawn behind them.
  GrammarMasked describe(GrammarPlace& place, std::span<const TokenId> output,
                         std::span<const TokenId> more) const;

 private:
  struct Spot {
    GrammarGuide::State state;
    std::size_t tokens;  // before it
  };
  Spot spotAfter(GrammarPlace& place, std::span<const TokenId> output, std::span<const TokenId> more) const;
  AllowedTokens allowedAt(const Spot& spot) const;

  std::shared_ptr<GrammarGuide> m_guide;
  std::vector<TokenId> m_endTokens;
};

class Grammars {
 public:
  // The tokenizer must outlive it; null: there is no text, so no grammar.
  Grammars(const Tokenizer* tokenizer, int vocabularySize, std::vector<TokenId> endTokens)
      : m_tokenizer(tokenizer), m_vocabularySize(vocabularySize), m_endTokens(std::move(endTokens)) {}

  // Null where the request has no grammar. Throws EngineError: kInvalidArgument (a wrong grammar, one of
  // which no token begins an answer, a forced beginning that it does not have), kUnavailable (no tokenizer).
  std::unique_ptr<AnswerGrammar> forRequest(const Request& request);

 private:
  struct Known {
    std::string key;
    std::shared_ptr<GrammarGuide> guide;
  };
  static constexpr std::size_t kMostKept = 8;  // grammars without a request

  std::shared_ptr<GrammarGuide> guideFor(const Request& request);

  const Tokenizer* const m_tokenizer;
  const int m_vocabularySize;
  const std::vector<TokenId> m_endTokens;
  std::shared_ptr<const TokenTrie> m_trie;  // made with the first grammar
  std::deque<Known> m_known;                // the last used first
};

}  // namespace vitrine
