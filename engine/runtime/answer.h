// Answer: one sequence, and the result it becomes. Thread: the engine's.
#pragma once

#include "scheduling/sequence.h"
#include "vitrine/engine.h"
#include "vitrine/text_stream.h"

namespace vitrine {

struct RequestRecord;

struct Answer {
  Answer(RequestRecord& owner, const Tokenizer* tokenizer, const std::vector<std::string>& stop)
      : record(owner), stream(tokenizer, stop) {}

  RequestRecord& record;
  Sequence sequence;
  TextStream stream;
  SequenceResult result;
};

}  // namespace vitrine
