#include "run_resuming.h"

#include <algorithm>
#include <utility>

#include "vitrine/error.h"

namespace vitrine {

namespace {

constexpr std::size_t kPortion = 4000;  // events: some milliseconds of the window's time

}  // namespace

RunResuming::RunResuming(const Session& session, QObject* parent) : QObject(parent), m_session(session) {
  m_timer.setInterval(0);
  connect(&m_timer, &QTimer::timeout, this, &RunResuming::readSome);
  connect(&session, &Session::runStarted, this, &RunResuming::cancel);
}

void RunResuming::begin() {
  cancel();
  m_recording = m_session.sharedRecording();
  m_script = std::make_shared<RunScript>();
  m_place = 0;
  m_timer.start();
}

void RunResuming::cancel() {
  m_timer.stop();
  m_recording.reset();
  if (std::exchange(m_script, nullptr)) emit ended();
}

void RunResuming::readSome() {
  try {
    const EventRange events = m_recording->eventsFrom(m_place);
    const auto portion = events.first(std::min(events.size(), kPortion));
    for (const Event& event : portion) m_script->add(event);
    m_place += static_cast<std::int64_t>(portion.size());
    const auto all = static_cast<double>(std::max<std::int64_t>(m_recording->size(), 1));
    emit progressed(static_cast<double>(m_place) / all, tr("Reading the run"));
    if (m_place < m_recording->size()) return;
    const std::shared_ptr<const RunScript> script = m_script;
    cancel();
    emit made(script);
  } catch (const EngineError& error) {
    cancel();
    emit failed(QLatin1String(errorCodeName(error.code())), QString::fromStdString(error.what()),
                QString::fromStdString(error.hint()));
  }
}

}  // namespace vitrine
