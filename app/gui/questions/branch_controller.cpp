#include "gui/questions/branch_controller.h"

#include <utility>

#include "widgets/sampler/branch.h"
#include "widgets/support/request_style.h"

namespace vitrine {

BranchController::BranchController(EngineHost& host, Session& session, QObject* parent)
    : QObject(parent), m_host(host), m_session(session) {
  connect(&session, &Session::requestSubmitted, this, [this](const RequestSubmitted& submitted) {
    if (m_submitted.empty() || submitted.asked.name != m_submitted) return;
    m_submitted.clear();
    m_session.selectSequence(submitted.firstSequence);
    setUndoable(submitted.request);
    emit branched(
        tr("%1 is %2").arg(requestLetter(submitted.request), QString::fromStdString(submitted.asked.name)));
  });
  connect(&session, &Session::runStarted, this, [this] { setUndoable(0); });
  connect(&session, &Session::stateChanged, this, [this] {
    const auto& requests = m_session.recording().live().requests;
    const auto branch = requests.find(m_undoable);
    if (branch != requests.end() && branch->second.finished) setUndoable(0);
  });
}

void BranchController::setUndoable(RequestId branch) {
  const bool was = std::exchange(m_undoable, branch) != 0;
  if (was != (branch != 0)) emit undoableChanged(branch != 0);
}

void BranchController::undo() {
  if (m_undoable == 0) return;
  m_host.cancel(m_undoable);
  setUndoable(0);
  m_session.selectSequence(m_before.sequence);
  if (m_before.step >= 0) m_session.goToStep(m_before.step);
}

void BranchController::branch(int sequence, int position, int token, const QString& text,
                              const std::optional<SamplingOptions>& trial) {
  const MachineMode mode = m_host.mode();
  if (mode == MachineMode::kEmpty || mode == MachineMode::kLoading)
    return emit noticed(Notice::note(tr("A branch is computed by a model, and none is open.")));
  Branch branch = branchAt(m_session, sequence, position, token, text, trial);
  if (!branch.refusal.isEmpty()) return emit noticed(Notice::note(branch.refusal));
  m_before = {sequence, m_session.isLive() ? -1 : m_session.step()};
  m_session.goLive();
  m_submitted = branch.request.name;
  m_host.submit(std::move(branch.request));
}

}  // namespace vitrine

#include "moc_branch_controller.cpp"
