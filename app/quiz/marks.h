// What a class's answers are worth: a person's points, and how a question went.
//
// Points are those of vitrine/questions.h, a question without an answer earning none. Thread: values and a
// pure function. Read next: question_choice.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "quiz/class_answers.h"

namespace vitrine::quiz {

struct MarkedPaper {
  std::string name;
  std::vector<double> points;  // of each question
  double total = 0;
};

struct Marks {
  std::vector<MarkedPaper> papers;  // in the order of the answers
  std::vector<double> means;        // of each question, over all papers; 0 without any
  double most = 0;                  // that a paper can earn
};

Marks markedOf(std::span<const AskedStep> items, std::span<const Paper> papers);

}  // namespace vitrine::quiz
