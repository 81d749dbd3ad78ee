// PhaseBar: the row under the tool bar: the phases of the step, and beside them the scenario. Below it lies
// the gap to the cards. Thread: the window's. Read next: phase_strip.h, scenario_line.h.
#pragma once

#include <QToolBar>

namespace vitrine {

class PhaseStrip;
class ScenarioLine;
class Session;

class PhaseBar : public QToolBar {
  Q_OBJECT

 public:
  PhaseBar(const Session& session, QWidget* parent);
  PhaseStrip& phases() const { return *m_phases; }
  ScenarioLine& scenario() const { return *m_scenario; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  PhaseStrip* m_phases;
  ScenarioLine* m_scenario;
};

}  // namespace vitrine
