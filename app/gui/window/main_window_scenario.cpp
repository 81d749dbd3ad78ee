// What the window does with a scenario: its line, the sights that it promises, and the way back.
#include <utility>

#include "gui/bars/phase_bar.h"
#include "gui/panels/panels.h"
#include "gui/runs/run_to.h"
#include "gui/scenario/scenario_editing.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_menu.h"
#include "gui/window/main_window.h"
#include "widgets/explain/why_view.h"

namespace vitrine {

void MainWindow::wireScenario() {
  ScenarioLine* line = &scenario();
  connect(&m_session, &Session::appended, line, &ScenarioLine::take);
  connect(line, &ScenarioLine::visitRequested, this, &MainWindow::visit);
  connect(line, &ScenarioLine::runRequested, this, &MainWindow::runToSight);
  auto* editing = new ScenarioEditing(*m_loading, *m_runTo, this);
  connect(m_scenarioMenu, &ScenarioMenu::editRequested, editing, &ScenarioEditing::open);
}

void MainWindow::leaveScenario() {
  if (!m_loading->leaveScenario()) openModel({});
}

// Goes back to an event that the scenario promised.
void MainWindow::visit(int sight) {
  m_host.pause();
  m_session.goToStep(scenario().expectations().sights()[static_cast<std::size_t>(sight)].step);
  showSight(sight);
}

// A command of another kind on the way takes the destination from it.
void MainWindow::runToSight(int sight) {
  m_session.goLive();
  m_destination = sight;
  m_runTo->run(breakpointAt(scenario().expectations().wanted()[static_cast<std::size_t>(sight)]));
}

void MainWindow::arriveAt(int sight) {
  if (scenario().expectations().sights()[static_cast<std::size_t>(sight)].seen && m_session.isLive())
    showSight(sight);
}

// In the step shown: its sequence, its panel, and its sentence of *Why this step?*.
void MainWindow::showSight(int sight) {
  const Expectations& expectations = scenario().expectations();
  const Expectations::Sight& seen = expectations.sights()[static_cast<std::size_t>(sight)];
  if (seen.sequence != 0) m_session.selectSequence(seen.sequence);
  showPanel(QString::fromStdString(expectations.wanted()[static_cast<std::size_t>(sight)].panel));
  m_panels->why->showStop(seen);
}

}  // namespace vitrine
