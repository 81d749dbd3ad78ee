#include "roof_measurer.h"

#include <utility>

namespace vitrine {

// A machine that could not be measured is not asked again.
RoofMeasurer::RoofMeasurer(EngineHost& host, OperationsModel& model, QObject* parent) : QObject(parent) {
  connect(&model, &OperationsModel::roofWanted, this, [this, &host] {
    if (!std::exchange(m_asked, true)) host.measureRoof(m_cancelled);
  });
  connect(&host, &EngineHost::roofKnown, &model,
          [&model](const std::shared_ptr<const MachineRoof>& roof) { model.setRoof(*roof); });
}

}  // namespace vitrine
