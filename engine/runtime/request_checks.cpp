#include "runtime/request_checks.h"

#include <algorithm>
#include <string>

#include "vitrine/text_stream.h"

namespace vitrine {
namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

}  // namespace

void RequestChecks::prepare(Request& request) const {
  request.validate();
  if (request.tokenIds.empty() && !request.prompt.empty()) {
    if (!m_tokenizer) {
      throw EngineError(ErrorCode::kUnavailable,
                        "the model's directory has no tokenizer, so a prompt as text cannot be read",
                        "give the prompt as token ids, or put the tokenizer's files beside the model");
    }
    request.tokenIds = m_tokenizer->encode(request.prompt, request.addSpecialTokens);
  }
  if (request.tokenIds.empty())
    throw EngineError(ErrorCode::kInvalidArgument, "the prompt is empty", "give at least one token");
  requireKnownTokens(request.tokenIds);
  requireOutput(request);
  requireContext(request);
  if (request.maxTokens == 0) request.maxTokens = mostTokens(request);
  requireBlocks(request);
  requireSlots(request);
}

void RequestChecks::requireKnownTokens(std::span<const TokenId> tokens) const {
  const auto isUnknown = [&](TokenId token) { return token < 0 || token >= m_limits.vocabularySize; };
  const auto unknown = std::ranges::find_if(tokens, isUnknown);
  if (unknown == tokens.end()) return;
  throw EngineError(ErrorCode::kInvalidArgument,
                    "token id " + number(*unknown) + " is outside the model's vocabulary of " +
                        number(m_limits.vocabularySize),
                    "use ids from 0 to " + number(m_limits.vocabularySize - 1));
}

// A forced beginning that would have ended the answer has nothing to be followed by.
void RequestChecks::requireOutput(const Request& request) const {
  if (request.outputIds.empty()) return;
  requireKnownTokens(request.outputIds);
  const auto end = std::ranges::find_first_of(request.outputIds, m_limits.endTokens);
  if (!request.ignoreEos && end != request.outputIds.end())
    throw EngineError(
        ErrorCode::kInvalidArgument,
        "--output-ids ends the answer: token id " + number(*end) + " is one of the model's end tokens",
        "leave it out, or ask with --ignore-eos");
  TextStream stream(m_tokenizer, request.stop);
  for (const TokenId token : request.outputIds) stream.push(token);
  if (stream.stopped())
    throw EngineError(ErrorCode::kInvalidArgument, "--output-ids ends the answer: it has a stop string in it",
                      "leave out the stop string and what follows it");
}

void RequestChecks::requireExaminable(std::span<const TokenId> tokens) const {
  if (tokens.empty()) throw EngineError(ErrorCode::kInvalidArgument, "there are no tokens to examine");
  requireKnownTokens(tokens);
  if (static_cast<std::int64_t>(tokens.size()) > m_limits.contextLength) {
    throw EngineError(ErrorCode::kContextTooLong,
                      std::to_string(tokens.size()) + " tokens are more than the model's context of " +
                          number(m_limits.contextLength),
                      aboutStretching());
  }
}

std::string RequestChecks::aboutStretching() const {
  return m_limits.stretches ? "The model's rope_scaling is dynamic: this engine computes it up to "
                              "max_position_embeddings, from where on it would stretch"
                            : "";
}

std::int64_t RequestChecks::contextLimit() const {
  constexpr std::int64_t kMostPositions = std::int64_t{1} << 30;
  return m_limits.eviction.isOn() ? kMostPositions : m_limits.contextLength;
}

void RequestChecks::requireContext(const Request& request) const {
  const std::int64_t tokens = std::ssize(request.tokenIds) + std::ssize(request.outputIds);
  if (tokens < contextLimit()) return;
  throw EngineError(ErrorCode::kContextTooLong,
                    "the prompt has " + number(std::ssize(request.tokenIds)) + " tokens" +
                        (request.outputIds.empty()
                             ? ""
                             : " and the beginning of the answer " + number(std::ssize(request.outputIds))) +
                        ", and the model's context of " + number(m_limits.contextLength) +
                        " leaves no room for an answer",
                    "shorten the prompt to " + number(m_limits.contextLength - 1) +
                        " tokens or fewer, or give up its middle with --eviction sinks" +
                        (m_limits.stretches ? ". " + aboutStretching() : ""));
}

// What the context holds behind the prompt, and the pool when it holds nothing else: a request without a
// limit of its own is not one that can never fit.
int RequestChecks::mostTokens(const Request& request) const {
  const auto length = static_cast<std::int64_t>(request.tokenIds.size());
  std::int64_t most = contextLimit();
  if (m_limits.eviction.mostBlocks() > m_limits.totalBlocks) {
    const std::int64_t shared =
        request.searches() ? std::min<std::int64_t>(length / m_limits.blockSize, m_limits.totalBlocks) : 0;
    const std::int64_t own = (m_limits.totalBlocks - shared) / std::max(request.beamWidth, 1);
    most = std::min(most, (shared + own) * m_limits.blockSize);
  }
  // One that has no room at all is refused with the blocks that it needs.
  return static_cast<int>(std::max<std::int64_t>(most - length, std::ssize(request.outputIds) + 1));
}

// The beams of a search are preempted together, so all of them must fit. What they surely share is the full
// blocks of the prompt.
void RequestChecks::requireBlocks(const Request& request) const {
  const bool beams = request.searches();
  if (beams && (m_limits.eviction.isOn() || !m_limits.kvCache)) {
    throw EngineError(ErrorCode::kInvalidArgument,
                      std::string("beam search shares blocks, which does not go with ") +
                          (m_limits.kvCache ? "--eviction" : "--no-kv-cache"),
                      "ask without --beam-width, or load the model without that option");
  }
  const auto length = static_cast<std::int64_t>(request.tokenIds.size());
  const std::int64_t most = std::min(length + request.maxTokens, contextLimit());
  std::int64_t blocks = std::min<std::int64_t>((most + m_limits.blockSize - 1) / m_limits.blockSize,
                                               m_limits.eviction.mostBlocks());
  if (beams) {
    const std::int64_t shared = length / m_limits.blockSize;
    blocks = shared + request.beamWidth * (blocks - shared);
  }
  if (blocks <= m_limits.totalBlocks) return;
  throw EngineError(ErrorCode::kOutOfMemory,
                    "the request needs " + number(blocks) + " KV blocks (" + number(length) +
                        " prompt tokens and up to " + number(most - length) + " more" +
                        (beams ? " for each of " + number(request.beamWidth) + " beams" : "") +
                        "), and the pool has " + number(m_limits.totalBlocks),
                    "ask for fewer tokens, or give the pool " + number(blocks) + " blocks with --num-blocks");
}

void RequestChecks::requireSlots(const Request& request) const {
  if (request.sequenceSlots() <= m_limits.maxSequences) return;
  throw EngineError(ErrorCode::kInvalidArgument,
                    "the request wants " + number(request.sequenceSlots()) +
                        (request.searches() ? " beams, and " : " answers, and ") +
                        number(m_limits.maxSequences) + " sequences may run at once",
                    "ask for fewer, or raise --max-sequences");
}

}  // namespace vitrine
