// RunState: what the machine does and where the cursor is, in the same words everywhere: LIVE, PAUSED, IDLE,
// WATCHING, REPLAY n of m; and which phases of the step shown have been done. Pure functions of mode and
// session. Thread: the window's.
#pragma once

#include <QString>
#include <array>
#include <optional>

#include "gui/machine/engine_worker.h"
#include "widgets/session/session.h"

namespace vitrine {

struct RunState {
  QString brief;  // "PAUSED · step 17", for the pill in the tool bar
  QString line;   // "PAUSED in step 17, before Allocate", for the status strip
};
// `watched`: the server whose engine is shown; empty: none is. With a mode it is steered from here.
RunState runState(MachineMode mode, Phase next, const Session& session, const QString& watched = {});
// Of another program's engine that takes the chats: what it does is seen from outside alone.
RunState connectedState(const QString& server, const Session& session);

// The progress of a phase in a step.
enum class PhaseProgress : std::uint8_t { kOpen, kDone, kPresent };
// The phase before which the machine is held, or the cursor stands in the past; none: at a step's end, or the
// machine runs.
std::optional<Phase> phaseAhead(MachineMode mode, Phase next, const Session& session);
// The present phase is the one ahead; without it, the last that has begun. A step that planned nothing ends
// after its second phase.
std::array<PhaseProgress, kPhaseCount> phaseProgress(std::optional<Phase> ahead, EventBatch stepEvents);

}  // namespace vitrine
