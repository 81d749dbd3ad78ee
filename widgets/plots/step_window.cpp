#include "widgets/plots/step_window.h"

#include <algorithm>

namespace vitrine {

// A short run does not fill the axis, so that its first steps do not jump.
double StepWindow::runSteps() const { return std::max(m_last - m_first, 10) + 1; }

void StepWindow::setRun(int first, int last) {
  const bool followed = !isWhole() && end() >= m_last + 0.5;
  m_first = first;
  m_last = last;
  if (isWhole()) return;
  if (followed) reveal(last);
  keepInside();
}

void StepWindow::zoom(double factor, double around) {
  const double before = end() - begin(), steps = std::max(kLeastSteps, before / factor);
  if (steps >= runSteps()) return fit();
  m_begin = around - (around - begin()) / before * steps;
  m_steps = steps;
  keepInside();
}

void StepWindow::pan(double steps) {
  if (isWhole()) return;
  m_begin += steps;
  keepInside();
}

void StepWindow::reveal(int step) {
  if (isWhole()) return;
  if (step - 0.5 < begin()) m_begin = step - 0.5;
  if (step + 0.5 > end()) m_begin = step + 0.5 - m_steps;
  keepInside();
}

void StepWindow::keepInside() {
  if (m_steps >= runSteps()) return fit();
  m_begin = std::clamp(m_begin, runBegin(), runBegin() + runSteps() - m_steps);
}

}  // namespace vitrine
