// RunOpening: shows a recorded run that no machine computes: a trace file, or a run that the window kept.
//
// A thread reads the file; the window takes its events in portions between other work, and stands at the
// run's beginning meanwhile. A file that is cut short or damaged opens up to its last whole step. Thread: the
// window's. Read next: vitrine/trace.h, kept_runs.h.
#pragma once

#include <QObject>
#include <QSemaphore>
#include <atomic>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "gui/runs/recording_pass.h"
#include "vitrine/trace.h"
#include "widgets/session/session.h"

namespace vitrine {

class RunOpening : public QObject {
  Q_OBJECT

 public:
  explicit RunOpening(Session& session, QObject* parent = nullptr);  // the session must outlive it
  ~RunOpening() override;

  // Each replaces an opening under way.
  void openTrace(const QString& file);
  void openRecording(std::shared_ptr<const Recording> recording);
  // The part that has been read stays.
  void cancel();
  bool isUnderWay() const { return m_underWay; }

 signals:
  void begun();  // the first events are there; before the session takes them
  void progressed(double fraction, const QString& what);  // fraction below 0: not known
  void bookmarked(const std::set<int>& steps);            // in the trace, once it is read
  void ended();                                           // after it, nothing more comes
  // The file could not be read. Before begun(): no part of it, and the session is as it was.
  void failed(const vitrine::Notice& notice);
  // It is shown, but not the whole of it: why, and what to do.
  void noticed(const vitrine::Notice& notice);

 private:
  struct End {
    TraceReading reading;
    std::unique_ptr<EngineError> error;
  };

  void read(const std::string& file, int ticket);
  void take(std::vector<Event> events);
  void endOfFile(const End& end);
  void finish();
  void stop();

  Session& m_session;
  std::thread m_reader;
  QSemaphore m_room;  // portions that the reader may be ahead
  std::atomic<bool> m_cancelled = false;
  std::atomic<int> m_ticket = 0;  // of the opening that is wanted
  RecordingPass m_pass;
  QString m_file;
  bool m_underWay = false, m_begun = false;
};

}  // namespace vitrine
