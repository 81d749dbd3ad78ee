#include "runtime/beam_group.h"

#include <algorithm>
#include <set>

#include "core/check.h"
#include "runtime/answer_sampler.h"

namespace vitrine {

BeamGroup::BeamGroup(const BeamOptions& options, std::vector<TokenId> endTokens, Answer& first)
    : m_search(options), m_endTokens(std::move(endTokens)), m_beams{&first} {}

void BeamGroup::offer(const Answer& beam, std::vector<Continuation> continuations, TopLogprobs top) {
  m_offers[&beam] = {std::move(continuations), std::move(top)};
}

std::vector<Answer*> BeamGroup::expected() const {
  std::vector<Answer*> beams;
  for (Answer* beam : m_beams)
    if (const auto offer = m_offers.find(beam); offer != m_offers.end() && offer->second.expected)
      beams.push_back(beam);
  return beams;
}

// The step lists more continuations than can be kept, so those it does not list have no part in the choice.
void BeamGroup::offerAs(const BeamStep& step) {
  for (const Answer* beam : m_beams) m_offers[beam] = {};
  bool offered = false;
  for (const BeamCandidate& one : step.candidates) {
    const auto parent =
        std::ranges::find(m_beams, one.parent, [](const Answer* beam) { return beam->sequence.id; });
    if (parent == m_beams.end()) continue;
    m_offers[*parent].continuations.push_back({one.token, one.logprob, one.modelLogprob});
    offered = true;
  }
  if (!offered) throw EngineError(ErrorCode::kFileCorrupt, "a recorded step of a beam search is empty");
}

// An offer made before a preemption stays valid: computing the beam again gives the same one.
bool BeamGroup::isReady(std::span<const std::unique_ptr<Answer>> answers) const {
  const auto runs = [](const auto& answer) { return answer->sequence.status == SequenceStatus::kRunning; };
  return std::ranges::all_of(answers, runs) && std::ranges::all_of(m_beams, [&](const Answer* beam) {
           return beam->sequence.remainingTokens() == 0 && m_offers.contains(beam);
         });
}

bool BeamGroup::isEnd(TokenId token) const {
  return std::ranges::find(m_endTokens, token) != m_endTokens.end();
}

bool BeamGroup::completes(Answer& beam, TokenId token) const {
  const GrammarEnd end = AnswerSampler::grammarEnd(beam, std::span(&token, 1));
  if (isEnd(token) || end != GrammarEnd::kOpen) return true;
  if (!beam.stream.hasStopStrings()) return false;
  TextStream stream = beam.stream;
  stream.push(token);
  return stream.stopped();
}

void BeamGroup::addHypothesis(const RankedContinuation& candidate, const Offer& offer) {
  Answer& beam = *m_beams[static_cast<std::size_t>(candidate.beam)];
  const TokenId token = candidate.next.token;
  Hypothesis one{candidate.hypothesis, FinishReason::kStop, {}, beam.stream, beam.result};
  const std::span<const TokenId> output = beam.output();
  one.tokens.assign(output.begin(), output.end());
  one.tokens.push_back(token);
  const bool end = isEnd(token);
  if (!end) one.stream.push(token);
  const bool whole = AnswerSampler::grammarEnd(beam, std::span(&token, 1)) == GrammarEnd::kWhole;
  if (!end && !whole && !one.stream.stopped()) one.reason = FinishReason::kLength;
  one.stream.finish();
  one.endsSilently = one.stream.text().size() == beam.stream.text().size();
  one.result.cumulativeLogprob += candidate.next.modelLogprob;
  one.result.score = candidate.score;
  if (!offer.top.empty()) one.result.logprobs.push_back({token, candidate.next.modelLogprob, offer.top});
  const auto place = std::ranges::find_if(
      m_hypotheses, [&](const Hypothesis& other) { return other.result.score < candidate.score; });
  m_hypotheses.insert(place, std::move(one));
}

// The best continuation of a beam stays in the beam's sequence, so that no block changes its holder.
std::vector<BeamGroup::Child> BeamGroup::assignChildren(
    const BeamSelection& selection, const std::vector<Offer>& offers,
    std::span<const std::unique_ptr<Answer>> answers) const {
  std::vector<Child> children;
  std::set<const Answer*> taken;
  for (const RankedContinuation& candidate : selection.ranked) {
    if (candidate.fate != BeamFate::kKept) continue;
    Answer* parent = m_beams[static_cast<std::size_t>(candidate.beam)];
    const bool first = taken.insert(parent).second;
    children.push_back({parent, first ? parent : nullptr, candidate.next.token, candidate.next.modelLogprob,
                        offers[static_cast<std::size_t>(candidate.beam)].top});
  }
  std::vector<Answer*> free;
  for (const auto& answer : answers)
    if (!taken.contains(answer.get())) free.push_back(answer.get());
  auto next = free.begin();
  for (Child& child : children)
    if (child.answer == nullptr && next != free.end()) child.answer = *next++;
  return children;
}

BeamGroup::Choice BeamGroup::choose(std::span<const std::unique_ptr<Answer>> answers) {
  VITRINE_CHECK(isReady(answers));
  std::vector<Offer> offers;
  std::vector<std::vector<Continuation>> continuations;
  for (const Answer* beam : m_beams) {
    offers.push_back(std::move(m_offers[beam]));
    continuations.push_back(std::move(offers.back().continuations));
  }
  m_offers.clear();
  const BeamSelection selection = m_search.step(continuations, [&](int beam, TokenId token) {
    return completes(*m_beams[static_cast<std::size_t>(beam)], token);
  });
  for (int number : selection.displaced)
    std::erase_if(m_hypotheses, [&](const Hypothesis& one) { return one.number == number; });
  for (const RankedContinuation& candidate : selection.ranked)
    if (candidate.fate == BeamFate::kFinished)
      addHypothesis(candidate, offers[static_cast<std::size_t>(candidate.beam)]);

  std::vector<Child> children = assignChildren(selection, offers, answers);
  BeamStep event = eventOf(selection, children, answers);
  return {std::move(event), std::move(children)};
}

// Children that no answer carries yet are forked in their order, so their sequences' ids are known.
BeamStep BeamGroup::eventOf(const BeamSelection& selection, std::span<const Child> children,
                            std::span<const std::unique_ptr<Answer>> answers) const {
  const Sequence& first = answers.front()->sequence;
  BeamStep event{first.request,
                 m_search.length(),
                 {},
                 selection.displaced,
                 static_cast<int>(m_hypotheses.size()),
                 selection.bestPossible,
                 m_hypotheses.empty() ? 0 : m_hypotheses.back().result.score,
                 selection.end};
  SequenceId forked = first.id + static_cast<SequenceId>(answers.size());
  auto child = children.begin();
  for (const RankedContinuation& one : selection.ranked) {
    SequenceId carries = 0;
    if (one.fate == BeamFate::kKept) {
      carries = child->answer != nullptr ? child->answer->sequence.id : forked++;
      ++child;
    }
    event.candidates.push_back({m_beams[static_cast<std::size_t>(one.beam)]->sequence.id,
                                one.next.token,
                                {},
                                one.next.logprob,
                                one.cumulative,
                                one.score,
                                one.fate,
                                carries,
                                one.hypothesis,
                                one.next.modelLogprob});
  }
  return event;
}

std::vector<std::pair<const Answer*, double>> BeamGroup::unfinished() const {
  std::vector<std::pair<const Answer*, double>> answers;
  for (std::size_t i = 0; i < m_search.beams().size(); ++i)
    answers.emplace_back(m_beams[i], m_search.score(m_search.beams()[i], m_search.length()));
  return answers;
}

void BeamGroup::describe(RequestState& state) const {
  for (const Hypothesis& one : m_hypotheses) state.hypotheses.push_back({one.number, one.result.score});
  if (m_search.length() == 0) return;
  for (std::size_t i = 0; i < m_search.beams().size(); ++i)
    state.beams.push_back({m_beams[i]->sequence.id, m_search.beams()[i]});
}

}  // namespace vitrine
