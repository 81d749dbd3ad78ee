#include "runtime/speculator.h"

#include <algorithm>

#include "core/check.h"
#include "sampling/acceptance.h"
#include "vitrine/token_text.h"

namespace vitrine {

Speculator::Speculator(std::unique_ptr<Drafter> drafter, const SpeculationOptions& options,
                       const Surroundings& surroundings)
    : m_drafter(std::move(drafter)),
      m_method(options.drafter),
      m_acceptance(options.acceptance),
      m_around(surroundings),
      m_length(options.draftLength, options.adaptive) {
  VITRINE_CHECK(m_drafter != nullptr);
}

void Speculator::askDrafter(std::span<Sequence* const> running) {
  m_count = m_verified = 0;
  m_offered.clear();
  m_drafter->retain(running);
  const auto decoding = std::ranges::count_if(running, &Sequence::isDecoding);
  const int length = decoding > 0 ? m_length.choose(static_cast<int>(decoding)) : 0;
  for (Sequence* sequence : running) {
    sequence->wantedDraft = 0;
    if (!sequence->isDecoding()) continue;
    const DraftOffer offer = offerFor(*sequence, length);
    sequence->wantedDraft = offer.tokens;
    m_offered.push_back({sequence->id, offer});
  }
}

// After the last accepted token comes one of the model's own, so a draft is one token shorter than what the
// answer and the context still allow. What a draft of any length lacks is told before a length of 0.
DraftOffer Speculator::offerFor(const Sequence& sequence, int length) const {
  const Request& request = m_around.requests.answerOf(sequence).record.request;
  // [why:draft]
  const int answerLeft = request.maxTokens - sequence.outputTokens();
  const int contextLeft = m_around.contextLength - sequence.totalTokens();
  if (sequence.beams > 1) return {.reason = NoDraftReason::kBeams};
  if (answerLeft < 2) return {0, NoDraftReason::kAnswerEnd, 2, answerLeft};
  if (contextLeft < 2) return {0, NoDraftReason::kContextEnd, 2, contextLeft};
  if (length == 0 && m_length.isForComparison())
    return {.reason = NoDraftReason::kComparison, .needed = DraftLength::period()};
  if (length == 0) return {.reason = NoDraftReason::kCost};
  return m_drafter->canPropose(sequence, std::min({length, answerLeft - 1, contextLeft - 1}));
  // [/why:draft]
}

// A recorded run may have been granted less than the drafter offers here, and then has no reason for it.
void Speculator::explain(const StepPlan& plan) const {
  auto offered = m_offered.begin();
  for (const Work& work : plan.work) {
    if (work.kind != WorkKind::kDecode) continue;
    offered =
        std::find_if(offered, m_offered.end(), [&](const Offered& one) { return one.sequence == work.id; });
    if (offered == m_offered.end()) return;
    if (work.draftTokens > 0) continue;
    const DraftOffer& offer = offered->offer;
    if (offer.tokens == 0)
      m_around.events.publish(DraftSkipped{work.id, offer.reason, offer.needed, offer.available});
    else if (work.draftLimit)
      m_around.events.publish(DraftSkipped{work.id, *work.draftLimit, 1, 0});
  }
}

Draft& Speculator::newDraft() {
  if (m_count == m_drafts.size()) m_drafts.emplace_back();
  Draft& draft = m_drafts[m_count++];
  draft.acceptance = m_acceptance;
  draft.tokens.clear();
  draft.tokenProbabilities.clear();
  draft.probabilities.clear();
  draft.allowed = nullptr;
  return draft;
}

void Speculator::propose(const StepPlan& plan) {
  m_count = m_verified = 0;
  m_step = {};
  for (std::size_t i = 0; i < plan.work.size(); ++i) {
    const Work& work = plan.work[i];
    if (work.draftTokens == 0) continue;
    Answer& answer = m_around.requests.answerOf(*work.sequence);
    const RequestRecord& record = answer.record;
    Draft& draft = newDraft();
    draft.sequence = work.sequence;
    draft.work = static_cast<int>(i);
    draft.wanted = work.draftTokens;
    draft.sampling = &record.request.sampling;
    if (record.grammar)
      draft.allowed = [&answer](std::span<const TokenId> drafted) {
        return answer.record.grammar->allowed(answer.grammar, answer.output(), drafted);
      };
    draft.key = {record.seed, static_cast<std::uint32_t>(work.sequence->index),
                 static_cast<std::uint32_t>(work.sequence->totalTokens())};
  }
  if (m_count == 0) return;
  const std::span<Draft> drafts = std::span(m_drafts).first(m_count);
  const std::int64_t beganNs = m_around.events.nowNs();
  m_drafter->propose(plan, drafts);
  m_step.draftNs = m_around.events.nowNs() - beganNs;
  for (const Draft& draft : drafts) {
    VITRINE_CHECK(static_cast<int>(draft.tokens.size()) == draft.wanted);
    Sequence& sequence = *plan.work[static_cast<std::size_t>(draft.work)].sequence;
    sequence.draft = draft.tokens;
    DraftProposed proposed{sequence.id, m_method, sequence.totalTokens(), draft.tokens, {}};
    if (m_around.tokenizer)
      for (const TokenId token : draft.tokens)
        proposed.pieces.push_back(tokenText(*m_around.tokenizer, token));
    m_around.events.publish(std::move(proposed));
  }
}

// When all tokens of the draft are accepted, the last row gives one more.
void Speculator::verify(Answer& answer, std::span<const float> logits) {
  VITRINE_CHECK(m_verified < m_count);
  const Draft& draft = m_drafts[m_verified++];
  VITRINE_CHECK(draft.sequence == &answer.sequence);
  const std::size_t vocabulary = logits.size() / (draft.tokens.size() + 1);
  DraftVerified verified{draft.sequence->id, draft.sequence->totalTokens(), 0, {}};
  verified.judgements.reserve(draft.tokens.size());
  m_accepted.clear();
  bool open = true;
  for (std::size_t i = 0; i < draft.tokens.size(); ++i) {
    DraftJudgement judgement{draft.tokens[i], DraftVerdict::kUndecided};
    if (open) {
      const bool accepted = judge(answer, draft, logits.subspan(i * vocabulary, vocabulary), judgement);
      if (accepted) m_accepted.push_back(judgement.token);
      open = accepted && !m_around.sampler.endsAnswer(answer, judgement.token) &&
             AnswerSampler::grammarEnd(answer, m_accepted) == GrammarEnd::kOpen;
    }
    verified.judgements.push_back(judgement);
  }
  verified.accepted = static_cast<int>(m_accepted.size());
  if (open) m_around.sampler.draw(answer, logits.last(vocabulary), m_accepted);
  m_step.acceptedTokens += verified.accepted;
  m_length.observe(verified);
  m_around.events.publish(std::move(verified));
}

// logits [vocabulary]: those after the answer's tokens and m_accepted.
bool Speculator::judge(Answer& answer, const Draft& draft, std::span<const float> logits,
                       DraftJudgement& judgement) {
  const bool greedy = draft.sampling->temperature <= 0;
  if (!greedy && draft.acceptance == DraftAcceptance::kRejection)
    return judgeByRejection(answer, draft, logits, judgement);
  AnswerSampler& sampler = m_around.sampler;
  // [why:draft-same]
  judgement.chosen = sampler.draw(answer, logits, m_accepted);
  const bool same = judgement.chosen == judgement.token;
  judgement.verdict = same ? DraftVerdict::kSame : DraftVerdict::kDiffers;
  if (greedy) return same;
  // [/why:draft-same]
  judgement.p = sampler.probabilityOf(judgement.token);
  judgement.q = draft.probabilityOf(m_accepted.size());
  judgement.uniform = draft.key.after(m_accepted.size()).uniform(DrawUse::kSample);
  return same;
}

bool Speculator::judgeByRejection(Answer& answer, const Draft& draft, std::span<const float> logits,
                                  DraftJudgement& judgement) {
  AnswerSampler& sampler = m_around.sampler;
  const DrawKey key = draft.key.after(m_accepted.size());
  const std::span<const double> p = sampler.probabilities(answer, logits, m_accepted);
  const std::span<const double> q = draft.probabilitiesOf(m_accepted.size());
  judgement.uniform = key.uniform(DrawUse::kAccept);
  const AcceptanceTest test = testDraft(judgement.token, p, q, judgement.uniform);
  judgement.p = test.p, judgement.q = test.q;
  judgement.verdict = test.accepted ? DraftVerdict::kWithin : DraftVerdict::kBeyond;
  judgement.chosen =
      test.accepted ? judgement.token : drawResidual(judgement.token, p, q, key.uniform(DrawUse::kResidual));
  sampler.keep(answer, logits, static_cast<int>(key.position),
               {judgement.chosen, Sampler::logprobOf(logits, judgement.chosen)});
  return test.accepted;
}

void Speculator::rehearse(const DraftVerified& verified) {
  m_step.acceptedTokens += verified.accepted;
  m_length.observe(verified);
}

void Speculator::setCosts(std::int64_t draftNs, std::int64_t verifyNs) {
  m_step.draftNs = draftNs;
  m_step.verifyNs = verifyNs;
}

void Speculator::report(const StepPlan& plan) {
  for (const Work& work : plan.work) {
    if (work.kind != WorkKind::kDecode) continue;
    ++m_step.sequences;
    m_step.draftedSequences += work.draftTokens > 0 ? 1 : 0;
    m_step.draftedTokens += work.draftTokens;
    m_step.keptTokens += work.sequence->totalTokens() - (work.firstPosition + work.tokens - work.draftTokens);
  }
  m_step.prefillTokens = plan.prefillTokens;
  if (m_step.sequences == 0) return;
  m_length.observe(m_step);
  m_around.events.publish(m_step);
}

}  // namespace vitrine
