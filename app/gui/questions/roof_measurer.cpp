#include "gui/questions/roof_measurer.h"

#include <utility>

namespace vitrine {

RoofMeasurer::RoofMeasurer(EngineHost& host, OperationsModel& model, QObject* parent)
    : QObject(parent), m_host(host) {
  connect(&model, &OperationsModel::roofWanted, this, &RoofMeasurer::wish);
  connect(&host, &EngineHost::modeChanged, this, &RoofMeasurer::ask);
  connect(&host, &EngineHost::loaded, this, [this, &model] {
    // The roof of another device holds no more, and views wait for the new one's.
    if (std::exchange(m_device, m_host.device()) != m_host.device()) m_roof.reset();
    m_wanted = m_wanted && !m_roof;
    m_asked = false;
    if (model.isActive() && model.wantsRoof()) wish();  // what it asked for while the model was loaded
  });
}

void RoofMeasurer::want() {
  if (m_roof) emit known(*m_roof);
  wish();
}

void RoofMeasurer::wish() {
  m_wanted = true;
  ask();
}

// A machine that could not be measured is not asked again.
void RoofMeasurer::ask() {
  const bool hasEngine = m_host.mode() != MachineMode::kEmpty && m_host.mode() != MachineMode::kLoading;
  if (!m_wanted || !hasEngine || std::exchange(m_asked, true)) return;
  const auto work = [known = m_measured](const AskedMachine& asked) {
    return asked.engine.measureRoof([&](double fraction) { return asked.goesOn(fraction, ""); }, known);
  };
  m_question = m_host.ask(work, this, [this](const std::optional<MachineRoof>& roof) {
    if (!roof) return;
    m_roof = m_measured = *roof;
    emit known(*roof);
  });
}

}  // namespace vitrine

#include "moc_roof_measurer.cpp"
