#include "gui/machine/run_state.h"

#include "widgets/support/formats.h"
#include "widgets/support/wording.h"

namespace vitrine {

namespace {

bool hasWork(const MachineState& state) { return !state.waiting.empty() || !state.running.empty(); }

RunState atStep(const QString& word, const QString& line, int step) {
  return {Wording::tr("%1 · step %2").arg(word).arg(step), line.arg(step)};
}

RunState stateOf(MachineMode mode, Phase next, const Session& session) {
  const int step = session.lastStep();
  // Without a machine a recording's end is its end.
  if (!session.isLive() || (mode == MachineMode::kEmpty && step > 0)) {
    const QString replay =
        Wording::tr("REPLAY %1 of %2").arg(session.step()).arg(session.recording().lastFinishedStep());
    const std::optional<Phase> ahead = session.phaseAhead();
    return {replay, ahead ? Wording::tr("%1, before %2").arg(replay, phaseName(*ahead)) : replay};
  }
  switch (mode) {
    case MachineMode::kEmpty:
      return {Wording::tr("NO MODEL"), Wording::tr("NO MODEL")};
    case MachineMode::kLoading:
      return {Wording::tr("LOADING"), Wording::tr("LOADING")};
    case MachineMode::kRunning:
      return atStep(Wording::tr("LIVE"), Wording::tr("LIVE, step %1"), step);
    case MachineMode::kHeld: {
      const RunState held = atStep(Wording::tr("PAUSED"), Wording::tr("PAUSED in step %1, before %2"), step);
      return {held.brief, held.line.arg(phaseName(next))};
    }
    case MachineMode::kPaused:
      break;
  }
  return hasWork(session.recording().live())
             ? atStep(Wording::tr("PAUSED"), Wording::tr("PAUSED at step %1"), step)
             : atStep(Wording::tr("IDLE"), Wording::tr("IDLE at step %1"), step);
}

}  // namespace

RunState runState(MachineMode mode, Phase next, const Session& session, const QString& watched) {
  if (watched.isEmpty() || !session.isLive()) return stateOf(mode, next, session);
  if (mode == MachineMode::kEmpty)
    return atStep(Wording::tr("WATCHING"), Wording::tr("WATCHING %1, step %2").arg(watched),
                  session.lastStep());
  RunState steered = stateOf(mode, next, session);
  steered.line = Wording::tr("%1 of %2").arg(steered.line, watched);
  return steered;
}

RunState connectedState(const QString& server, const Session& session) {
  if (!session.isLive()) return stateOf(MachineMode::kEmpty, Phase::kAdmit, session);
  const QString line = hasWork(session.recording().live()) ? Wording::tr("ANSWERING at %1, step %2")
                                                           : Wording::tr("CONNECTED to %1, step %2");
  const QString word =
      hasWork(session.recording().live()) ? Wording::tr("ANSWERING") : Wording::tr("CONNECTED");
  return atStep(word, line.arg(server, QStringLiteral("%1")), session.lastStep());
}

std::optional<Phase> phaseAhead(MachineMode mode, Phase next, const Session& session) {
  if (!session.isLive()) return session.phaseAhead();
  return mode == MachineMode::kHeld ? std::optional(next) : std::nullopt;
}

std::array<PhaseProgress, kPhaseCount> phaseProgress(std::optional<Phase> ahead, EventBatch stepEvents) {
  std::array<PhaseProgress, kPhaseCount> progress{};
  int present = -1;
  bool started = false;
  for (const Event& event : stepEvents) {
    if (std::holds_alternative<StepStarted>(event.body)) started = true;
    const auto* phase = std::get_if<PhaseStarted>(&event.body);
    if (!phase || !started) continue;
    present = static_cast<int>(phase->phase);
    progress[static_cast<std::size_t>(present)] = PhaseProgress::kDone;
  }
  if (ahead) present = static_cast<int>(*ahead);
  if (present >= 0) progress[static_cast<std::size_t>(present)] = PhaseProgress::kPresent;
  return progress;
}

}  // namespace vitrine
