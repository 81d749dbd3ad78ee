#include "runtime/beam_searches.h"

#include <algorithm>

#include "core/check.h"
#include "vitrine/token_text.h"

namespace vitrine {

std::unique_ptr<BeamGroup> BeamSearches::begin(const Request& request, Answer& first,
                                               int contextLength) const {
  const std::vector<TokenId> endTokens = request.ignoreEos ? std::vector<TokenId>() : m_sampler.endTokens();
  const int maxTokens = std::min(request.maxTokens, contextLength - first.sequence.promptTokens);
  return std::make_unique<BeamGroup>(
      BeamOptions{request.beamWidth, request.lengthPenalty, request.earlyStopping,
                  static_cast<int>(endTokens.size()), maxTokens},
      endTokens, first);
}

void BeamSearches::beginStep() {
  m_offered.clear();
  m_ended.clear();
}

void BeamSearches::offer(Answer& beam, std::span<const float> logits) {
  offerExpected(beam, logits);
  noteOffer(beam.record);
}

void BeamSearches::expectOffer(const Answer& beam) {
  beam.record.beams->expectOffer(beam);
  noteOffer(beam.record);
}

void BeamSearches::noteOffer(RequestRecord& record) {
  if (std::ranges::find(m_offered, &record) == m_offered.end()) m_offered.push_back(&record);
}

void BeamSearches::offerExpected(Answer& beam, std::span<const float> logits) {
  RequestRecord& record = beam.record;
  AllowedTokens allowed;
  if (record.grammar) allowed = record.grammar->allowed(beam.grammar, beam.output());
  const std::span<const TokenId> tokens = beam.sequence.tokens;
  const auto promptTokens = static_cast<std::size_t>(beam.sequence.promptTokens);
  BeamGroup::TopLogprobs top;
  if (record.request.logprobs > 0) top = Sampler::topLogprobs(logits, record.request.logprobs);
  record.beams->offer(beam,
                      m_ranker.best({logits,
                                     {tokens.first(promptTokens), beam.output()},
                                     record.request.sampling,
                                     record.grammar ? &allowed : nullptr},
                                    record.beams->continuationsPerBeam()),
                      std::move(top));
}

void BeamSearches::choose(const RecordedStep& recorded) {
  for (RequestRecord* record : m_offered) {
    if (!record->beams->isReady(record->answers)) continue;
    if (const BeamStep* step = recorded ? recorded(record->id) : nullptr) record->beams->offerAs(*step);
    chooseBeams(*record);
  }
}

void BeamSearches::chooseBeams(RequestRecord& record) {
  BeamGroup::Choice choice = record.beams->choose(record.answers);
  if (m_tokenizer)
    for (BeamCandidate& candidate : choice.event.candidates)
      candidate.piece = tokenText(*m_tokenizer, candidate.token);
  const bool ended = choice.event.end != BeamEnd::kNone;
  m_events.publish(std::move(choice.event));
  if (ended) m_ended.push_back(&record);

  std::vector<Answer*> beams;
  for (BeamGroup::Child& child : choice.children) {
    Answer& answer = carrierOf(child);
    beams.push_back(&answer);
    m_sampler.keepKnown({&answer, {child.token, child.modelLogprob}, std::move(child.top)});
  }
  record.beams->setBeams(std::move(beams));
}

// The answer that carries the child on: its parent's, another one that takes over the parent's sequence, or a
// new one.
Answer& BeamSearches::carrierOf(BeamGroup::Child& child) {
  if (child.answer == nullptr)
    return forkAnswer(m_scheduler, *child.parent, static_cast<int>(child.parent->record.answers.size()));
  if (child.answer == child.parent) return *child.answer;
  TextStream stream = child.parent->stream;
  SequenceResult result = child.parent->result;
  child.answer->grammar = child.parent->grammar;
  m_scheduler.replace(child.parent->sequence, child.answer->sequence);
  child.answer->stream = std::move(stream);
  child.answer->result = std::move(result);
  return *child.answer;
}

FinishReason BeamSearches::finish(RequestRecord& record) {
  const std::vector<BeamGroup::Hypothesis>& best = record.beams->hypotheses();
  const auto wanted = std::min(static_cast<std::size_t>(record.request.sequences), best.size());
  VITRINE_CHECK(wanted > 0);
  while (record.answers.size() < wanted)  // a search may end before it had so many beams
    forkAnswer(m_scheduler, *record.answers.front(), static_cast<int>(record.answers.size()));
  for (std::size_t i = 0; i < wanted; ++i) write(best[i], *record.answers[i]);
  for (std::size_t i = 0; i < record.answers.size(); ++i)
    m_scheduler.finish(record.answers[i]->sequence, i < wanted ? best[i].reason : FinishReason::kPruned);
  return best.front().reason;
}

// All memory is there before the first change.
void BeamSearches::write(const BeamGroup::Hypothesis& hypothesis, Answer& answer) {
  Sequence& sequence = answer.sequence;
  std::vector<TokenId> tokens(sequence.tokens.begin(), sequence.tokens.begin() + sequence.promptTokens);
  tokens.insert(tokens.end(), hypothesis.tokens.begin(), hypothesis.tokens.end());
  TextStream stream = hypothesis.stream;
  SequenceResult result = hypothesis.result;
  Boxed<BeamChosen> chosen(
      BeamChosen{sequence.id, hypothesis.number, hypothesis.tokens, stream.text(), result.score,
                 hypothesis.endsSilently ? m_sampler.wholePiece(hypothesis.tokens.back()) : std::string()});
  sequence.tokens = std::move(tokens);
  sequence.computedTokens = std::min(sequence.computedTokens, sequence.totalTokens());
  sequence.cachedTokens = std::min(sequence.cachedTokens, sequence.totalTokens());
  answer.stream = std::move(stream);
  answer.result = std::move(result);
  const std::int64_t chosenNs = m_events.publish(std::move(chosen));
  // A search may end with its first token.
  if (answer.record.firstTokenNs < 0) answer.record.firstTokenNs = chosenNs;
}

}  // namespace vitrine
