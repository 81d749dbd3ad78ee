#include "gui/runs/run_archive.h"

#include <QFileInfo>
#include <algorithm>
#include <utility>

namespace vitrine {

RunArchive::RunArchive(Session& session, Bookmarks& bookmarks, EngineHost& host, ModelLoading& loading,
                       QObject* parent)
    : QObject(parent),
      m_session(session),
      m_bookmarks(bookmarks),
      m_host(host),
      m_loading(loading),
      m_runs(session, bookmarks),
      m_opening(session, this),
      m_reading([this](std::span<const Event> events) {
        for (const Event& event : events) m_script->add(event);
      }),
      m_past(session, this),
      m_remote(session, this) {
  connect(&m_runs, &KeptRuns::chosen, this, &RunArchive::show);
  connect(&m_opening, &RunOpening::begun, this, &RunArchive::onBegun);
  connect(&m_opening, &RunOpening::progressed, this, &RunArchive::progressed);
  connect(&m_opening, &RunOpening::failed, this, &RunArchive::failed);
  connect(&m_opening, &RunOpening::noticed, this, &RunArchive::noticed);
  connect(&m_opening, &RunOpening::bookmarked, this,
          [this](const std::set<int>& steps) { m_next.bookmarks = steps; });
  connect(&m_opening, &RunOpening::ended, this, &RunArchive::onOpened);
  connect(&m_remote, &RemoteRun::begun, this, &RunArchive::onAttached);
  connect(&m_remote, &RemoteRun::noticed, this, &RunArchive::noticed);
  connect(&m_remote, &RemoteRun::failed, this, [this](const Notice& notice) {
    emit ended();
    emit failed(notice);
  });
  connect(&m_saving, &TraceSaving::progressed, this, &RunArchive::progressed);
  connect(&m_saving, &TraceSaving::saved, this, &RunArchive::saved);
  connect(&m_saving, &TraceSaving::failed, this, &RunArchive::notSaved);
  connect(&m_saving, &TraceSaving::ended, this, &RunArchive::ended);
  connect(&m_reading, &RecordingPass::progressed, this,
          [this](double fraction) { emit progressed(fraction, tr("Reading the run")); });
  connect(&m_reading, &RecordingPass::done, this, &RunArchive::goOn);
  connect(&m_reading, &RecordingPass::failed, this, &RunArchive::stopReading);
  connect(&m_reading, &RecordingPass::failed, this, &RunArchive::failed);
  connect(&session, &Session::runStarted, this, &RunArchive::stopReading);
  connect(&m_past, &BranchPast::progressed, this, &RunArchive::progressed);
  connect(&m_past, &BranchPast::noticed, this, &RunArchive::noticed);
  connect(&m_past, &BranchPast::ended, this, &RunArchive::onPastShown);
  connect(&host, &EngineHost::followed, this, [this](const RerunReport& report) {
    if (m_past.isUnderWay())
      m_followed = report;
    else
      emit followed(report);
  });
  connect(&host, &EngineHost::connectedAnew, this, &RunArchive::beginSeen);
  // A model that is loaded takes the place of what is being opened or resumed.
  connect(&loading, &ModelLoading::begun, &m_opening, &RunOpening::cancel);
  connect(&loading, &ModelLoading::begun, &m_remote, &RemoteRun::close);
  connect(&loading, &ModelLoading::begun, this, &RunArchive::stopReading);
  connect(&loading, &ModelLoading::begun, this, &RunArchive::offered);
  connect(&loading, &ModelLoading::ended, this, &RunArchive::offered);
  connect(this, &RunArchive::ended, this, &RunArchive::offered);
}

bool RunArchive::isUnderWay() const {
  return m_opening.isUnderWay() || m_remote.isUnderWay() || m_saving.isUnderWay() || m_script != nullptr ||
         m_past.isUnderWay();
}

bool RunArchive::canSave() const {
  return m_session.recording().size() > 0 && !m_opening.isUnderWay() && !m_saving.isUnderWay() &&
         !m_past.isUnderWay();
}

bool RunArchive::canResume() const {
  return m_session.engine().has_value() && !m_session.engine()->isFromOutside() && !m_remote.isOpen() &&
         !m_loading.isUnderWay() && !m_opening.isUnderWay() && !m_past.isUnderWay() &&
         m_session.recording().lastFinishedStep() > 0;
}

void RunArchive::openTrace(const QString& file) {
  m_loading.whenFree(tr("Open the recording"), [this, file] {
    stopReading();
    m_remote.close();
    m_next = {{.origin = QFileInfo(file).fileName()}, {}, nullptr, {}};
    m_opening.openTrace(file);
    emit offered();
  });
}

void RunArchive::attach(const watch::ServerPlace& place) {
  m_loading.whenFree(tr("Attach"), [this, place] {
    stopReading();
    m_opening.cancel();
    m_remote.open(place);
    m_next = {{.origin = m_remote.server()}, {}, nullptr, {}};
    emit progressed(-1, tr("Attaching to %1").arg(m_remote.server()));
    emit offered();
  });
}

void RunArchive::connectTo(const ConnectOrder& order) {
  m_loading.whenFree(tr("Connect"), [this, order] {
    stopReading();
    m_opening.cancel();
    m_remote.close();
    m_next = {{.origin = tr("%1 at %2").arg(QString::fromStdString(order.model), order.server.place())},
              {},
              nullptr,
              {}};
    beginShown();
    m_host.connectTo(order);
    emit connected();
    emit offered();
  });
}

// Again each time that its server begins a run, or was lost and is there again.
void RunArchive::onAttached() {
  onBegun();
  emit ended();
}

void RunArchive::save(const QString& file) {
  if (!canSave()) return;
  m_saving.save(m_session.sharedRecording(), file, m_bookmarks.steps());
  emit offered();
}

void RunArchive::exportTimeline(const QString& file) {
  if (!canSave()) return;
  m_saving.exportTimeline(m_session.sharedRecording(), file);
  emit offered();
}

void RunArchive::exportPage(const QString& file) {
  if (!canSave()) return;
  m_saving.exportPage(m_session.sharedRecording(), file, m_runs.name().text());
  emit offered();
}

void RunArchive::show(std::size_t place) {
  m_loading.whenFree(tr("Open the recording"), [this, run = m_runs.runs().at(place)] {
    stopReading();
    m_remote.close();
    m_next = run;
    m_opening.openRecording(m_next.recording);
    emit offered();
  });
}

// The run before is kept when the session begins the new one; the one that is shown again leaves the list.
void RunArchive::onBegun() {
  beginShown();
  emit shown();
}

void RunArchive::beginShown() {
  m_runs.remove(m_next.recording);
  m_host.close();
  beginSeen();
}

void RunArchive::beginSeen() {
  m_past.stop();
  m_session.clear();
  m_runs.begin(m_next.name, m_next.setup);
}

// The session has dropped those of the run before.
void RunArchive::onOpened() {
  m_bookmarks.add(std::exchange(m_next.bookmarks, {}));
  emit ended();
}

void RunArchive::beginRun(const QString& name, const ModelLoading::Setup& opened) {
  const bool isBranch = m_session.engine() && m_session.engine()->branchStep >= 0;
  if (isBranch) return m_runs.begin(std::exchange(m_branch, {}), opened);
  const std::optional<Scenario>& before = m_runs.setup().scenario;
  const bool isAgain =
      opened.scenario && before && before->name == opened.scenario->name && m_runs.name().origin == name;
  const RunName first{.origin = name, .originOptions = opened.order.options};
  m_runs.begin(isAgain ? m_runs.name().begunAgain(opened.order.options) : first, opened);
}

void RunArchive::resume(Ask ask) {
  if (!canResume()) return;
  m_host.pause();
  m_ask = std::move(ask);
  m_wanted = {};
  m_wanted.step = m_session.finishedStep();
  m_wanted.ownRun = m_host.mode() != MachineMode::kEmpty;
  stopReading();
  m_script = std::make_shared<RunScript>();
  m_reading.begin(m_session.sharedRecording());
}

void RunArchive::stopReading() {
  m_reading.stop();
  if (std::exchange(m_script, nullptr)) emit ended();
}

void RunArchive::goOn() {
  const std::shared_ptr<const RunScript> script = m_script;
  stopReading();
  ModelLoading::Setup run = m_runs.setup();
  if (run.order.model.empty()) {  // a trace
    const RecordedLoad recorded = recordedLoad(*script, m_known());
    std::error_code error;
    const bool there = std::filesystem::exists(recorded.model, error);
    run.order.model = there ? recorded.model : builtinModelDirectory();
    run.order.options = recorded.options;
  }
  m_wanted.script = script;
  if (const Ask ask = std::exchange(m_ask, {})) {
    m_wanted.options = ask(run.order.options, m_wanted.step);
    if (!m_wanted.options) return;
  }
  m_branch =
      m_runs.name().resumedAt(m_wanted.step, run.order.options, m_wanted.options.value_or(run.order.options));
  const std::set<int>& marked = m_bookmarks.steps();
  m_next.bookmarks = {marked.begin(), marked.upper_bound(m_wanted.step)};
  m_past.expect(m_session.sharedRecording());
  m_loading.resume(std::move(run), std::exchange(m_wanted, {}));
}

void RunArchive::onPastShown() {
  m_bookmarks.add(std::exchange(m_next.bookmarks, {}));
  emit ended();
  if (const auto report = std::exchange(m_followed, {})) emit followed(*report);
}

void RunArchive::cancel() {
  m_opening.cancel();
  if (m_remote.isUnderWay()) m_remote.close();
  m_saving.cancel();
  stopReading();
  m_past.cancel();
}

}  // namespace vitrine

#include "moc_run_archive.cpp"
