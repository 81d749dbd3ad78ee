#include "gui/runs/trace_saving.h"

#include <QFileInfo>
#include <utility>

#include "page/page_writer.h"
#include "vitrine/perfetto.h"
#include "vitrine/trace.h"

namespace vitrine {

TraceSaving::TraceSaving(QObject* parent)
    : QObject(parent), m_pass([this](std::span<const Event> events) {
        for (const Event& event : events) m_writing->add(event);
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
  begin(std::move(recording), file, [&] {
    const auto writer = std::make_shared<TraceWriter>(file.toStdString());
    return Writing{[writer](const Event& event) { writer->publish(event); },
                   [writer, bookmarks] { writer->finish(bookmarks); }};
  });
}

template <class Writer>
TraceSaving::Writing TraceSaving::writingBy(std::shared_ptr<Writer> writer) {
  return {[writer](const Event& event) { writer->add(event); }, [writer] { writer->finish(); }};
}

void TraceSaving::exportTimeline(std::shared_ptr<const Recording> recording, const QString& file) {
  begin(std::move(recording), file,
        [&] { return writingBy(std::make_shared<PerfettoWriter>(file.toStdString())); });
}

void TraceSaving::exportPage(std::shared_ptr<const Recording> recording, const QString& file,
                             const QString& title) {
  begin(std::move(recording), file, [&] {
    return writingBy(std::make_shared<page::PageWriter>(file.toStdString(), title.toStdString()));
  });
}

void TraceSaving::begin(std::shared_ptr<const Recording> recording, const QString& file,
                        const std::function<Writing()>& open) {
  cancel();
  try {
    m_writing = open();
  } catch (const EngineError& error) {
    return emit failed(noticeOf(error));
  }
  m_file = file;
  m_lastStep = recording->lastFinishedStep();
  const std::int64_t end = recording->size();
  m_pass.begin(std::move(recording), end);
}

void TraceSaving::cancel() {
  m_pass.stop();
  if (std::exchange(m_writing, std::nullopt)) emit ended();
}

void TraceSaving::finish() {
  try {
    m_writing->finish();
    cancel();
    emit saved(m_file, m_lastStep);
  } catch (const EngineError& error) {
    cancel();
    emit failed(noticeOf(error));
  }
}

}  // namespace vitrine

#include "moc_trace_saving.cpp"
