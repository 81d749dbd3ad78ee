#include "trace_saving.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "vitrine/error.h"

namespace vitrine {

namespace {

constexpr std::int64_t kPortion = 500;  // events: some milliseconds of the window's time

}  // namespace

TraceSaving::TraceSaving(QObject* parent) : QObject(parent) {
  m_timer.setInterval(0);
  connect(&m_timer, &QTimer::timeout, this, &TraceSaving::writeSome);
}

void TraceSaving::save(std::shared_ptr<const Recording> recording, const QString& file) {
  cancel();
  try {
    m_writer = std::make_unique<TraceWriter>(file.toStdString());
  } catch (const EngineError& error) {
    emit failed(QLatin1String(errorCodeName(error.code())), QString::fromStdString(error.what()),
                QString::fromStdString(error.hint()));
    return;
  }
  m_recording = std::move(recording);
  m_file = file;
  m_place = 0;
  m_end = m_recording->size();
  m_lastStep = m_recording->lastFinishedStep();
  m_timer.start();
}

void TraceSaving::cancel() {
  m_timer.stop();
  m_recording.reset();
  if (std::exchange(m_writer, nullptr)) emit ended();
}

void TraceSaving::writeSome() {
  try {
    const EventRange events = m_recording->eventsFrom(m_place);
    const std::int64_t count =
        std::min({kPortion, m_end - m_place, static_cast<std::int64_t>(events.size())});
    for (const Event& event : events.first(static_cast<std::size_t>(count))) m_writer->publish(event);
    m_place += count;
    emit progressed(static_cast<double>(m_place) / static_cast<double>(std::max<std::int64_t>(m_end, 1)),
                    tr("Saving %1").arg(QFileInfo(m_file).fileName()));
    if (m_place < m_end) return;
    m_writer->finish();
    cancel();
    emit saved(m_file, m_lastStep);
  } catch (const EngineError& error) {
    cancel();
    emit failed(QLatin1String(errorCodeName(error.code())), QString::fromStdString(error.what()),
                QString::fromStdString(error.hint()));
  }
}

}  // namespace vitrine
