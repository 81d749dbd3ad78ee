// How requests come in, and are changed or withdrawn.
#include "runtime/engine_impl.h"
#include "vitrine/token_text.h"

namespace vitrine {
namespace {

// The prompt's ids are in the answer already.
Boxed<RequestSubmitted> submittedEvent(RequestId id, const Request& request, const Answer& answer,
                                       const Tokenizer* tokenizer) {
  const Sequence& first = answer.sequence;
  RequestSubmitted submitted{.request = id, .asked = request};
  submitted.asked.tokenIds.assign(first.tokens.begin(), first.tokens.begin() + first.promptTokens);
  submitted.asked.addSpecialTokens = Request().addSpecialTokens;  // matters to a prompt without ids
  if (tokenizer)
    for (TokenId token : first.tokens) submitted.pieces.push_back(tokenText(*tokenizer, token));
  submitted.firstSequence = first.id;
  submitted.rank = first.rank;
  submitted.outputText = answer.stream.text();
  return submitted;
}

}  // namespace

RequestId EngineImpl::submit(Request request) {
  noteChange();
  std::unique_ptr<AnswerGrammar> grammar;
  try {
    m_checks.prepare(request);
    grammar = m_grammars.forRequest(request);
  } catch (const EngineError& error) {
    m_events.publish(RequestRejected{request.name, errorCodeName(error.code()), error.what(), error.hint()});
    throw;
  }
  std::unique_ptr<RequestRecord> record = makeRecord(request);
  record->grammar = std::move(grammar);
  const RequestId id = record->id;
  if (request.name.empty()) request.name = "r" + std::to_string(id);
  Sequence& first = addFirstAnswer(*record, request);
  m_scheduler.stamp(first, request);
  record->submittedNs = first.submittedNs;
  Boxed<RequestSubmitted> submitted =
      submittedEvent(id, request, *record->answers.front(), m_tokenizer.get());
  if (request.searches())
    record->beams = m_beams.begin(request, *record->answers.front(), m_config.contextLength);
  record->request = std::move(request);
  m_requests.add(std::move(record), [&] { m_scheduler.submit(first); });
  m_events.publishAt(first.submittedNs, std::move(submitted));
  return id;
}

std::unique_ptr<RequestRecord> EngineImpl::makeRecord(const Request& request) const {
  auto record = std::make_unique<RequestRecord>();
  record->id = m_requests.nextRequest();
  record->firstSequence = m_requests.nextSequence();
  record->seed = mixSeeds(m_options.seed, request.sampling.seed);
  record->promptTokens = static_cast<int>(request.tokenIds.size());
  return record;
}

// Moves the prompt's ids into the sequence. A forced beginning stands behind them as if it had been drawn:
// the sequence is like one that was preempted after these tokens.
Sequence& EngineImpl::addFirstAnswer(RequestRecord& record, Request& request) const {
  auto answer = std::make_unique<Answer>(record, m_tokenizer.get(), request.stop);
  Sequence& sequence = answer->sequence;
  sequence.id = record.firstSequence;
  sequence.request = record.id;
  sequence.sequenceSlots = request.sequenceSlots();
  sequence.beams = request.beamWidth;
  sequence.cacheSalt = request.cacheSalt;
  sequence.promptTokens = record.promptTokens;
  sequence.tokens = std::move(request.tokenIds);
  sequence.tokens.insert(sequence.tokens.end(), request.outputIds.begin(), request.outputIds.end());
  for (const TokenId token : request.outputIds) answer->stream.push(token);
  record.answers.push_back(std::move(answer));
  return sequence;
}

void EngineImpl::cancel(RequestId request) {
  if (!m_requests.unfinished(request)) return;
  noteChange();
  m_actions.run([this, request] {
    RequestRecord* const record = m_requests.unfinished(request);
    if (!record) return;
    record->cancelled = true;
    m_events.publish(RequestCancelled{request});
    finishRequest(*record, FinishReason::kCancelled);
  });
}

void EngineImpl::forget(RequestId request) {
  if (m_requests.unfinished(request)) {
    throw EngineError(ErrorCode::kInvalidArgument, "request " + std::to_string(request) + " has not finished",
                      "cancel it before it is forgotten");
  }
  m_actions.run([this, request] {
    if (m_requests.forget(request)) m_events.publish(RequestForgotten{request});
  });
}

void EngineImpl::setSampling(RequestId request, const SamplingOptions& sampling) {
  const RequestRecord* const asked = m_requests.unfinished(request);
  if (!asked) return;
  Request changed = asked->request;
  changed.sampling = sampling;
  changed.validate();
  noteChange();
  m_actions.run([this, request, sampling] {
    RequestRecord* const record = m_requests.unfinished(request);
    if (!record) return;
    record->request.sampling = sampling;
    record->seed = mixSeeds(m_options.seed, sampling.seed);
    m_events.publish(SamplingChanged{request, sampling});
  });
}

}  // namespace vitrine
