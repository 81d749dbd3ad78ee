#include "gui/runs/branch_past.h"

#include <utility>

namespace vitrine {

BranchPast::BranchPast(Session& session, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_pass([this](std::span<const Event> recorded) { fill(recorded); }) {
  connect(&m_pass, &RecordingPass::progressed, this,
          [this](double fraction) { emit progressed(fraction, tr("Reading the steps before the branch")); });
  connect(&m_pass, &RecordingPass::done, this, &BranchPast::finish);
  connect(&m_pass, &RecordingPass::failed, this,
          [this](const Notice& notice) { beginAtBranch(notice.message, notice.hint); });
}

void BranchPast::take(std::vector<Event> events) {
  std::vector<Event> passing;
  for (Event& event : events) {
    if (isA<EngineLoaded>(event)) beginRun(event);
    if (isUnderWay()) {
      m_waiting.push_back(std::move(event));
    } else if (isA<Snapshot>(event) && m_loaded) {
      m_session.append(std::exchange(passing, {}));
      beginPast(event);
    } else {
      passing.push_back(std::move(event));
    }
  }
  m_session.append(std::move(passing));
}

void BranchPast::beginRun(const Event& loaded) {
  const bool replaces = isUnderWay();
  std::shared_ptr<const Recording> origin = std::move(m_origin);
  stop();
  if (replaces) emit ended();
  if (!origin || bodyOf<EngineLoaded>(loaded)->branchStep < 0) return;
  m_origin = std::move(origin);
  m_loaded = loaded;
}

// The views stand at the beginning meanwhile, as they do when a recorded run is opened.
void BranchPast::beginPast(const Event& snapshot) {
  m_snapshot = snapshot;
  m_session.goToStep(m_session.firstStep());
  if (snapshot.step == 0) return finish();
  try {
    const std::int64_t end = m_origin->endOf(snapshot.step);
    m_session.sharePast(*m_origin, end);
    m_pass.begin(m_origin, end);
  } catch (const EngineError& error) {
    return beginAtBranch(QString::fromStdString(error.what()), QString::fromStdString(error.hint()));
  }
  emit progressed(0, tr("Reading the steps before the branch"));
}

void BranchPast::fill(std::span<const Event> recorded) {
  std::vector<Event> events;
  events.reserve(recorded.size());
  for (const Event& event : recorded) {
    if (isA<EngineLoaded>(event)) continue;
    events.push_back(event);
    events.back().run = m_snapshot->run;
  }
  m_session.append(std::move(events));
}

// The recording and the machine have come to the same state on different ways.
void BranchPast::finish() {
  if (!(m_session.recording().live() == *bodyOf<Snapshot>(*m_snapshot)->state))
    return beginAtBranch(
        tr("The recording's steps and the machine differ after step %1.").arg(m_snapshot->step),
        tr("Another version of the program may have recorded them."));
  end();
}

void BranchPast::cancel() {
  if (!isUnderWay()) return;
  beginAtBranch(tr("The steps up to %1 are not shown here.").arg(m_snapshot->step),
                tr("The run before has them: Run, Earlier runs."));
}

// The snapshot stands for the steps before, as for a late joiner.
void BranchPast::beginAtBranch(const QString& message, const QString& hint) {
  m_session.append({*m_loaded, *m_snapshot});
  end();
  emit noticed(Notice::note(message, hint));
}

void BranchPast::end() {
  std::vector<Event> waiting = std::move(m_waiting);
  const bool stands = m_session.step() == m_session.firstStep();  // the user has not moved on
  stop();
  m_session.append(std::move(waiting));
  if (stands) m_session.goLive();
  emit ended();
}

void BranchPast::stop() {
  m_pass.stop();
  m_origin.reset();
  m_loaded.reset();
  m_snapshot.reset();
  m_waiting.clear();
}

}  // namespace vitrine

#include "moc_branch_past.cpp"
