// What the window does with a scenario: its line, the sights that it promises, and the way back.
#include <utility>

#include "main_window.h"
#include "phase_bar.h"
#include "run_to.h"
#include "scenario_editing.h"
#include "scenario_line.h"
#include "scenario_menu.h"

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

// Shows an event that the scenario promised.
void MainWindow::visit(int step, int sequence, const QString& panel) {
  m_host.pause();
  m_session.goToStep(step);
  if (sequence != 0) m_session.selectSequence(sequence);
  showPanel(panel);
}

// A command of another kind on the way takes the destination from it.
void MainWindow::runToSight(int sight) {
  m_session.goLive();
  m_destination = sight;
  m_runTo->run(breakpointAt(scenario().expectations().wanted()[static_cast<std::size_t>(sight)]));
}

void MainWindow::arriveAt(int sight) {
  const Expectations& expectations = scenario().expectations();
  const Expectations::Sight& seen = expectations.sights()[static_cast<std::size_t>(sight)];
  if (!seen.seen || !m_session.isLive()) return;
  if (seen.sequence != 0) m_session.selectSequence(seen.sequence);
  showPanel(QString::fromStdString(expectations.wanted()[static_cast<std::size_t>(sight)].panel));
}

}  // namespace vitrine
