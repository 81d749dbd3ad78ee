#include "gui/machine/told_answers.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <utility>

#include "gui/machine/answer_query.h"

namespace vitrine {

namespace {

// A token that is told without a probability has none that could be shown.
double chanceOf(const TokenSampled& sampled) { return sampled.logprob > 0 ? 0 : std::exp(sampled.logprob); }

}  // namespace

void ToldAnswers::note(const Event& event) {
  if (const auto* candidates = bodyOf<TokenCandidates>(event)) m_next = *candidates;
  const auto* sampled = bodyOf<TokenSampled>(event);
  if (sampled != nullptr) m_answers[sampled->sequence].push_back({*sampled, std::exchange(m_next, {})});
}

SeenAnswer ToldAnswers::find(const AnswerQuery& query) const {
  const auto isIt = [&](const auto& answer) {
    return std::ranges::equal(answer.second, query.tokens, {},
                              [](const Token& one) { return one.sampled.token; });
  };
  const auto found = std::ranges::find_if(m_answers, isIt);
  return found == m_answers.end() ? SeenAnswer() : look(found->second, query);
}

SeenAnswer ToldAnswers::look(const Tokens& tokens, const AnswerQuery& query) {
  SeenAnswer seen;
  std::vector<std::string> texts;
  for (const Token& token : tokens) texts.push_back(token.sampled.text);
  seen.spans = tokenSpans(texts, query.shown);
  if (seen.spans.empty() || (!query.place && !query.byte)) return seen;
  const std::optional<int> place = query.place ? query.place : tokenAt(seen.spans, *query.byte);
  if (!place || *place < 0 || *place >= std::ssize(tokens)) return seen;
  const auto& [sampled, candidates] = tokens[static_cast<std::size_t>(*place)];
  seen.place = *place;
  const std::string text = sampled.text.empty() ? sampled.piece : sampled.text;
  seen.token = {sampled.token, chanceOf(sampled), text, sampled.text.empty()};
  if (candidates.stages.empty()) return seen;
  const std::vector<Candidate>& top = candidates.stages.front().top;
  for (std::size_t i = 0; i < top.size(); ++i)
    seen.likely.push_back({top[i].token, static_cast<double>(top[i].probability), candidates.pieces[i],
                           top[i].token == sampled.token && sampled.text.empty()});
  return seen;
}

}  // namespace vitrine
