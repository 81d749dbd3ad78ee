// TraceSaving: writes what is recorded of a run to a file, in portions between the window's other work: as a
// trace, as a timeline for Perfetto, or as a page for browsers.
//
// The run may go on meanwhile: the file ends where the run stood at the beginning. The file is there when the
// whole of it is written, and a file of that name stays as it was until then. Thread: the window's. Read
// next: vitrine/trace.h.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <set>

#include "gui/runs/recording_pass.h"
#include "vitrine/event.h"

namespace vitrine {

class TraceSaving : public QObject {
  Q_OBJECT

 public:
  explicit TraceSaving(QObject* parent = nullptr);

  // Ends one under way. The bookmarks stand in the trace.
  void save(std::shared_ptr<const Recording> recording, const QString& file, std::set<int> bookmarks);
  void exportTimeline(std::shared_ptr<const Recording> recording, const QString& file);
  void exportPage(std::shared_ptr<const Recording> recording, const QString& file, const QString& title);
  void cancel();  // and no file is written
  bool isUnderWay() const { return m_writing.has_value(); }

 signals:
  void progressed(double fraction, const QString& what);
  void saved(const QString& file, int lastStep);
  void failed(const vitrine::Notice& notice);
  void ended();

 private:
  // A file of some kind. What is destroyed before finish() leaves no file.
  struct Writing {
    std::function<void(const Event&)> add;
    std::function<void()> finish;
  };
  template <class Writer>
  static Writing writingBy(std::shared_ptr<Writer> writer);
  void begin(std::shared_ptr<const Recording> recording, const QString& file,
             const std::function<Writing()>& open);
  void finish();

  std::optional<Writing> m_writing;
  RecordingPass m_pass;
  QString m_file;
  int m_lastStep = 0;
};

}  // namespace vitrine
