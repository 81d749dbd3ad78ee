// A sheet of questions for a class, as Markdown: the facts before each step, the question, its choices with
// their letters, and behind a rule the answers. Thread: any; a pure function. Read next: questions.h.
#pragma once

#include <span>
#include <string>

#include "vitrine/prose/question_words.h"

namespace vitrine::prose {

// Of each step its first question, in the order given.
std::string quizSheet(std::span<const AskedStep> items, const Names& names = {},
                      const Language& language = english());

// The letter of a place: a to h.
inline char choiceLetter(int place) { return static_cast<char>('a' + place); }

}  // namespace vitrine::prose
