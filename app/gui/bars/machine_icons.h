// The signs of a tape machine, and a cross to leave by, drawn in the palette's colours so that they fit
// light, dark and high contrast.
#pragma once

#include <QIcon>
#include <QPalette>

namespace vitrine {

enum class MachineIcon { kReset, kBack, kStep, kPhase, kRun, kPause, kLeave };

// lit: in the ink of the highlight colour, for the button to press next.
QIcon machineIcon(MachineIcon icon, const QPalette& palette, bool lit = false);

}  // namespace vitrine
