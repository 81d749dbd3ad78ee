// From logits to finished answers: draw, append, text, and the four ways an answer ends.
#include <algorithm>

#include "core/check.h"
#include "runtime/engine_impl.h"
#include "scheduling/policy.h"

namespace vitrine {

Answer& EngineImpl::answerOf(const Sequence& sequence) const {
  return *m_records.at(sequence.request)->answers[static_cast<std::size_t>(sequence.index)];
}

Answer& EngineImpl::fork(Answer& parent, int index) {
  RequestRecord& owner = parent.record;
  auto child = std::make_unique<Answer>(owner, m_tokenizer.get(), owner.request.stop);
  child->sequence.id = owner.firstSequence + index;
  child->sequence.request = owner.id;
  child->sequence.index = index;
  child->stream = parent.stream;
  child->result = parent.result;
  owner.answers.reserve(owner.answers.size() + 1);  // once it is in the scheduler nothing may fail
  m_scheduler.fork(parent.sequence, child->sequence);
  owner.answers.push_back(std::move(child));
  return *owner.answers.back();
}

// The logits are those after `tokens`: the sequence's, or with them what is accepted of its draft.
void EngineImpl::draw(Answer& answer, std::span<const TokenId> tokens, std::span<const float> logits) {
  const RequestRecord& owner = answer.record;
  const Sequence& sequence = answer.sequence;
  const auto promptTokens = static_cast<std::size_t>(sequence.promptTokens);
  const DrawKey key{owner.seed, static_cast<std::uint32_t>(sequence.index),
                    static_cast<std::uint32_t>(tokens.size())};
  m_stages.clear();
  keep(answer, tokens, logits,
       m_sampler.sample(
           {logits, {tokens.first(promptTokens), tokens.subspan(promptTokens)}, owner.request.sampling}, key,
           {m_detail.candidates > 0 ? &m_stages : nullptr, m_detail.candidates}));
}

void EngineImpl::keep(Answer& answer, std::span<const TokenId> tokens, std::span<const float> logits,
                      SampledToken token) {
  Drawn drawn{&answer, token, {}};
  const int wanted = answer.record.request.logprobs;
  if (wanted > 0) drawn.top = Sampler::topLogprobs(logits, wanted);
  if (m_detail.candidates > 0) publishCandidates(answer, tokens.size(), token.token);
  m_drawn.push_back(std::move(drawn));
}

void EngineImpl::publishCandidates(const Answer& answer, std::size_t position, TokenId chosen) {
  TokenCandidates candidates{answer.sequence.id, static_cast<int>(position), chosen, m_stages, {}};
  if (m_tokenizer && !m_stages.empty()) {
    for (const Candidate& candidate : m_stages.front().top)
      candidates.pieces.push_back(textOf(candidate.token));
  }
  m_events.publish(std::move(candidates));
}

bool EngineImpl::endsAnswer(const Answer& answer, TokenId token) const {
  return !answer.record.request.ignoreEos && std::ranges::find(m_eosTokens, token) != m_eosTokens.end();
}

// Appends the token and publishes what became final of the text. Gives the reason when the answer ends with
// it.
std::optional<FinishReason> EngineImpl::append(Drawn& drawn) {
  Answer& answer = *drawn.answer;
  RequestRecord& owner = answer.record;
  Sequence& sequence = answer.sequence;
  const TokenId token = drawn.token.token;
  const int position = sequence.totalTokens();
  const bool eos = endsAnswer(answer, token);
  const bool full = sequence.outputTokens() + 1 >= owner.request.maxTokens || position + 1 >= contextLimit();
  // Memory first: once the stream has the token, nothing may fail before the event tells of it.
  if (sequence.tokens.size() == sequence.tokens.capacity())
    sequence.tokens.reserve(2 * sequence.tokens.size());
  std::string text = eos ? answer.stream.finish() : answer.stream.push(token, full);
  std::optional<FinishReason> reason;
  if (eos || answer.stream.stopped())
    reason = FinishReason::kStop;
  else if (full)
    reason = FinishReason::kLength;
  sequence.tokens.push_back(token);
  ++m_sampled;
  m_events.publish(TokenSampled{sequence.id, token, position, drawn.token.logprob, std::move(text)});
  if (owner.firstTokenNs < 0) owner.firstTokenNs = m_events.nowNs();

  answer.result.cumulativeLogprob += drawn.token.logprob;
  if (owner.request.logprobs > 0) {
    answer.result.logprobs.push_back({token, drawn.token.logprob, std::move(drawn.top)});
  }
  return reason;
}

void EngineImpl::finishAnswer(Answer& answer, FinishReason reason) {
  m_scheduler.finish(answer.sequence, reason);
  RequestRecord& owner = answer.record;
  const auto isFinished = [](const auto& one) { return one->sequence.status == SequenceStatus::kFinished; };
  if (std::ranges::all_of(owner.answers, isFinished)) endRequest(owner, reason);
}

// All its answers at once, wherever they are: a cancellation or a failure. A failed search is over: what it
// had found belongs to a step that did not come to its end.
void EngineImpl::finishRequest(RequestRecord& owner, FinishReason reason) {
  for (const auto& answer : owner.answers) {
    if (answer->sequence.status != SequenceStatus::kFinished) m_scheduler.finish(answer->sequence, reason);
  }
  if (reason == FinishReason::kFailed) owner.beams.reset();
  endRequest(owner, reason);
}

std::int64_t RequestRecord::lateNs() const {
  return request.deadlineMs > 0 ? finishedNs - deadlineAt(submittedNs, request.deadlineMs) : 0;
}

void EngineImpl::endRequest(RequestRecord& owner, FinishReason reason) {
  if (owner.request.bestOf > owner.request.sequences && reason != FinishReason::kFailed) rankAnswers(owner);
  owner.finished = true;
  owner.finishedNs = m_events.nowNs();
  int completionTokens = 0, preemptions = 0;
  for (const auto& answer : owner.answers) {
    if (answer->sequence.finishReason != FinishReason::kPruned)
      completionTokens += answer->sequence.outputTokens();
    preemptions += answer->sequence.preemptions;
  }
  const std::int64_t admittedNs = owner.admittedNs >= 0 ? owner.admittedNs : owner.finishedNs;
  const std::int64_t ttftNs = owner.firstTokenNs >= 0 ? owner.firstTokenNs - owner.submittedNs : 0;
  m_events.publish(RequestFinished{owner.id, reason, owner.promptTokens, completionTokens, owner.cachedTokens,
                                   preemptions, admittedNs - owner.submittedNs, ttftNs,
                                   owner.finishedNs - owner.submittedNs, owner.request.deadlineMs,
                                   owner.lateNs(), owner.lateNs() > 0 && reason != FinishReason::kCancelled});
}

RequestResult EngineImpl::takeResult(RequestId request) {
  RequestRecord* const kept = find(request);
  if (!kept || !kept->finished || kept->taken) {
    throw EngineError(ErrorCode::kInvalidArgument, "request " + std::to_string(request) +
                                                       (!kept            ? " was forgotten"
                                                        : kept->finished ? " was handed over already"
                                                                         : " has not finished"));
  }
  RequestRecord& owner = *kept;
  owner.taken = true;
  RequestResult result;
  result.id = owner.id;
  result.name = owner.request.name;
  result.promptTokens = owner.promptTokens;
  result.cachedTokens = owner.cachedTokens;
  for (const auto& answer : owner.answers) result.preemptions += answer->sequence.preemptions;
  for (const auto& [answer, score] : answersToGive(owner)) {
    const Sequence& sequence = answer->sequence;
    SequenceResult& one = result.sequences.emplace_back(answer->result);
    one.tokenIds.assign(sequence.tokens.begin() + sequence.promptTokens, sequence.tokens.end());
    one.text = answer->stream.text();
    one.reason = sequence.finishReason;
    one.score = score;
  }
  // Cancelled or failed before they were forked: there was never anything of them.
  while (static_cast<int>(result.sequences.size()) < owner.request.sequences) {
    result.sequences.emplace_back().reason = result.sequences.front().reason;
  }
  result.queueNs = (owner.admittedNs >= 0 ? owner.admittedNs : owner.finishedNs) - owner.submittedNs;
  result.ttftNs = owner.firstTokenNs >= 0 ? owner.firstTokenNs - owner.submittedNs : 0;
  result.totalNs = owner.finishedNs - owner.submittedNs;
  result.deadlineMs = owner.request.deadlineMs;
  result.lateNs = owner.lateNs();
  return result;
}

}  // namespace vitrine
