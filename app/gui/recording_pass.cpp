#include "recording_pass.h"

#include <algorithm>
#include <utility>

#include "vitrine/error.h"

namespace vitrine {

RecordingPass::RecordingPass(std::size_t portion, Take take) : m_portion(portion), m_take(std::move(take)) {
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

void RecordingPass::passSome() {
  try {
    const std::shared_ptr<const Recording> recording = m_recording;
    const EventRange events = recording->eventsFrom(m_place);
    const std::size_t left = m_end < 0 ? events.size() : static_cast<std::size_t>(m_end - m_place);
    const auto portion = events.first(std::min({m_portion, left, events.size()}));
    m_place += static_cast<std::int64_t>(portion.size());
    m_take(portion);
    if (m_recording != recording) return;  // stopped by what it took
    const std::int64_t end = m_end < 0 ? recording->size() : m_end;
    emit progressed(static_cast<double>(m_place) / static_cast<double>(std::max<std::int64_t>(end, 1)));
    if (m_place < end) return;
    stop();
    emit done();
  } catch (const EngineError& error) {
    stop();
    emit failed(QLatin1String(errorCodeName(error.code())), QString::fromStdString(error.what()),
                QString::fromStdString(error.hint()));
  }
}

}  // namespace vitrine
