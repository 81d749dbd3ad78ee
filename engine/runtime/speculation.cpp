// What a drafter adds to a step: it is asked before Plan, drafts before the forward, and is judged in Sample.
#include <algorithm>

#include "core/check.h"
#include "core/philox.h"
#include "runtime/engine_impl.h"
#include "sampling/acceptance.h"
#include "speculation/early_exit_drafter.h"
#include "speculation/model_drafter.h"
#include "speculation/ngram_drafter.h"

namespace vitrine {

std::unique_ptr<Drafter> EngineImpl::makeDrafter(std::unique_ptr<Decoder> draftModel) {
  const SpeculationOptions& options = m_options.speculation;
  switch (options.drafter) {
    case DraftMethod::kNone:
      break;
    case DraftMethod::kEarlyExit:
      return std::make_unique<EarlyExitDrafter>(m_runner, options.exitLayer);
    case DraftMethod::kModel:
      return std::make_unique<ModelDrafter>(m_runner.backend(), std::move(draftModel), m_loaded.numBlocks,
                                            m_options.blockSize, m_options.tokenBudget);
    case DraftMethod::kNgram:
      return std::make_unique<NgramDrafter>(options.ngramLength);
  }
  return nullptr;
}

// Behind the last accepted token comes one of the model's own, so a draft is shorter than what may still
// come.
void EngineImpl::askDrafter() {
  m_drafter->retain(m_scheduler.running());
  const auto decoding = std::ranges::count_if(m_scheduler.running(), &Sequence::isDecoding);
  const int length = decoding > 0 ? m_draftLength.choose(static_cast<int>(decoding)) : 0;
  for (Sequence* sequence : m_scheduler.running()) {
    const int answerLeft = answerOf(*sequence).record.request.maxTokens - sequence->outputTokens();
    const int contextLeft = m_config.contextLength - sequence->totalTokens();
    const int most = std::min({length, answerLeft - 1, contextLeft - 1});
    const bool drafts = sequence->isDecoding() && sequence->beams == 1 && most > 0;
    sequence->wantedDraft = drafts ? m_drafter->canPropose(*sequence, most) : 0;
  }
}

void EngineImpl::draft() {
  const StepPlan& plan = m_scheduler.currentPlan();
  m_drafts.clear();
  for (std::size_t i = 0; i < plan.work.size(); ++i) {
    const Work& work = plan.work[i];
    if (work.draftTokens == 0) continue;
    const RequestRecord& owner = answerOf(*work.sequence).record;
    m_drafts.push_back({work.sequence,
                        static_cast<int>(i),
                        work.draftTokens,
                        &owner.request.sampling,
                        {owner.seed, static_cast<std::uint32_t>(work.sequence->index),
                         static_cast<std::uint32_t>(work.sequence->totalTokens())},
                        {},
                        {}});
  }
  m_speculated = {};
  if (m_drafts.empty()) return;
  const std::int64_t beganNs = m_events.nowNs();
  m_drafter->propose(plan, m_drafts);
  m_speculated.draftNs = m_events.nowNs() - beganNs;
  for (const Draft& draft : m_drafts) {
    VITRINE_CHECK(static_cast<int>(draft.tokens.size()) == draft.wanted);
    Sequence& sequence = *plan.work[static_cast<std::size_t>(draft.work)].sequence;
    sequence.draft = draft.tokens;
    m_events.publish(
        DraftProposed{sequence.id, m_options.speculation.drafter, sequence.totalTokens(), draft.tokens});
  }
}

// Row i of the logits follows the sequence's tokens and the first i of its draft. Tokens are drawn until one
// is not the draft's; when all are, the last row gives one more.
void EngineImpl::verify(Answer& answer, const Draft& draft, int row) {
  const Sequence& sequence = answer.sequence;
  DraftVerified verified{sequence.id, sequence.totalTokens(), 0, {}};
  m_history = sequence.tokens;
  bool open = true;
  for (std::size_t i = 0; i < draft.tokens.size(); ++i) {
    DraftJudgement judgement{draft.tokens[i], DraftVerdict::kUndecided, 0, 0, 0};
    if (open) {
      const bool accepted = judge(answer, draft, i, m_runner.logits(row + static_cast<int>(i)), judgement);
      m_history.push_back(judgement.token);
      verified.accepted += accepted ? 1 : 0;
      open = accepted && !endsAnswer(answer, judgement.token);
    }
    verified.judgements.push_back(judgement);
  }
  if (open) draw(answer, m_history, m_runner.logits(row + verified.accepted));
  m_speculated.acceptedTokens += verified.accepted;
  m_draftLength.observe(verified);
  m_events.publish(std::move(verified));
}

bool EngineImpl::judge(Answer& answer, const Draft& draft, std::size_t i, std::span<const float> logits,
                       DraftJudgement& judgement) {
  const SamplingOptions& sampling = *draft.sampling;
  if (sampling.temperature <= 0) {
    draw(answer, m_history, logits);
    const bool same = m_drawn.back().token.token == judgement.token;
    judgement.verdict = same ? DraftVerdict::kSame : DraftVerdict::kDiffers;
    return same;
  }
  const auto promptTokens = static_cast<std::size_t>(answer.sequence.promptTokens);
  const std::span<const TokenId> history = m_history;
  const auto uniform = [&](DrawUse use) {
    return uniformDraw(draft.key.seed, draft.key.sequence, static_cast<std::uint32_t>(history.size()),
                       static_cast<std::uint32_t>(use));
  };
  m_stages.clear();
  m_sampler.probabilities({logits, {history.first(promptTokens), history.subspan(promptTokens)}, sampling},
                          m_probabilities,
                          {m_detail.candidates > 0 ? &m_stages : nullptr, m_detail.candidates});
  const std::span<const double> p = m_probabilities;
  const std::span<const double> q = draft.probabilities.empty()
                                        ? std::span<const double>()
                                        : std::span<const double>(draft.probabilities[i]);
  judgement.uniform = uniform(DrawUse::kAccept);
  const AcceptanceTest test = testDraft(judgement.token, p, q, judgement.uniform);
  judgement.p = test.p, judgement.q = test.q;
  judgement.verdict = test.accepted ? DraftVerdict::kWithin : DraftVerdict::kBeyond;
  const TokenId token =
      test.accepted ? judgement.token : drawResidual(judgement.token, p, q, uniform(DrawUse::kResidual));
  keep(answer, m_history, logits, {token, Sampler::logprobOf(logits, token)});
  return test.accepted;
}

// What the step came to; told in plain steps too, which are the measure of the others.
void EngineImpl::publishSpeculation() {
  const StepPlan& plan = m_scheduler.currentPlan();
  for (const Work& work : plan.work) {
    if (work.kind != WorkKind::kDecode) continue;
    ++m_speculated.sequences;
    m_speculated.draftedSequences += work.draftTokens > 0 ? 1 : 0;
    m_speculated.draftedTokens += work.draftTokens;
    m_speculated.keptTokens +=
        work.sequence->totalTokens() - (work.firstPosition + work.tokens - work.draftTokens);
  }
  m_speculated.prefillTokens = plan.prefillTokens;
  if (m_speculated.sequences == 0) return;
  m_draftLength.observe(m_speculated);
  m_events.publish(m_speculated);
}

}  // namespace vitrine
