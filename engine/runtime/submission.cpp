// How requests come in and are changed or withdrawn. What can never be done is refused at the door, with the
// numbers and the mend, so that no request can wait for ever.
#include <algorithm>

#include "core/check.h"
#include "runtime/engine_impl.h"

namespace vitrine {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

// One seed of two; the finisher of SplitMix64 keeps neighbouring seeds apart.
std::uint64_t mixSeeds(std::uint64_t engine, std::uint64_t request) {
  std::uint64_t mixed = engine * 0x9E3779B97F4A7C15u + request;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

}  // namespace

RequestId EngineImpl::submit(Request request) {
  try {
    prepare(request);
  } catch (const EngineError& error) {
    m_events.publish(RequestRejected{request.name, errorCodeName(error.code()), error.what(), error.hint()});
    throw;
  }
  auto owner = std::make_unique<RequestRecord>();
  owner->id = m_lastRequest + 1;
  owner->firstSequence = m_lastSequence + 1;
  owner->seed = mixSeeds(m_options.seed, request.sampling.seed);
  owner->promptTokens = static_cast<int>(request.tokenIds.size());
  if (request.name.empty()) request.name = "r" + std::to_string(owner->id);

  auto answer = std::make_unique<Answer>(*owner, m_tokenizer.get(), request.stop);
  Sequence& sequence = answer->sequence;
  sequence.id = owner->firstSequence;
  sequence.request = owner->id;
  sequence.sequenceSlots = request.sequenceSlots();
  sequence.beams = request.beamWidth;
  sequence.cacheSalt = request.cacheSalt;
  sequence.promptTokens = owner->promptTokens;
  sequence.tokens = std::move(request.tokenIds);
  std::vector<std::string> pieces;
  if (m_tokenizer) {
    for (TokenId token : sequence.tokens) pieces.push_back(textOf(token));
  }
  m_scheduler.stamp(sequence, request.priority, request.deadlineMs);
  owner->submittedNs = sequence.submittedNs;
  Boxed<RequestSubmitted> submitted(RequestSubmitted{
      owner->id, request.name, request.prompt, sequence.tokens, std::move(pieces), request.sampling,
      request.maxTokens, request.sequences, sequence.id, request.priority, request.deadlineMs, sequence.rank,
      request.bestOf, request.beamWidth, request.lengthPenalty, request.earlyStopping});
  if (request.beamWidth > 1) owner->beams = beamGroup(request, *answer);
  owner->request = std::move(request);
  owner->answers.push_back(std::move(answer));
  enqueue(std::move(owner), sequence);
  m_events.publish(std::move(submitted));
  return m_lastRequest;
}

// All or nothing, whatever memory there is.
void EngineImpl::enqueue(std::unique_ptr<RequestRecord> owner, Sequence& sequence) {
  const auto [entry, isNew] = m_records.try_emplace(owner->id, nullptr);
  VITRINE_CHECK(isNew);
  try {
    m_scheduler.submit(sequence);
  } catch (...) {
    m_records.erase(entry);
    throw;
  }
  m_lastRequest = owner->id;
  m_lastSequence += owner->request.sequenceSlots();
  entry->second = std::move(owner);
}

// Turns the prompt into ids and checks everything that can be known before the first step.
void EngineImpl::prepare(Request& request) const {
  request.validate();
  if (request.tokenIds.empty() && !request.prompt.empty()) {
    if (!m_tokenizer) {
      throw EngineError(ErrorCode::kUnavailable,
                        "the model's directory has no tokenizer, so a prompt as text cannot be read",
                        "give the prompt as token ids, or put the tokenizer's files beside the model");
    }
    request.tokenIds = m_tokenizer->encode(request.prompt, request.addSpecialTokens);
  }
  if (request.tokenIds.empty()) {
    throw EngineError(ErrorCode::kInvalidArgument, "the prompt is empty", "give at least one token");
  }
  requireKnownTokens(request.tokenIds);
  requireFitting(request);
}

void EngineImpl::requireKnownTokens(std::span<const TokenId> tokens) const {
  const auto isUnknown = [&](TokenId token) { return token < 0 || token >= m_config.vocabularySize; };
  const auto unknown = std::ranges::find_if(tokens, isUnknown);
  if (unknown == tokens.end()) return;
  throw EngineError(ErrorCode::kInvalidArgument,
                    "token id " + number(*unknown) + " is outside the model's vocabulary of " +
                        number(m_config.vocabularySize),
                    "use ids from 0 to " + number(m_config.vocabularySize - 1));
}

// The model's own, unless a part of the context is given up; then a position must only be countable.
std::int64_t EngineImpl::contextLimit() const {
  constexpr std::int64_t kMostPositions = std::int64_t{1} << 30;
  return m_loaded.eviction == Eviction::kNone ? m_config.contextLength : kMostPositions;
}

void EngineImpl::requireFitting(const Request& request) const {
  const auto length = static_cast<std::int64_t>(request.tokenIds.size());
  if (length >= contextLimit()) {
    throw EngineError(ErrorCode::kContextTooLong,
                      "the prompt has " + number(length) + " tokens, and the model's context of " +
                          number(m_config.contextLength) + " leaves no room for an answer",
                      "shorten the prompt to " + number(m_config.contextLength - 1) +
                          " tokens or fewer, or give up its middle with --eviction sinks");
  }
  if (request.beamWidth > 1 && (m_options.eviction != Eviction::kNone || !m_options.kvCache)) {
    throw EngineError(ErrorCode::kInvalidArgument,
                      std::string("beam search shares blocks, which does not go with ") +
                          (m_options.kvCache ? "--eviction" : "--no-kv-cache"),
                      "ask without --beam-width, or load the model without that option");
  }
  const std::int64_t most = std::min(length + request.maxTokens, contextLimit());
  std::int64_t blocks = std::min<std::int64_t>((most + m_options.blockSize - 1) / m_options.blockSize,
                                               EvictionRule::of(m_options).mostBlocks());
  if (request.beamWidth >
      1) {  // they are preempted together, so all must fit; the prompt is what they surely share
    const std::int64_t shared = length / m_options.blockSize;
    blocks = shared + request.beamWidth * (blocks - shared);
  }
  const int total = m_scheduler.blocks().pool().totalCount();
  if (blocks > total) {
    throw EngineError(
        ErrorCode::kOutOfMemory,
        "the request needs " + number(blocks) + " KV blocks (" + number(length) +
            " prompt tokens and up to " + number(most - length) + " more" +
            (request.beamWidth > 1 ? " for each of " + number(request.beamWidth) + " beams" : "") +
            "), and the pool has " + number(total),
        "ask for fewer tokens, or give the pool " + number(blocks) + " blocks with --num-blocks");
  }
  if (request.sequenceSlots() > m_options.maxSequences) {
    throw EngineError(ErrorCode::kInvalidArgument,
                      "the request wants " + number(request.sequenceSlots()) +
                          (request.beamWidth > 1 ? " beams, and " : " answers, and ") +
                          number(m_options.maxSequences) + " sequences may run at once",
                      "ask for fewer, or raise --max-sequences");
  }
}

// A token by itself as people read it. A SentencePiece word begins with a space that decoding a single token
// leaves out.
std::string EngineImpl::textOf(TokenId token) const {
  std::string text = m_tokenizer->decode(std::span(&token, 1), false);
  const bool beginsWord = m_tokenizer->piece(token).starts_with("\u2581");
  return beginsWord && !text.starts_with(' ') ? " " + text : text;
}

// Null when it was forgotten.
RequestRecord* EngineImpl::find(RequestId request) const {
  if (request < 1 || request > m_lastRequest) {
    throw EngineError(ErrorCode::kInvalidArgument, "there is no request " + number(request));
  }
  const auto found = m_records.find(request);
  return found == m_records.end() ? nullptr : found->second.get();
}

// Null when it has finished, forgotten or not.
RequestRecord* EngineImpl::unfinished(RequestId request) const {
  RequestRecord* const owner = find(request);
  return owner && !owner->finished ? owner : nullptr;
}

// The lists of a step in flight must not change under it.
void EngineImpl::whenStepEnds(std::function<void()> action) {
  if (m_inStep)
    m_deferred.push_back(std::move(action));
  else
    action();
}

void EngineImpl::cancel(RequestId request) {
  if (!unfinished(request)) return;
  whenStepEnds([this, request] {
    RequestRecord* const owner = unfinished(request);
    if (!owner) return;
    owner->cancelled = true;
    m_events.publish(RequestCancelled{request});
    finishRequest(*owner, FinishReason::kCancelled);
  });
}

void EngineImpl::forget(RequestId request) {
  if (unfinished(request)) {
    throw EngineError(ErrorCode::kInvalidArgument, "request " + number(request) + " has not finished",
                      "cancel it before it is forgotten");
  }
  whenStepEnds([this, request] {
    if (m_records.erase(request) > 0) m_events.publish(RequestForgotten{request});
  });
}

void EngineImpl::setSampling(RequestId request, const SamplingOptions& sampling) {
  const RequestRecord* const asked = unfinished(request);
  if (!asked) return;
  Request changed = asked->request;
  changed.sampling = sampling;
  changed.validate();
  whenStepEnds([this, request, sampling] {
    RequestRecord* const owner = unfinished(request);
    if (!owner) return;
    owner->request.sampling = sampling;
    owner->seed = mixSeeds(m_options.seed, sampling.seed);
    m_events.publish(SamplingChanged{request, sampling});
  });
}

}  // namespace vitrine
