// QuestionChoice: a few of a run's questions, spread over kinds and steps.
//
// The choice is a pure function of the run and of what is wanted: the same trace and seed give the same quiz,
// so that answers can be marked long after. It keeps few questions at a time, however long the run is.
// Thread: a value. Read next: class_answers.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "vitrine/questions.h"

namespace vitrine::quiz {

inline constexpr int kMostQuestions = 200;

struct QuizWish {
  int questions = 10;  // at most kMostQuestions
  std::uint64_t seed = 1;
  std::vector<QuestionKind> kinds = {};       // empty: all
  std::optional<Difficulty> difficulty = {};  // nothing: all
};

class QuestionChoice {
 public:
  explicit QuestionChoice(QuizWish wish) : m_wish(std::move(wish)) {}

  // The events of one run in order; as QuestionMaker::add().
  void add(const Event& event);

  // So many as were wanted, or as there are: each step with one question, in the order of the steps. Kinds
  // take turns, and a step is asked about twice only where there are too few of them.
  std::vector<AskedStep> items() const;

 private:
  bool isWanted(const QuizQuestion& question) const;

  QuizWish m_wish;
  QuestionMaker m_maker;
  // By kind, then by a random number of each question: the first ones are taken.
  std::map<QuestionKind, std::multimap<std::uint64_t, AskedStep>> m_drawn;
};

}  // namespace vitrine::quiz
