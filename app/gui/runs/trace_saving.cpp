#include "gui/runs/trace_saving.h"

#include <QFileInfo>
#include <utility>

namespace vitrine {

TraceSaving::TraceSaving(QObject* parent)
    : QObject(parent), m_pass([this](std::span<const Event> events) {
        for (const Event& event : events) m_writer->publish(event);
      }) {
  connect(&m_pass, &RecordingPass::progressed, this, [this](double fraction) {
    emit progressed(fraction, tr("Saving %1").arg(QFileInfo(m_file).fileName()));
  });
  connect(&m_pass, &RecordingPass::done, this, &TraceSaving::finish);
  connect(&m_pass, &RecordingPass::failed, this, &TraceSaving::cancel);
  connect(&m_pass, &RecordingPass::failed, this, &TraceSaving::failed);
}

void TraceSaving::save(std::shared_ptr<const Recording> recording, const QString& file,
                       std::set<int> bookmarks) {
  cancel();
  try {
    m_writer = std::make_unique<TraceWriter>(file.toStdString());
  } catch (const EngineError& error) {
    return emit failed(noticeOf(error));
  }
  m_file = file;
  m_bookmarks = std::move(bookmarks);
  m_lastStep = recording->lastFinishedStep();
  const std::int64_t end = recording->size();
  m_pass.begin(std::move(recording), end);
}

void TraceSaving::cancel() {
  m_pass.stop();
  if (std::exchange(m_writer, nullptr)) emit ended();
}

void TraceSaving::finish() {
  try {
    m_writer->finish(m_bookmarks);
    cancel();
    emit saved(m_file, m_lastStep);
  } catch (const EngineError& error) {
    cancel();
    emit failed(noticeOf(error));
  }
}

}  // namespace vitrine

#include "moc_trace_saving.cpp"
