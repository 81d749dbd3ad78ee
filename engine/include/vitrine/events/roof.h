// Events of the machine below the engine: what its device can do at most.
// Thread: values. Read next: ../machine_roof.h.
#pragma once

#include "vitrine/description.h"
#include "vitrine/machine_roof.h"

namespace vitrine {

// Engine::measureRoof(): the limits of the device that computes this run, so that a trace shows its
// operations under them wherever it is opened.
struct RoofMeasured {
  MachineRoof roof;
};
VITRINE_REPORT(RoofMeasured, "roof_measured", kEngine, field("roof", &T::roof));

}  // namespace vitrine
