// A scenario as an order for a machine. Thread: any. Read next: load_order.h.
#pragma once

#include "gui/machine/load_order.h"
#include "scenarios/scenario.h"

namespace vitrine {

// From its beginning. Throws UsageError for options that do not go together.
inline LoadOrder loadOrderOf(const Scenario& scenario) {
  LoadOrder order;
  order.model = scenario.engine.modelDirectory();
  order.options = scenario.engine.toOptions();
  order.timetable = Timetable(scenario.requests, scenario.commands);
  return order;
}

}  // namespace vitrine
