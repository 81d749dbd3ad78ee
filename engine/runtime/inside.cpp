// Engine::lookInside(): a forward of its own, opened.
#include "vitrine/inside.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "runtime/engine_impl.h"
#include "runtime/inside_look.h"
#include "vitrine/token_text.h"

namespace vitrine {
namespace {

void requireSense(const InsideOptions& options, const ModelConfig& config, int tokens) {
  const auto isOutside = [](int value, int least, int end) { return value < least || value >= end; };
  if (options.exitTop < 0 || isOutside(options.exitsFrom, 0, tokens) ||
      isOutside(options.attentionFrom, 0, tokens))
    throw EngineError(ErrorCode::kInvalidArgument, "there is no such token to look at",
                      "name positions from 0 to " + std::to_string(tokens - 1));
  if (isOutside(options.layer, -1, config.layers) || isOutside(options.head, -1, config.heads))
    throw EngineError(ErrorCode::kInvalidArgument, "the model has no such layer or head",
                      "it has " + std::to_string(config.layers) + " layers with " +
                          std::to_string(config.heads) + " heads each, counted from 0");
}

}  // namespace

InsideReport EngineImpl::lookInside(std::span<const TokenId> tokens, const InsideOptions& options,
                                    const Progress& progress) {
  m_checks.requireExaminable(tokens);
  const int count = static_cast<int>(tokens.size());
  requireSense(options, m_runner.decoder().config(), count);
  InsideLook look(m_runner, options, count);
  const auto passed = [&](int done, int of) {
    if (progress && !progress(static_cast<double>(done) / of, "layers"))
      throw EngineError(ErrorCode::kCancelled, "looking inside was cancelled");
  };
  m_runner.observeAlone(tokens, m_options.tokenBudget, look.layers(), look.observer(passed));
  InsideReport report = look.take();
  if (!m_tokenizer) return report;
  std::set<TokenId> said;
  for (const auto& exit : report.exits)
    for (const auto& guesses : exit)
      for (const ExitGuess& guess : guesses) said.insert(guess.token);
  for (const TokenId token : said) report.pieces.emplace_back(token, tokenText(*m_tokenizer, token));
  return report;
}

std::vector<double> largestDifferences(const InsideReport& a, const InsideReport& b) {
  std::vector<double> largest;
  for (std::size_t layer = 0; layer < std::min(a.hidden.size(), b.hidden.size()); ++layer) {
    const std::vector<float>&one = a.hidden[layer], &other = b.hidden[layer];
    if (one.size() != other.size()) return {};
    double most = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
      most = std::max(most, std::abs(double{one[i]} - double{other[i]}));
    largest.push_back(most);
  }
  return largest;
}

}  // namespace vitrine
