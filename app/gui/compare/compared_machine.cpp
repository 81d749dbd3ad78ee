#include "gui/compare/compared_machine.h"

#include <utility>

#include "gui/machine/scenario_load.h"

namespace vitrine {

ComparedMachine::ComparedMachine(QObject* parent) : QObject(parent) {
  m_host.deliverTo([this](std::vector<Event> events) { take(std::move(events)); });
  connect(&m_host, &EngineHost::modeChanged, this, [this](MachineMode mode) {
    if (mode != MachineMode::kLoading) m_isLoading = false;
    emit advanced();
  });
  connect(&m_host, &EngineHost::noticed, this, &ComparedMachine::noticed);
}

void ComparedMachine::load(const Scenario& scenario) {
  LoadOrder order = loadOrderOf(scenario);
  m_requests = scenario.requests.size();
  m_isLoading = true;
  m_tally = {};
  m_session.clear();
  m_host.load(std::move(order));
  emit advanced();
}

void ComparedMachine::close() {
  m_host.close();
  m_isLoading = false;
}

void ComparedMachine::take(std::vector<Event> events) {
  for (const Event& event : events) m_tally.publish(event);
  m_session.append(std::move(events));
  emit advanced();
}

bool ComparedMachine::hasEnded() const {
  const RunTotals& totals = m_tally.totals();
  return m_requests > 0 && totals.finished + totals.rejected >= static_cast<std::int64_t>(m_requests) &&
         m_session.recording().live().running.empty();
}

}  // namespace vitrine

#include "moc_compared_machine.cpp"
