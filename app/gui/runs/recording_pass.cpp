#include "gui/runs/recording_pass.h"

#include <QElapsedTimer>
#include <algorithm>
#include <utility>

namespace vitrine {

namespace {

constexpr int kSliceMs = 25;
constexpr std::size_t kPortion = 500;  // events between two looks at the clock: some milliseconds

}  // namespace

RecordingPass::RecordingPass(Take take) : m_take(std::move(take)) {
  m_timer.setInterval(0);
  connect(&m_timer, &QTimer::timeout, this, &RecordingPass::passSome);
}

void RecordingPass::begin(std::shared_ptr<const Recording> recording, std::int64_t end) {
  m_recording = std::move(recording);
  m_place = 0;
  m_end = end;
  m_timer.start();
}

void RecordingPass::stop() {
  m_timer.stop();
  m_recording.reset();
}

std::int64_t RecordingPass::end() const { return m_end < 0 ? m_recording->size() : m_end; }

void RecordingPass::takePortion() {
  const EventRange events = m_recording->eventsFrom(m_place);
  const std::size_t left = m_end < 0 ? events.size() : static_cast<std::size_t>(m_end - m_place);
  const auto portion = events.first(std::min({kPortion, left, events.size()}));
  m_place += static_cast<std::int64_t>(portion.size());
  m_take(portion);
}

// The window may paint after each slice, which costs more than a portion.
void RecordingPass::passSome() {
  const std::shared_ptr<const Recording> recording = m_recording;
  QElapsedTimer clock;
  clock.start();
  try {
    while (m_recording == recording && m_place < end() && !clock.hasExpired(kSliceMs)) takePortion();
    if (m_recording != recording) return;  // stopped by what it took
    const std::int64_t whole = std::max<std::int64_t>(end(), 1);
    emit progressed(static_cast<double>(m_place) / static_cast<double>(whole));
    if (m_recording != recording || m_place < end()) return;
    stop();
    emit done();
  } catch (const EngineError& error) {
    stop();
    emit failed(noticeOf(error));
  }
}

}  // namespace vitrine

#include "moc_recording_pass.cpp"
