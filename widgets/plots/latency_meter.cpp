#include "widgets/plots/latency_meter.h"

#include "vitrine/machine_state.h"

namespace vitrine {

void LatencyMeter::add(const Event& event) {
  if (const auto* token = bodyOf<TokenSampled>(event)) {
    onToken(token->sequence, event.timeNs);
  } else if (const auto* chosen = bodyOf<BeamChosen>(event)) {
    if (const auto found = m_answers.find(chosen->sequence); found != m_answers.end())
      noteFirstToken(found->second.request, event.timeNs);
  } else if (const auto* submitted = bodyOf<RequestSubmitted>(event)) {
    m_tokenless[submitted->request] = event.timeNs;
    m_answers[submitted->firstSequence] = {submitted->request};
  } else if (const auto* forked = bodyOf<SequenceForked>(event)) {
    m_answers[forked->child] = {forked->request};
  } else if (const auto* ended = bodyOf<SequenceFinished>(event)) {
    m_answers.erase(ended->sequence);
  } else if (const auto* finished = bodyOf<RequestFinished>(event)) {
    m_tokenless.erase(finished->request);
  } else if (const auto* snapshot = bodyOf<Snapshot>(event)) {
    if (snapshot->state) join(*snapshot->state);
  }
}

void LatencyMeter::join(const MachineState& state) {
  m_tokenless.clear();
  m_answers.clear();
  for (const auto& [id, request] : state.requests)
    if (!request.finished && request.firstTokenNs < 0) m_tokenless[id] = request.submittedNs;
  for (const auto& [id, sequence] : state.sequences)
    if (sequence.status != SequenceStatus::kFinished) m_answers[id] = {sequence.request};
}

void LatencyMeter::noteFirstToken(RequestId request, std::int64_t timeNs) {
  const auto waiting = m_tokenless.find(request);
  if (waiting == m_tokenless.end()) return;
  m_ttft.add(timeNs - waiting->second);
  m_tokenless.erase(waiting);
}

void LatencyMeter::onToken(SequenceId sequence, std::int64_t timeNs) {
  Answer& answer = m_answers[sequence];
  noteFirstToken(answer.request, timeNs);
  if (answer.lastTokenNs >= 0) m_itl.add(timeNs - answer.lastTokenNs);
  answer.lastTokenNs = timeNs;
}

}  // namespace vitrine
