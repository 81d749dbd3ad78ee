#include "gui/runs/kept_runs.h"

#include <QMenu>
#include <algorithm>
#include <utility>

namespace vitrine {

KeptRuns::KeptRuns(Session& session, const Bookmarks& bookmarks, QObject* parent)
    : QObject(parent), m_session(session), m_bookmarks(bookmarks) {
  connect(&session, &Session::runReplaced, this, &KeptRuns::keep);
}

void KeptRuns::begin(const QString& name, ModelLoading::Setup setup, int branchStep) {
  m_branchStep = branchStep;
  m_name = name;
  m_setup = std::move(setup);
  ++m_number;
}

QString KeptRuns::presentTitle() const {
  if (m_number == 0) return {};
  const QString title = tr("Run %1 · %2").arg(m_number).arg(m_name);
  return m_branchStep < 0 ? title : tr("%1, from step %2").arg(title).arg(m_branchStep);
}

void KeptRuns::keep(std::shared_ptr<const Recording> recording) {
  if (m_number == 0) return;
  const QString title = tr("%1, to step %2").arg(presentTitle()).arg(recording->lastFinishedStep());
  m_runs.insert(m_runs.begin(), {m_name, title, m_setup, std::move(recording), m_bookmarks.steps()});
  if (m_runs.size() > kMost) m_runs.pop_back();
}

void KeptRuns::remove(const std::shared_ptr<const Recording>& recording) {
  std::erase_if(m_runs, [&](const KeptRun& run) { return recording && run.recording == recording; });
}

void KeptRuns::fill(QMenu& menu) {
  menu.clear();
  for (std::size_t place = 0; place < m_runs.size(); ++place)
    menu.addAction(m_runs[place].title, this, [this, place] { emit chosen(place); });
  if (m_runs.empty()) menu.addAction(tr("No earlier run"))->setEnabled(false);
}

}  // namespace vitrine

#include "moc_kept_runs.cpp"
