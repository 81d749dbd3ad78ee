// The words of questions: what is asked, what may be chosen, what was guessed, and the facts before a step.
//
// Thread: any; pure functions. Read next: quiz_sheet.h.
#pragma once

#include <string>
#include <vector>

#include "vitrine/prose/event_prose.h"
#include "vitrine/questions.h"

namespace vitrine::prose {

// "Which of the waiting sequences does step 12 admit?"
std::string questionText(const QuizQuestion& question, const Names& names = {},
                         const Language& language = english());
// Of a place among the choices, which it requires: "A", or a token: "“␣the”".
std::string choiceText(const QuizQuestion& question, int place, const Names& names = {},
                       const Language& language = english());
// "A and C", "none of them", "17", "“␣the”, 31 % likely"
std::string guessText(const QuizQuestion& question, const Guess& guess, const Names& names = {},
                      const Language& language = english());
std::string difficultyName(Difficulty difficulty, const Language& language = english());  // "medium"

// "A so far: “Once upon” → “a time”", prompt and answer, of a question about its next token; empty for
// others.
std::string textSoFar(const QuizQuestion& question, const StepFacts& facts, const Names& names = {},
                      const Language& language = english());
// How many KV blocks are free, and the limits of a step, where they are told.
std::string factsText(const StepFacts& facts, const Language& language = english());
// A row of headings, then one for each sequence.
std::vector<std::vector<std::string>> factTable(const StepFacts& facts, const Names& names = {},
                                                const Language& language = english());

}  // namespace vitrine::prose
