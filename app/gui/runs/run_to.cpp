#include "gui/runs/run_to.h"

#include "vitrine/prose/breakpoint_words.h"
#include "widgets/support/window_language.h"

namespace vitrine {

RunTo::RunTo(Session& session, EngineHost& host, BreakpointList& list, QObject* parent)
    : QObject(parent), m_session(session), m_host(host), m_list(list), m_player(session) {
  connect(&list, &BreakpointList::changed, this, [this] { m_host.setBreakpoints(m_list.all()); });
  connect(&host, &EngineHost::stoppedAt, this, &RunTo::onStopped);
  connect(&host, &EngineHost::modeChanged, this, &RunTo::onMode);
  connect(&m_player, &RecordingPlayer::met, this, &RunTo::onStopped);
  connect(&m_player, &RecordingPlayer::ended, this, &RunTo::onPlayedToTheEnd);
  connect(&m_player, &RecordingPlayer::playingChanged, this, [this] {
    if (!m_player.isPlaying()) m_list.setOnce(std::nullopt);
  });
  m_host.setBreakpoints(m_list.all());
}

void RunTo::run(const Breakpoint& once, RunSpeed speed) {
  if (m_host.mode() == MachineMode::kEmpty && !m_session.isLive()) {
    m_list.setOnce(once);
    return play();
  }
  if (!m_session.isLive()) {
    std::vector<Breakpoint> wanted{once};
    wanted.front().once = true;
    for (const Breakpoint& one : m_list.all()) wanted.push_back(one);
    if (const auto stop = findRecorded(wanted)) {
      m_session.goToStep(stop->hit.step);
      return onStopped(*stop);
    }
  }
  const MachineMode mode = m_host.mode();
  if (mode == MachineMode::kEmpty || mode == MachineMode::kLoading) return;
  if (mode == MachineMode::kPaused && !hasWork())
    return emit stopped(tr("The run has ended, without a further: %1").arg(m_list.textOf(once)),
                        m_session.step());
  m_session.goLive();
  m_runs = mode == MachineMode::kRunning;
  m_list.setOnce(once);
  m_host.run(speed);
}

bool RunTo::hasWork() const {
  const MachineState& live = m_session.recording().live();
  return !live.waiting.empty() || !live.running.empty();
}

std::optional<BreakStop> RunTo::findRecorded(const std::vector<Breakpoint>& wanted) const {
  const Recording& recording = m_session.recording();
  Breakpoints breakpoints;
  breakpoints.set(wanted);
  breakpoints.begin(m_session.state());
  std::int64_t place = m_session.shownEnd();
  try {
    if (const auto hit = firstHit(breakpoints, recording, place, recording.size()))
      return BreakStop{wanted[hit->place], *hit};
  } catch (const EngineError&) {  // the disk has lost a part of the past; what follows it is computed
  }
  return std::nullopt;
}

void RunTo::onStopped(const BreakStop& stop) {
  m_list.setOnce(std::nullopt);
  const std::string reason = prose::stopReason(stop, m_session.proseNames(), windowLanguage());
  emit stopped(QString::fromStdString(reason), stop.hit.step);
  emit met(stop.hit);
}

void RunTo::onPlayedToTheEnd() {
  const int last = m_session.step();
  const std::optional<Breakpoint>& once = m_list.once();
  emit stopped(once ? tr("The recording ends at step %1 without: %2").arg(last).arg(m_list.textOf(*once))
                    : tr("The recording ends at step %1.").arg(last),
               last);
}

// A run that ends without meeting its condition has no work left, or the user paused it.
void RunTo::onMode(MachineMode mode) {
  if (mode == MachineMode::kRunning) m_runs = true;
  if (!m_list.once() || mode == MachineMode::kRunning || mode == MachineMode::kHeld) return;
  if (mode == MachineMode::kPaused && !m_runs) return;  // of the step before
  const QString wanted = m_list.textOf(*m_list.once());
  m_list.setOnce(std::nullopt);
  if (mode == MachineMode::kPaused && !hasWork())
    emit stopped(tr("The run ended at step %1 without: %2").arg(m_session.lastStep()).arg(wanted),
                 m_session.lastStep());
}

}  // namespace vitrine

#include "moc_run_to.cpp"
