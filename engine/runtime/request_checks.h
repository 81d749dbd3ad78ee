// RequestChecks: rejects at submission what could never run, with the numbers and the remedy, so that no
// request waits for ever.
//
// Constant functions of the limits below; they publish nothing. Errors: EngineError. Thread: any, if the
// tokenizer allows it. Read next: submission.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "scheduling/eviction_rule.h"
#include "vitrine/engine.h"

namespace vitrine {

struct RequestLimits {
  int vocabularySize = 0;
  int contextLength = 0;   // the model's, in tokens
  bool stretches = false;  // beyond it, as dynamic rope_scaling does (models/rope.h)
  int blockSize = 16, totalBlocks = 0;
  int maxSequences = 1;
  std::vector<TokenId> endTokens = {};
  bool kvCache = true;
  EvictionRule eviction = {};
};

class RequestChecks {
 public:
  // The tokenizer must outlive the checks; null: prompts are token ids.
  RequestChecks(const RequestLimits& limits, const Tokenizer* tokenizer)
      : m_limits(limits), m_tokenizer(tokenizer) {}

  // Encodes the prompt, gives a request without a limit the one of the context, and checks all that can be
  // known before the first step. Throws EngineError:
  // kInvalidArgument (options out of range, an empty prompt, ids outside the vocabulary, a forced beginning
  // that ends the answer, more answers than slots), kUnavailable (text without a tokenizer), kContextTooLong,
  // kOutOfMemory (more blocks than the pool has).
  void prepare(Request& request) const;

  // Throws EngineError(kInvalidArgument) for an id outside the vocabulary.
  void requireKnownTokens(std::span<const TokenId> tokens) const;
  // For a forward apart from the requests: at least one token, known ones, and no more than the model's
  // context. Throws EngineError(kInvalidArgument or kContextTooLong).
  void requireExaminable(std::span<const TokenId> tokens) const;

  // The most tokens of a sequence: the model's context, or with eviction as many as an index can count.
  std::int64_t contextLimit() const;

 private:
  std::string aboutStretching() const;
  void requireOutput(const Request& request) const;
  void requireContext(const Request& request) const;
  int mostTokens(const Request& request) const;
  void requireBlocks(const Request& request) const;
  void requireSlots(const Request& request) const;

  const RequestLimits m_limits;
  const Tokenizer* const m_tokenizer;
};

}  // namespace vitrine
