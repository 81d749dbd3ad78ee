// Any bytes as a class's answers: refused with an EngineError, or papers whose points can be earned.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "quiz/marks.h"
#include "vitrine/error.h"

using namespace vitrine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  QuizQuestion sequences, token, number;
  sequences.sequences = {1, 2, 3};
  sequences.answer.chosen = {1};
  token.kind = QuestionKind::kNextToken;
  token.tokens = {{1, "a", 0.25}, {2, "b", 0.5}};
  token.answer.chosen = {0};
  number.kind = QuestionKind::kBlocks;
  number.answer.number = 2;
  const AskedStep items[] = {{{}, {sequences}}, {{}, {token}}, {{}, {number}}};
  try {
    const quiz::Marks marks = quiz::markedOf(items, quiz::papersOf(text, items));
    for (const quiz::MarkedPaper& paper : marks.papers)
      if (paper.points.size() != std::size(items) || !(paper.total >= 0 && paper.total <= marks.most))
        std::abort();
  } catch (const EngineError&) {
    return 0;
  }
  return 0;
}
