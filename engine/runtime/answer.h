// Answer: one sequence, and the result it becomes. Thread: the engine's. Read next: request_record.h.
#pragma once

#include "grammar/grammar_guide.h"
#include "scheduling/scheduler.h"
#include "vitrine/engine.h"
#include "vitrine/text_stream.h"

namespace vitrine {

struct RequestRecord;

struct Answer {
  Answer(RequestRecord& owner, const Tokenizer* tokenizer, const std::vector<std::string>& stop)
      : record(owner), stream(tokenizer, stop) {}
  // The answer with this index of the same request: it continues the parent's text and result. Its sequence
  // has no tokens yet.
  Answer(const Answer& parent, int index);

  RequestRecord& record;
  Sequence sequence;
  TextStream stream;
  GrammarPlace grammar;  // in the request's grammar, if it has one
  SequenceResult result;

  std::span<const TokenId> output() const {
    return std::span(sequence.tokens).subspan(static_cast<std::size_t>(sequence.promptTokens));
  }

  // With its sequence, close to those of other answers (core/object_pool.h).
  static void* operator new(std::size_t bytes) { return allocatePooled(bytes); }
  static void operator delete(void* answer, std::size_t bytes) { releasePooled(answer, bytes); }
};

// Adds an answer to the parent's request; its sequence shares the parent's tokens and blocks. Publishes what
// Scheduler::fork() publishes. Throws std::bad_alloc, and then nothing has changed.
Answer& forkAnswer(Scheduler& scheduler, Answer& parent, int index);

}  // namespace vitrine
