// Sampler: a chain of named stages from logits to a token. It has no state: the same logits, history, options
// and draw give the same token anywhere.
//
// logits → penalties → temperature → top_k → top_p → min_p → draw, with Hugging Face's meaning of each stage.
// Ties: greedy and the draw order equal logits by the smaller id. Logits that are NaN are treated as -inf;
// when nothing finite is left the smallest id is drawn, so that broken weights cannot crash a server. Thread:
// one sampler (it owns scratch memory), one thread. Read next: sampler.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

// Where the random number comes from (core/philox.h).
struct DrawKey {
  std::uint64_t seed;
  std::uint32_t sequence, position;
};

struct SampledToken {
  TokenId token = 0;
  double logprob = 0;  // log softmax of the raw logits at token
};

class Sampler {
 public:
  // logits [vocabulary]; prompt and output are the sequence's tokens so far. When `stages` is given it
  // receives every stage's distribution, at most `candidates` of each (0: all that are left).
  SampledToken sample(std::span<const float> logits, std::span<const TokenId> prompt,
                      std::span<const TokenId> output, const SamplingOptions& options, DrawKey key,
                      std::vector<SamplingStage>* stages = nullptr, int candidates = 0);

  // The stages alone, nothing drawn.
  std::vector<SamplingStage> distribution(std::span<const float> logits, std::span<const TokenId> prompt,
                                          std::span<const TokenId> output, const SamplingOptions& options,
                                          int candidates = 0);

  // What sample() would draw from, as probabilities [vocabulary] after all stages; `stages` as there.
  void probabilities(std::span<const float> logits, std::span<const TokenId> prompt,
                     std::span<const TokenId> output, const SamplingOptions& options,
                     std::vector<double>& out, std::vector<SamplingStage>* stages = nullptr,
                     int candidates = 0);

  // The token sample() gives at temperature 0.
  TokenId mostLikelyToken(std::span<const float> logits, std::span<const TokenId> prompt,
                          std::span<const TokenId> output, const SamplingOptions& options);

  static double logprobOf(std::span<const float> logits, TokenId token);  // log softmax of the raw logits

  // The most likely tokens of the raw logits with their logprobs, most likely first.
  static std::vector<std::pair<TokenId, double>> topLogprobs(std::span<const float> logits, int count);

 private:
  struct Entry {
    float logit;
    TokenId token;
  };
  struct Recorder;  // keeps the stages, when they are wanted
  std::span<const float> penalise(std::span<const float> logits, std::span<const TokenId> prompt,
                                  std::span<const TokenId> output, const SamplingOptions& options);
  void applyChain(std::span<const float> logits, std::span<const TokenId> prompt,
                  std::span<const TokenId> output, const SamplingOptions& options, const Recorder& record);
  void fill(std::span<const float> logits);
  void setScale(std::span<const float> logits, float scale);
  void keepMostLikely();
  void keepTopK(int k);
  void keepTopP(double p);
  void keepMinP(double p);
  void order(std::size_t count);
  double weight(const Entry& entry) const;
  TokenId draw(double uniform);

  std::vector<Entry> m_entries;  // what is left; the first m_ordered are the most likely, in order
  std::size_t m_ordered = 0;
  bool m_even = false;           // broken logits: every entry weighs the same
  float m_max = 0, m_scale = 1;  // an entry's weight is exp((logit - m_max) * m_scale)
  double m_total = 0;            // sum of the entries' weights
  std::vector<float> m_logits;   // penalised
  std::vector<int> m_counts;     // of each token in the output; all zero between calls
};

}  // namespace vitrine
