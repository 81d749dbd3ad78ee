#include "bench/saying.h"

#include <algorithm>
#include <cmath>

namespace vitrine::cli {
namespace {

double normalizerOf(const std::vector<float>& logits) {
  const double most = *std::ranges::max_element(logits);
  double sum = 0;
  for (const float logit : logits) sum += std::exp(logit - most);
  return most + std::log(sum);
}

auto likeliest(const std::vector<float>& logits) { return std::ranges::max_element(logits) - logits.begin(); }

}  // namespace

Saying sayingOf(Engine& engine, const std::vector<AnsweredPrompt>& texts) {
  Saying saying;
  for (const auto& [prompt, answer] : texts) {
    std::vector<TokenId> tokens = prompt;
    tokens.insert(tokens.end(), answer.begin(), answer.end());
    tokens.pop_back();  // what follows the last token is not compared
    std::vector<std::vector<float>> all = engine.examine(tokens, false).logits;
    for (auto logits = all.end() - static_cast<std::ptrdiff_t>(answer.size()); logits != all.end();
         ++logits) {
      saying.normalizers.push_back(normalizerOf(*logits));
      saying.logits.push_back(std::move(*logits));
    }
  }
  return saying;
}

SayingDifference differenceOf(const Saying& from, const Saying& to) {
  SayingDifference difference;
  std::size_t same = 0, logits = 0;
  for (std::size_t place = 0; place < from.logits.size(); ++place) {
    const std::vector<float>&as = from.logits[place], &is = to.logits[place];
    double divergence = 0;
    for (std::size_t i = 0; i < as.size(); ++i) {
      const double off = std::abs(double{as[i]} - double{is[i]});
      difference.largest = std::max(difference.largest, off);
      difference.mean += off;
      const double was = double{as[i]} - from.normalizers[place];
      divergence += std::exp(was) * (was - (double{is[i]} - to.normalizers[place]));
    }
    difference.divergence += std::max(divergence, 0.0);  // never negative, but for rounding
    logits += as.size();
    same += likeliest(as) == likeliest(is) ? 1 : 0;
  }
  const auto places = static_cast<double>(from.logits.size());
  difference.mean /= static_cast<double>(logits);
  difference.divergence /= places;
  difference.sameChoice = static_cast<double>(same) / places;
  return difference;
}

double perplexityOf(const Saying& saying, const std::vector<AnsweredPrompt>& texts) {
  double likelihood = 0;
  std::size_t place = 0;
  for (const AnsweredPrompt& text : texts)
    for (const TokenId token : text.answer) {
      likelihood += double{saying.logits[place][static_cast<std::size_t>(token)]} - saying.normalizers[place];
      ++place;
    }
  return std::exp(-likelihood / static_cast<double>(place));
}

}  // namespace vitrine::cli
