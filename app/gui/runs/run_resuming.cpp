#include "gui/runs/run_resuming.h"

#include <utility>

namespace vitrine {

RunResuming::RunResuming(const Session& session, QObject* parent)
    : QObject(parent), m_session(session), m_pass([this](std::span<const Event> events) {
        for (const Event& event : events) m_script->add(event);
      }) {
  connect(&session, &Session::runStarted, this, &RunResuming::cancel);
  connect(&m_pass, &RecordingPass::progressed, this,
          [this](double fraction) { emit progressed(fraction, tr("Reading the run")); });
  connect(&m_pass, &RecordingPass::done, this, [this] {
    const std::shared_ptr<const RunScript> script = m_script;
    cancel();
    emit made(script);
  });
  connect(&m_pass, &RecordingPass::failed, this, &RunResuming::cancel);
  connect(&m_pass, &RecordingPass::failed, this, &RunResuming::failed);
}

void RunResuming::begin() {
  cancel();
  m_script = std::make_shared<RunScript>();
  m_pass.begin(m_session.sharedRecording());
}

void RunResuming::cancel() {
  m_pass.stop();
  if (std::exchange(m_script, nullptr)) emit ended();
}

}  // namespace vitrine

#include "moc_run_resuming.cpp"
