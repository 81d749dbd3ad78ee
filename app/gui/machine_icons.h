// The tape machine's signs, drawn in the palette's own colours so that light, dark and high contrast fit.
#pragma once

#include <QIcon>
#include <QPalette>

namespace vitrine {

enum class MachineIcon { kReset, kBack, kStep, kPhase, kRun, kPause };

// lit: in the highlight colour, for the one button to press next.
QIcon machineIcon(MachineIcon icon, const QPalette& palette, bool lit = false);

}  // namespace vitrine
