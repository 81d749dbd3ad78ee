#include "gui/runs/kept_runs.h"

#include <QMenu>
#include <algorithm>
#include <utility>

namespace vitrine {

KeptRuns::KeptRuns(Session& session, const Bookmarks& bookmarks, QObject* parent)
    : QObject(parent), m_session(session), m_bookmarks(bookmarks) {
  connect(&session, &Session::runReplaced, this, &KeptRuns::keep);
}

void KeptRuns::begin(RunName name, ModelLoading::Setup setup) {
  m_name = std::move(name);
  m_setup = std::move(setup);
  if (m_name.number == 0) m_name.number = ++m_last;
}

void KeptRuns::keep(std::shared_ptr<const Recording> recording) {
  if (m_name.number == 0) return;
  m_runs.insert(m_runs.begin(), {m_name, m_setup, std::move(recording), m_bookmarks.steps()});
  if (m_runs.size() > kMost) m_runs.pop_back();
}

void KeptRuns::remove(const std::shared_ptr<const Recording>& recording) {
  std::erase_if(m_runs, [&](const KeptRun& run) { return recording && run.recording == recording; });
}

void KeptRuns::fill(QMenu& menu) {
  menu.clear();
  for (std::size_t place = 0; place < m_runs.size(); ++place)
    menu.addAction(
        tr("%1, to step %2").arg(m_runs[place].name.title()).arg(m_runs[place].recording->lastFinishedStep()),
        this, [this, place] { emit chosen(place); });
  if (m_runs.empty()) menu.addAction(tr("No earlier run"))->setEnabled(false);
}

}  // namespace vitrine

#include "moc_kept_runs.cpp"
