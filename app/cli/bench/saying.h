// What a model says along given answers, and how far two of them say the same.
//
// Answers of two models are not compared: after one different token two texts have nothing in common. Along
// the same answer each model is asked for its logits after every token.
// Thread: the engine's. Read next: quantization.cpp.
#pragma once

#include <vector>

#include "vitrine/engine.h"

namespace vitrine::cli {

struct AnsweredPrompt {
  std::vector<TokenId> prompt, answer;
};

// Of all answers, a place for each of their tokens: the logits from which that token is drawn.
struct Saying {
  std::vector<std::vector<float>> logits;
  std::vector<double> normalizers;  // logit - normalizer is the token's log-probability
};
Saying sayingOf(Engine& engine, const std::vector<AnsweredPrompt>& texts);

// Over all places. Of a saying and itself: 0, 0, 0 and 1, exactly.
struct SayingDifference {
  double largest = 0, mean = 0;  // of a logit, as it is, without a sign
  double divergence = 0;         // Kullback-Leibler, nats a token
  double sameChoice = 0;         // the share of places with the same likeliest token
};
SayingDifference differenceOf(const Saying& from, const Saying& to);

double perplexityOf(const Saying& saying, const std::vector<AnsweredPrompt>& texts);

}  // namespace vitrine::cli
