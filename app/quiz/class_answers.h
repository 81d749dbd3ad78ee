// The answers of a class, as a spreadsheet writes them: a line for each person, the name first, then a cell
// for each question.
//
// Text as in RFC 4180, with commas, semicolons or tabs between cells: what the first line has most of, since
// that depends on a spreadsheet's language. The first line has headings, "Name", then the questions' numbers
// in any order ("1" or "Q1"). Thread: pure functions. Read next: marks.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vitrine/questions.h"

namespace vitrine::quiz {

// A person's sheet. Nothing: no answer was given.
struct Paper {
  std::string name;
  std::vector<std::optional<Guess>> guesses;  // one for each question
};

// "17"; "c", "a c", "ac", "a,c"; "none" or "-" for none of them; nothing for a cell of blanks. Throws
// EngineError(kInvalidArgument), which says what such a question takes.
std::optional<Guess> guessOf(const QuizQuestion& question, std::string_view cell);

// The cells of each line, without blanks at their ends; a line of blanks is passed over. Throws
// EngineError(kFileCorrupt) for a quotation mark that is never closed, with the line.
std::vector<std::vector<std::string>> cellsOf(std::string_view text);

// Throws EngineError: as these do, with the person and the question's number; kInvalidArgument for a heading
// that names no question, or one twice, and for a line with more cells than headings. Missing cells are no
// answers.
std::vector<Paper> papersOf(std::string_view text, std::span<const AskedStep> items);

}  // namespace vitrine::quiz
