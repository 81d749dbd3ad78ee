// RunArchive: what can be done with recorded runs: open a trace, save the run shown as one or as a timeline,
// go back to an earlier run of this window, go on from a step as a branch, and watch another program's
// engine.
//
// While a trace, an earlier run or a server's engine is shown there is no machine: the host is closed, and
// only resuming makes one. Opening and resuming end each other; a file is saved beside them. Thread: the
// window's. Read next: kept_runs.h, run_opening.h, trace_saving.h.
#pragma once

#include <QObject>
#include <functional>
#include <memory>
#include <optional>

#include "common/recorded_load.h"
#include "gui/runs/branch_past.h"
#include "gui/runs/kept_runs.h"
#include "gui/runs/recording_pass.h"
#include "gui/runs/remote_run.h"
#include "gui/runs/run_opening.h"
#include "gui/runs/trace_saving.h"
#include "vitrine/run_script.h"

namespace vitrine {

class RunArchive : public QObject {
  Q_OBJECT

 public:
  // All of them must outlive it.
  RunArchive(Session& session, Bookmarks& bookmarks, EngineHost& host, ModelLoading& loading,
             QObject* parent = nullptr);

  // Where a model is looked for that a trace names.
  void setKnownModels(std::function<KnownModels()> known) { m_known = std::move(known); }

  KeptRuns& runs() { return m_runs; }
  // The machine that was loaded begins a run: of this name, or as a branch of the one that was resumed. The
  // scenario of the run before begins again: it is called by what was changed since it was opened.
  void beginRun(const QString& name, const ModelLoading::Setup& opened);
  bool isUnderWay() const;
  bool canSave() const;    // something is recorded, and whole; one file at a time is written
  bool canResume() const;  // the run shown has a step to go on from

  void openTrace(const QString& file);
  void attach(const watch::ServerPlace& place);  // shows the engine of a server, as it goes
  void connectTo(const ConnectOrder& order);     // another program's engine takes the chats
  RemoteRun& remote() { return m_remote; }
  void save(const QString& file);
  void exportTimeline(const QString& file);  // for Perfetto
  void exportPage(const QString& file);      // for browsers
  void show(std::size_t place);              // of runs()
  // Goes on from the step shown, and pauses there. `ask` gets the run's options and the step, and gives those
  // to go on with, or nothing to leave it; null: with the same ones.
  using Ask = std::function<std::optional<EngineOptions>(const EngineOptions& options, int step)>;
  void resume(Ask ask = {});
  void cancel();
  // Events of the machine, on their way to the session.
  void take(std::vector<Event> events) { m_past.take(std::move(events)); }

 signals:
  void progressed(double fraction, const QString& what);  // fraction below 0: not known
  void ended();                                           // no work is under way any more
  void offered();                                         // canSave() or canResume() may have changed
  void shown();                                           // a recorded run begins to be shown
  void connected();                                       // what is shown is another program's engine
  void saved(const QString& file, int lastStep);
  void failed(const vitrine::Notice& notice);  // no run is shown: there may be no machine either
  void notSaved(const vitrine::Notice& notice);
  void noticed(const vitrine::Notice& notice);        // of the run shown, which is not whole
  void followed(const vitrine::RerunReport& report);  // as the host's, when the branch shows all its steps

 private:
  void onBegun();
  void beginShown();
  void beginSeen();
  void onAttached();
  void onOpened();
  void onPastShown();
  void goOn();
  void stopReading();

  Session& m_session;
  Bookmarks& m_bookmarks;
  EngineHost& m_host;
  ModelLoading& m_loading;
  std::function<KnownModels()> m_known = [] { return KnownModels(); };
  KeptRuns m_runs;
  RunOpening m_opening;
  TraceSaving m_saving;
  // To go on from the run shown, it is read between the window's other work. Events that come meanwhile end
  // that: the run must stand still.
  RecordingPass m_reading;
  std::shared_ptr<RunScript> m_script;  // null: nothing is read
  BranchPast m_past;
  RemoteRun m_remote;
  std::optional<RerunReport> m_followed;  // came while the past was read
  KeptRun m_next;                         // what is being opened
  Resumption m_wanted;
  RunName m_branch;  // of the run that is resumed
  Ask m_ask;
};

}  // namespace vitrine
