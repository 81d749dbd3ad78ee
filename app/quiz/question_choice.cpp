#include "quiz/question_choice.h"

#include <algorithm>
#include <random>
#include <set>

namespace vitrine::quiz {
namespace {

// The standard says what these give, so they are the same everywhere.
std::uint64_t drawnFor(const QuizQuestion& question, std::uint64_t seed) {
  std::seed_seq of{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32),
                   static_cast<std::uint32_t>(question.step), static_cast<std::uint32_t>(question.kind),
                   static_cast<std::uint32_t>(question.sequence)};
  return std::mt19937_64(of)();
}

}  // namespace

bool QuestionChoice::isWanted(const QuizQuestion& question) const {
  if (!m_wish.kinds.empty() && !std::ranges::count(m_wish.kinds, question.kind)) return false;
  return !m_wish.difficulty || *m_wish.difficulty == question.difficulty;
}

void QuestionChoice::add(const Event& event) {
  const std::optional<AskedStep> asked = m_maker.add(event);
  if (!asked) return;
  for (const QuizQuestion& question : asked->questions) {
    if (!isWanted(question)) continue;
    auto& ofKind = m_drawn[question.kind];
    const std::uint64_t number = drawnFor(question, m_wish.seed);
    // A question can lose its place to one of each other step: twice as many are kept as are wanted.
    const std::size_t kept = 2 * static_cast<std::size_t>(m_wish.questions);
    if (ofKind.size() >= kept && number >= ofKind.rbegin()->first) continue;
    ofKind.emplace(number, AskedStep{asked->facts, {question}});
    if (ofKind.size() > kept) ofKind.erase(std::prev(ofKind.end()));
  }
}

std::vector<AskedStep> QuestionChoice::items() const {
  std::vector<AskedStep> chosen;
  std::set<int> steps;
  std::set<std::pair<int, int>> taken;  // step, kind
  const auto wanted = static_cast<std::size_t>(m_wish.questions);
  // First one question a step, then as many as it takes.
  for (const bool mayRepeat : {false, true})
    for (bool found = true; found && chosen.size() < wanted;) {
      found = false;
      for (const auto& ofKind : m_drawn) {
        if (chosen.size() == wanted) break;
        const int kind = static_cast<int>(ofKind.first);
        const auto& drawn = ofKind.second;
        const auto next = std::ranges::find_if(drawn, [&](const auto& numbered) {
          const int step = numbered.second.facts.step;
          return !taken.contains({step, kind}) && (mayRepeat || !steps.contains(step));
        });
        if (next == drawn.end()) continue;
        const int step = next->second.facts.step;
        taken.emplace(step, kind);
        steps.insert(step);
        chosen.push_back(next->second);
        found = true;
      }
    }
  std::ranges::stable_sort(chosen, {}, [](const AskedStep& item) {
    return std::pair(item.facts.step, item.questions.front().kind);
  });
  return chosen;
}

}  // namespace vitrine::quiz
