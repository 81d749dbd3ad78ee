// Beam searches and best-of in the step: beams offer and choose in Sample, their tokens are appended in
// Commit like any other's, and where a request asked for the best of several answers, they are chosen at its
// end.
#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "runtime/engine_impl.h"

namespace vitrine {

std::unique_ptr<BeamGroup> EngineImpl::beamGroup(const Request& request, Answer& first) const {
  const std::vector<TokenId> endTokens = request.ignoreEos ? std::vector<TokenId>() : m_eosTokens;
  const int maxTokens = std::min(request.maxTokens, m_config.contextLength - first.sequence.promptTokens);
  return std::make_unique<BeamGroup>(
      BeamOptions{request.beamWidth, request.lengthPenalty, request.earlyStopping,
                  static_cast<int>(endTokens.size()), maxTokens},
      endTokens, first);
}

void EngineImpl::offer(const Answer& beam, std::span<const float> logits) {
  RequestRecord& owner = beam.record;
  const std::span<const TokenId> tokens = beam.sequence.tokens;
  const auto promptTokens = static_cast<std::size_t>(beam.sequence.promptTokens);
  BeamGroup::TopLogprobs top;
  if (owner.request.logprobs > 0) top = Sampler::topLogprobs(logits, owner.request.logprobs);
  owner.beams->offer(
      beam,
      m_ranker.best(
          {logits, {tokens.first(promptTokens), tokens.subspan(promptTokens)}, owner.request.sampling},
          owner.beams->continuationsPerBeam()),
      std::move(top));
  if (std::ranges::find(m_offered, &owner) == m_offered.end()) m_offered.push_back(&owner);
}

void EngineImpl::chooseBeams(RequestRecord& owner) {
  BeamGroup::Choice choice = owner.beams->choose(owner.answers);
  if (m_tokenizer)
    for (BeamCandidate& candidate : choice.event.candidates) candidate.piece = textOf(candidate.token);
  const bool ended = choice.event.end != BeamEnd::kNone;
  m_events.publish(std::move(choice.event));
  if (ended) m_ended.push_back(&owner);

  std::vector<Answer*> beams;
  for (BeamGroup::Child& child : choice.children) {
    Answer& answer =
        child.answer != nullptr ? *child.answer : fork(*child.parent, static_cast<int>(owner.answers.size()));
    if (child.answer != nullptr && child.answer != child.parent) {
      TextStream stream = child.parent->stream;
      SequenceResult result = child.parent->result;
      m_scheduler.replace(child.parent->sequence, answer.sequence);
      answer.stream = std::move(stream);
      answer.result = std::move(result);
    }
    beams.push_back(&answer);
    m_drawn.push_back({&answer, {child.token, child.modelLogprob}, std::move(child.top)});
  }
  owner.beams->setBeams(std::move(beams));
}

// The best hypotheses take the place of whatever the first sequences were at last.
void EngineImpl::finishBeams(RequestRecord& owner) {
  const std::vector<BeamGroup::Hypothesis>& best = owner.beams->hypotheses();
  const auto wanted = std::min(static_cast<std::size_t>(owner.request.sequences), best.size());
  VITRINE_CHECK(wanted > 0);
  while (owner.answers.size() < wanted)  // a search may end before it had so many beams
    fork(*owner.answers.front(), static_cast<int>(owner.answers.size()));
  for (std::size_t i = 0; i < wanted; ++i) {
    Answer& answer = *owner.answers[i];
    Sequence& sequence = answer.sequence;
    std::vector<TokenId> tokens(sequence.tokens.begin(), sequence.tokens.begin() + sequence.promptTokens);
    tokens.insert(tokens.end(), best[i].tokens.begin(), best[i].tokens.end());
    TextStream stream = best[i].stream;
    SequenceResult result = best[i].result;
    BeamChosen chosen{sequence.id, best[i].number, best[i].tokens, stream.text(), result.score};
    sequence.tokens = std::move(tokens);
    sequence.computedTokens = std::min(sequence.computedTokens, sequence.totalTokens());
    sequence.cachedTokens = std::min(sequence.cachedTokens, sequence.totalTokens());
    answer.stream = std::move(stream);
    answer.result = std::move(result);
    m_events.publish(std::move(chosen));
  }
  if (owner.firstTokenNs < 0) owner.firstTokenNs = m_events.nowNs();
  for (std::size_t i = 0; i < owner.answers.size(); ++i)
    m_scheduler.finish(owner.answers[i]->sequence, i < wanted ? best[i].reason : FinishReason::kPruned);
  endRequest(owner, best.front().reason);
}

double EngineImpl::scoreOf(const Answer& answer) const {
  const double length = std::max(answer.sequence.outputTokens(), 1);
  return answer.result.cumulativeLogprob / std::pow(length, answer.record.request.lengthPenalty);
}

// Best-of: all answers by score, the earlier drawn first on a tie.
void EngineImpl::rankAnswers(RequestRecord& owner) {
  AnswersRanked ranked{owner.id, {}};
  for (const auto& answer : owner.answers)
    ranked.answers.push_back({answer->sequence.id, scoreOf(*answer), false});
  std::ranges::stable_sort(ranked.answers, std::ranges::greater(), &RankedAnswer::score);
  const auto chosen = std::min(ranked.answers.size(), static_cast<std::size_t>(owner.request.sequences));
  for (RankedAnswer& answer : std::span(ranked.answers).first(chosen)) answer.chosen = true;
  for (const auto& answer : owner.answers) answer->result.score = scoreOf(*answer);
  m_events.publish(std::move(ranked));
}

// The answers to hand over and their scores, in their order.
std::vector<std::pair<const Answer*, double>> EngineImpl::answersToGive(const RequestRecord& owner) const {
  std::vector<std::pair<const Answer*, double>> answers;
  if (owner.beams) answers = owner.beams->unfinished();
  if (answers.empty())
    for (const auto& answer : owner.answers)
      answers.emplace_back(answer.get(), owner.beams ? answer->result.score : scoreOf(*answer));
  if (owner.request.bestOf > owner.request.sequences)
    std::ranges::stable_sort(answers, std::ranges::greater(), &std::pair<const Answer*, double>::second);
  const auto wanted = static_cast<std::size_t>(owner.request.sequences);
  if (answers.size() > wanted) answers.resize(wanted);
  return answers;
}

}  // namespace vitrine
