// TraceSaving: writes what is recorded of a run to a trace file, in portions between the window's other work.
//
// The run may go on meanwhile: the file ends where the run stood at the beginning. The file is there when the
// whole of it is written, and a file of that name stays as it was until then. Thread: the window's. Read
// next: vitrine/trace.h.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <set>

#include "gui/runs/recording_pass.h"
#include "vitrine/trace.h"

namespace vitrine {

class TraceSaving : public QObject {
  Q_OBJECT

 public:
  explicit TraceSaving(QObject* parent = nullptr);

  // Ends one under way. The bookmarks stand in the trace.
  void save(std::shared_ptr<const Recording> recording, const QString& file, std::set<int> bookmarks);
  void cancel();  // and no file is written
  bool isUnderWay() const { return m_writer != nullptr; }

 signals:
  void progressed(double fraction, const QString& what);
  void saved(const QString& file, int lastStep);
  void failed(const vitrine::Notice& notice);
  void ended();

 private:
  void finish();

  std::unique_ptr<TraceWriter> m_writer;
  RecordingPass m_pass;
  QString m_file;
  std::set<int> m_bookmarks;
  int m_lastStep = 0;
};

}  // namespace vitrine
