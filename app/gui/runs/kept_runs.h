// KeptRuns: the runs of this window that are not shown any more: what was recorded of each, and how it was
// loaded, so that it can be looked at again, and resumed.
//
// A run is kept when another one takes its place: after Reset, another model or scenario, a trace, or a
// branch. Only the newest are kept, since their recordings take room on the disk. Thread: the window's. Read
// next: run_archive.h, which shows one.
#pragma once

#include <QObject>
#include <memory>
#include <set>
#include <vector>

#include "gui/machine/model_loading.h"
#include "gui/runs/run_name.h"
#include "widgets/session/session.h"
#include "widgets/time/bookmarks.h"

class QMenu;

namespace vitrine {

struct KeptRun {
  RunName name;  // without a number: not shown in this window yet
  ModelLoading::Setup setup;
  std::shared_ptr<const Recording> recording;
  std::set<int> bookmarks = {};
};

class KeptRuns : public QObject {
  Q_OBJECT

 public:
  static constexpr std::size_t kMost = 8;

  // Both must outlive it. The bookmarks are those of the session's run.
  KeptRuns(Session& session, const Bookmarks& bookmarks, QObject* parent = nullptr);

  const std::vector<KeptRun>& runs() const { return m_runs; }  // the newest first
  // The run that now begins, and how it was loaded. A name without a number gets the next one.
  void begin(RunName name, ModelLoading::Setup setup);
  const RunName& name() const { return m_name; }                // of the present run
  const ModelLoading::Setup& setup() const { return m_setup; }  // without a model: a trace's
  // The same recording is kept once: the run that is shown again leaves the list. None: no run leaves it.
  void remove(const std::shared_ptr<const Recording>& recording);

  void fill(QMenu& menu);  // an action for each run

 signals:
  void chosen(std::size_t place);

 private:
  void keep(std::shared_ptr<const Recording> recording);

  const Session& m_session;
  const Bookmarks& m_bookmarks;
  std::vector<KeptRun> m_runs;
  RunName m_name;  // of the present run
  ModelLoading::Setup m_setup;
  int m_last = 0;  // the number of the newest run
};

}  // namespace vitrine
