#include "quiz/marks.h"

namespace vitrine::quiz {

Marks markedOf(std::span<const AskedStep> items, std::span<const Paper> papers) {
  Marks marks;
  marks.means.resize(items.size());
  for (const AskedStep& item : items) marks.most += mostPoints(item.questions.front());
  for (const Paper& paper : papers) {
    MarkedPaper& marked = marks.papers.emplace_back(MarkedPaper{paper.name, {}, 0});
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool isAnswered = i < paper.guesses.size() && paper.guesses[i].has_value();
      const double points = isAnswered ? pointsOf(items[i].questions.front(), *paper.guesses[i]) : 0;
      marked.points.push_back(points);
      marked.total += points;
      marks.means[i] += points / static_cast<double>(papers.size());
    }
  }
  return marks;
}

}  // namespace vitrine::quiz
