// Naive beam search: transformers' generate(num_beams=..., do_sample=False) as its documentation and source
// describe it, over full tables of numbers, with every sequence computed again for every token. An oracle for
// the engine's search; it shares no code with it, and keeps the reference's device of marking what does not
// count with a score of minus a billion.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace vitrine::test {

using NaiveTokens = std::vector<std::int32_t>;

struct NaiveSearch {
  int beams = 1, answers = 1, maxNewTokens = 1;
  double lengthPenalty = 1;
  bool stopEarly = false, never = false;  // early_stopping True, "never"; neither: False
  NaiveTokens endTokens;
  double repetitionPenalty = 1, presencePenalty = 0, frequencyPenalty = 0;
  std::function<bool(const NaiveTokens& output)> stops;  // null: only end tokens do
};

struct NaiveBeamAnswer {
  NaiveTokens tokens;  // generated
  double score;
};
struct NaiveOutcome {
  std::vector<NaiveBeamAnswer> answers;  // best first
  double margin;                         // the least distance between two numbers whose order mattered
};

// logits(all tokens) gives the logits of what comes next.
NaiveOutcome searchNaive(const NaiveTokens& prompt, const NaiveSearch& search,
                         const std::function<std::vector<double>(const NaiveTokens&)>& logits);

}  // namespace vitrine::test
