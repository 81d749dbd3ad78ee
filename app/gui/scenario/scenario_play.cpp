#include "gui/scenario/scenario_play.h"

#include <utility>

#include "gui/machine/model_loading.h"
#include "gui/runs/run_to.h"
#include "gui/scenario/scenario_editing.h"
#include "gui/scenario/scenario_line.h"
#include "gui/scenario/scenario_menu.h"
#include "widgets/session/session.h"

namespace vitrine {

ScenarioPlay::ScenarioPlay(ScenarioLine& line, ModelLoading& loading, EngineHost& host, RunTo& runTo,
                           QWidget* window)
    : QObject(window),
      m_line(line),
      m_host(host),
      m_runTo(runTo),
      m_session(runTo.session()),
      m_menu(new ScenarioMenu(window)) {
  connect(&m_session, &Session::appended, &line, &ScenarioLine::take);
  connect(&line, &ScenarioLine::visitRequested, this, &ScenarioPlay::visit);
  connect(&line, &ScenarioLine::runRequested, this, &ScenarioPlay::runTo);
  connect(&host, &EngineHost::modeChanged, this, &ScenarioPlay::onStands);
  connect(m_menu, &ScenarioMenu::scenarioChosen, &loading, &ModelLoading::openScenario);
  auto* editing = new ScenarioEditing(loading, runTo, window);
  connect(m_menu, &ScenarioMenu::editRequested, editing, &ScenarioEditing::open);
}

void ScenarioPlay::show(const std::optional<Scenario>& scenario) {
  m_destination = -1;
  m_menu->setInside(scenario ? QString::fromStdString(scenario->name) : QString());
  if (scenario)
    m_line.show(*scenario, m_session.recording());
  else
    m_line.hide();
}

void ScenarioPlay::visit(int expected) {
  m_host.pause();
  m_session.goToStep(m_line.expectations().occurrences()[static_cast<std::size_t>(expected)].step);
  arrive(expected);
}

// A command of another kind on the way takes the destination from it.
void ScenarioPlay::runTo(int expected) {
  m_session.goLive();
  m_destination = expected;
  m_runTo.run(breakpointAt(m_line.expectations().wanted()[static_cast<std::size_t>(expected)]));
}

void ScenarioPlay::onStands() {
  const MachineMode mode = m_host.mode();
  if (m_destination < 0 || (mode != MachineMode::kPaused && mode != MachineMode::kHeld)) return;
  const int expected = std::exchange(m_destination, -1);
  if (m_line.expectations().occurrences()[static_cast<std::size_t>(expected)].seen && m_session.isLive())
    arrive(expected);
}

void ScenarioPlay::arrive(int expected) {
  const auto place = static_cast<std::size_t>(expected);
  const Expectations::Occurrence& seen = m_line.expectations().occurrences()[place];
  if (seen.sequence != 0) m_session.selectSequence(seen.sequence);
  emit arrived(QString::fromStdString(m_line.expectations().wanted()[place].panel), seen);
}

}  // namespace vitrine

#include "moc_scenario_play.cpp"
