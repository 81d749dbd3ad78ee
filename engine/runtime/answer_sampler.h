// AnswerSampler: chooses the next tokens of answers in the Sample phase, and keeps them until Commit.
//
// Invariant: the tokens of one answer stand together, in order. Events: GrammarMasked, where the request has
// a grammar; TokenCandidates, when candidates are wanted. Thread: the engine's. Read next:
// sampling/sampler.h, speculator.h.
#pragma once

#include <span>
#include <vector>

#include "core/event_stream.h"
#include "runtime/request_record.h"
#include "sampling/sampler.h"

namespace vitrine {

struct DrawnToken {
  Answer* answer;
  SampledToken token;
  std::vector<std::pair<TokenId, double>> top;  // alternatives with logprobs, when the request asks for them
  float entropy = -1;                           // as in TokenSampled
};

class AnswerSampler {
 public:
  // The tokenizer (null: none) and the stream must outlive the sampler.
  AnswerSampler(std::vector<TokenId> endTokens, const Tokenizer* tokenizer, EventStream& events)
      : m_endTokens(std::move(endTokens)), m_tokenizer(tokenizer), m_events(events) {}

  void beginStep() { m_drawn.clear(); }
  // How many candidates of each stage to publish; 0: none.
  void setCandidates(int candidates) { m_candidates = candidates; }
  void setEntropy(bool measured) { m_measuresEntropy = measured; }

  // What draw() will need of the answer's row of logits.
  RowWish wishFor(const Answer& answer) const;
  // Draws and keeps the token after the answer's own tokens and those accepted of its draft. logits
  // [vocabulary]. Publishes TokenCandidates.
  TokenId draw(Answer& answer, const LogitsRow& logits, std::span<const TokenId> accepted = {});

  // The probability of a token in what the last draw() drew from. Requires a temperature above 0.
  double probabilityOf(TokenId token) { return m_sampler.probabilityOf(token); }

  // The probabilities [vocabulary] that draw() would draw from; good until the next call. The stages stay
  // recorded for the next keep().
  std::span<const double> probabilities(Answer& answer, std::span<const float> logits,
                                        std::span<const TokenId> accepted);
  // Keeps a token that was chosen elsewhere for this position. Publishes TokenCandidates.
  void keep(Answer& answer, const LogitsRow& logits, int position, SampledToken token);
  // Keeps the next token of a beam, or one that a recording has; publishes nothing.
  void keepKnown(DrawnToken token) { m_drawn.push_back(std::move(token)); }

  std::span<DrawnToken> drawn() { return m_drawn; }  // of this step

  // Whether the answer ends with this token; never when its request ignores the end.
  bool endsAnswer(const Answer& answer, TokenId token) const;
  // What the request's grammar has behind these tokens; without one, anything. Where it has nothing, the
  // answer ends with them.
  static GrammarEnd grammarEnd(Answer& answer, std::span<const TokenId> more);
  // The token as text; empty without a tokenizer, and for a part of a character.
  std::string wholePiece(TokenId token) const;
  const std::vector<TokenId>& endTokens() const { return m_endTokens; }

 private:
  StageRecord record() { return {m_candidates > 0 ? &m_stages : nullptr, m_candidates}; }
  // Null without a grammar. Publishes GrammarMasked.
  const AllowedTokens* allowedFor(Answer& answer, std::span<const TokenId> accepted);
  void publishCandidates(const Answer& answer, int position, TokenId chosen);

  const std::vector<TokenId> m_endTokens;
  const Tokenizer* const m_tokenizer;
  EventStream& m_events;
  Sampler m_sampler;
  int m_candidates = 0;
  bool m_measuresEntropy = false;
  AllowedTokens m_allowed;
  GrammarMasked m_masked;  // of the last draw in a request with a grammar
  std::vector<SamplingStage> m_stages;
  std::vector<double> m_probabilities;
  std::vector<DrawnToken> m_drawn;
};

}  // namespace vitrine
