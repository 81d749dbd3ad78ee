#include "gui/runs/recording_player.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

namespace vitrine {

namespace {

constexpr int kFastestTickMs = 33, kFastestSteps = 8;

}  // namespace

std::optional<BreakHit> firstHit(Breakpoints& breakpoints, const Recording& recording, std::int64_t& place,
                                 std::int64_t end) {
  while (place < end) {
    const EventRange events = recording.eventsFrom(place);
    const auto count = std::min(events.size(), static_cast<std::size_t>(end - place));
    for (const Event& event : events.first(count))
      if (const auto hit = breakpoints.check(event)) return hit;
    place += static_cast<std::int64_t>(count);
  }
  return std::nullopt;
}

RecordingPlayer::RecordingPlayer(Session& session, QObject* parent) : QObject(parent), m_session(session) {
  setStepsPerSecond(0);
  connect(&m_timer, &QTimer::timeout, this, &RecordingPlayer::advance);
  connect(&session, &Session::runStarted, this, &RecordingPlayer::stop);
  connect(&session, &Session::cursorChanged, this, [this] {
    if (!m_moves) stop();
  });
}

void RecordingPlayer::setStepsPerSecond(double rate) {
  m_stepsATick = rate > 0 ? 1 : kFastestSteps;
  m_timer.setInterval(rate > 0 ? static_cast<int>(1000 / rate) : kFastestTickMs);
}

void RecordingPlayer::play(std::vector<Breakpoint> breakpoints) {
  m_breakpoints.set(std::move(breakpoints));
  m_breakpoints.begin(m_session.state());
  m_place = m_session.shownEnd();
  m_timer.start();
  emit playingChanged();
  advance();  // as a machine does, which takes its first step at once
}

void RecordingPlayer::stop() {
  if (!isPlaying()) return;
  m_timer.stop();
  emit playingChanged();
}

void RecordingPlayer::advance() {
  const int last = m_session.recording().lastFinishedStep();
  const int farthest = std::min(last, m_session.finishedStep() + m_stepsATick);
  int step = m_session.finishedStep();
  std::optional<BreakHit> hit;
  while (step < farthest && !hit) hit = check(++step);
  moveTo(step);
  if (!isPlaying()) return;  // a new run
  const bool isUnreadable = m_session.finishedStep() != step;
  if (!hit && !isUnreadable && step < last) return;
  m_timer.stop();
  if (hit) {
    emit met({m_breakpoints.list().at(hit->place), *hit});
  } else if (!isUnreadable) {
    const QScopedValueRollback guard(m_moves, true);
    m_session.goLive();  // what comes behind the last step, too
    emit ended();
  }
  emit playingChanged();
}

// The events of this step, which is the next one. A part of the past that the disk has lost stops nothing:
// the session says so when it is shown.
std::optional<BreakHit> RecordingPlayer::check(int step) {
  try {
    const Recording& recording = m_session.recording();
    return firstHit(m_breakpoints, recording, m_place, recording.endOf(step));
  } catch (const EngineError&) {
    return std::nullopt;
  }
}

void RecordingPlayer::moveTo(int step) {
  const QScopedValueRollback guard(m_moves, true);
  m_session.goToStep(step);
}

}  // namespace vitrine

#include "moc_recording_player.cpp"
