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
    emit branched(
        tr("%1 is %2").arg(requestLetter(submitted.request), QString::fromStdString(submitted.asked.name)));
  });
}

void BranchController::branch(int sequence, int position, int token, const QString& text) {
  const MachineMode mode = m_host.mode();
  if (mode == MachineMode::kEmpty || mode == MachineMode::kLoading)
    return emit noticed(Notice::note(tr("A branch is computed by a model, and none is open.")));
  Branch branch = branchAt(m_session, sequence, position, token, text);
  if (!branch.refusal.isEmpty()) return emit noticed(Notice::note(branch.refusal));
  m_session.goLive();
  m_submitted = branch.request.name;
  m_host.submit(std::move(branch.request));
}

}  // namespace vitrine

#include "moc_branch_controller.cpp"
