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
#include "widgets/session/session.h"
#include "widgets/time/bookmarks.h"

class QMenu;

namespace vitrine {

struct KeptRun {
  QString name;   // "Six blocks", "lecture.vitrine"
  QString title;  // "Run 2 · Six blocks, from step 10, to step 46"
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
  // The name of the run that now begins, how it was loaded, and of which step it is a branch (-1: none).
  void begin(const QString& name, ModelLoading::Setup setup, int branchStep = -1);
  const QString& name() const { return m_name; }  // of the present run; empty before one has begun
  const ModelLoading::Setup& setup() const { return m_setup; }  // without a model: a trace's
  QString presentTitle() const;                                 // "Run 2 · Six blocks"
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
  QString m_name;  // of the present run
  ModelLoading::Setup m_setup;
  int m_number = 0;       // of the present run
  int m_branchStep = -1;  // the same
};

}  // namespace vitrine
