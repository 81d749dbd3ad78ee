// StepWindow: which steps of a run a plot shows: the whole run, or a part that zooms and moves, and that
// follows the end of the run while the end is in sight. Thread: a value.
#pragma once

namespace vitrine {

class StepWindow {
 public:
  static constexpr double kLeastSteps = 8;

  void setRun(int first, int last);         // requires first <= last
  void zoom(double factor, double around);  // above 1: closer; the step `around` stays where it is
  void pan(double steps);                   // to later steps; the ends of the run are the limit
  void reveal(int step);                    // moves as little as it takes
  void fit() { m_steps = 0; }               // the whole run

  bool isWhole() const { return m_steps <= 0; }
  // The edges; a step takes the half before and the half behind its number.
  double begin() const { return isWhole() ? runBegin() : m_begin; }
  double end() const { return begin() + (isWhole() ? runSteps() : m_steps); }

 private:
  double runBegin() const { return m_first - 0.5; }
  double runSteps() const;
  void keepInside();

  int m_first = 0, m_last = 0;
  double m_begin = 0, m_steps = 0;  // m_steps 0: the whole run
};

}  // namespace vitrine
