// BranchPast: shows a branch with the steps that it shares with the run it leaves, as they were recorded.
//
// A resumed machine repeats those steps without their forward passes. So it knows neither the candidates nor
// the entropies of their tokens, and publishes a Snapshot in their place. Here the recording's own events
// replace the snapshot, in portions between the window's other work; what the machine publishes meanwhile
// waits. Thread: the window's. Read next: vitrine/run_script.h (ResumeOptions), run_archive.h.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "gui/runs/recording_pass.h"
#include "widgets/session/session.h"

namespace vitrine {

class BranchPast : public QObject {
  Q_OBJECT

 public:
  explicit BranchPast(Session& session, QObject* parent = nullptr);  // the session must outlive it

  // The machine that is loaded next may be a branch of this run.
  void expect(std::shared_ptr<const Recording> origin) { m_origin = std::move(origin); }
  // All that the machine publishes, on its way to the session.
  void take(std::vector<Event> events);
  bool isUnderWay() const { return m_snapshot.has_value(); }
  // The run begins at its branch; the steps before it are not shown.
  void cancel();
  // The session gets another run.
  void stop();

 signals:
  void progressed(double fraction, const QString& what);
  void noticed(const vitrine::Notice& notice);  // the run begins at its branch: why
  void ended();                                 // the session has all that came

 private:
  void beginRun(const Event& loaded);
  void beginPast(const Event& snapshot);
  void fill(std::span<const Event> recorded);
  void finish();
  void beginAtBranch(const QString& message, const QString& hint);
  void end();

  Session& m_session;
  RecordingPass m_pass;
  std::shared_ptr<const Recording> m_origin;
  std::optional<Event> m_loaded;    // of a branch, until its snapshot comes or its past is complete
  std::optional<Event> m_snapshot;  // while its past is filled in
  std::vector<Event> m_waiting;     // from the machine, since then
};

}  // namespace vitrine
