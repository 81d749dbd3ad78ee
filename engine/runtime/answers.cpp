// From tokens to finished requests: append, publish text, and the four ways an answer ends.
#include <algorithm>

#include "runtime/engine_impl.h"
#include "runtime/request_result.h"

namespace vitrine {

// Whatever its next token is.
bool EngineImpl::endsByLength(const Answer& answer) const {
  const Sequence& sequence = answer.sequence;
  return sequence.outputTokens() + 1 >= answer.record.request.maxTokens ||
         sequence.totalTokens() + 1 >= m_checks.contextLimit();
}

// Appends the token and publishes the text that became final. Returns the reason when the answer ends with
// it. All memory comes first: once the stream has the token, nothing may fail before its event.
std::optional<FinishReason> EngineImpl::append(DrawnToken& drawn) {
  Answer& answer = *drawn.answer;
  RequestRecord& record = answer.record;
  Sequence& sequence = answer.sequence;
  const TokenId token = drawn.token.token;
  const int position = sequence.totalTokens();
  // [why:finish]
  const bool eos = m_sampler.endsAnswer(answer, token);
  const GrammarEnd end = eos ? GrammarEnd::kWhole : AnswerSampler::grammarEnd(answer, std::span(&token, 1));
  const bool full = endsByLength(answer);
  if (sequence.tokens.size() == sequence.tokens.capacity())
    sequence.tokens.reserve(2 * sequence.tokens.size());
  std::string text =
      eos ? answer.stream.finish() : answer.stream.push(token, full || end != GrammarEnd::kOpen);
  std::optional<FinishReason> reason;
  if (end == GrammarEnd::kWhole || answer.stream.stopped())
    reason = FinishReason::kStop;
  else if (full || end == GrammarEnd::kStuck)
    reason = FinishReason::kLength;
  // [/why:finish]
  std::string piece = text.empty() ? m_sampler.wholePiece(token) : std::string();
  sequence.tokens.push_back(token);
  ++m_sampled;
  const std::int64_t sampledNs = m_events.publish(TokenSampled{
      sequence.id, token, position, drawn.entropy, drawn.token.logprob, std::move(text), std::move(piece)});
  if (record.firstTokenNs < 0) record.firstTokenNs = sampledNs;

  answer.result.cumulativeLogprob += drawn.token.logprob;
  if (record.request.logprobs > 0)
    answer.result.logprobs.push_back({token, drawn.token.logprob, std::move(drawn.top)});
  return reason;
}

void EngineImpl::finishAnswer(Answer& answer, FinishReason reason) {
  m_scheduler.finish(answer.sequence, reason);
  RequestRecord& record = answer.record;
  const auto isFinished = [](const auto& one) { return one->sequence.status == SequenceStatus::kFinished; };
  if (std::ranges::all_of(record.answers, isFinished)) endRequest(record, reason);
}

// Ends all answers, running or waiting, after a cancellation or a failure. A failed search gives no
// hypotheses: they belong to a step that did not end.
void EngineImpl::finishRequest(RequestRecord& record, FinishReason reason) {
  for (const auto& answer : record.answers) {
    if (answer->sequence.status != SequenceStatus::kFinished) m_scheduler.finish(answer->sequence, reason);
  }
  if (reason == FinishReason::kFailed) record.beams.reset();
  endRequest(record, reason);
}

void EngineImpl::endRequest(RequestRecord& record, FinishReason reason) {
  if (record.request.bestOf > record.request.sequences && reason != FinishReason::kFailed)
    m_events.publish(rankAnswers(record));
  record.finished = true;
  record.finishedNs = m_events.nowNs();
  m_events.publish(finishedEvent(record, reason));
}

std::span<const TokenLogprob> EngineImpl::logprobs(RequestId request, int answer) const {
  const RequestRecord* const record = m_requests.find(request);
  if (!record || record->beams || answer < 0 || answer >= std::ssize(record->answers)) return {};
  return record->answers[static_cast<std::size_t>(answer)]->result.logprobs;
}

RequestResult EngineImpl::takeResult(RequestId request) {
  RequestRecord* const record = m_requests.find(request);
  if (!record || !record->finished || record->taken) {
    throw EngineError(ErrorCode::kInvalidArgument, "request " + std::to_string(request) +
                                                       (!record            ? " was forgotten"
                                                        : record->finished ? " was handed over already"
                                                                           : " has not finished"));
  }
  RequestResult result = resultOf(*record);
  record->taken = true;
  return result;
}

}  // namespace vitrine
