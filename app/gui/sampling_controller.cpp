#include "sampling_controller.h"

#include "widgets/support/request_style.h"
#include "widgets/views/sampling_subject.h"

namespace vitrine {

SamplingController::SamplingController(EngineHost& host, Session& session, SamplerControls& controls,
                                       Settings& settings, QObject* parent)
    : QObject(parent),
      m_host(host),
      m_session(session),
      m_controls(controls),
      m_settings(settings),
      m_sampling(settings.sampling()),
      m_maxTokens(settings.maxTokens()) {
  connect(&session, &Session::appended, this, [this](EventBatch events) {
    for (const Event& event : events) m_history.note(event);
  });
  connect(&session, &Session::runStarted, this, [this] { m_history.clear(); });
  connect(&session, &Session::stateChanged, this, &SamplingController::follow);
  connect(&session, &Session::cursorChanged, this, &SamplingController::follow);
  connect(&session, &Session::selectionChanged, this, [this] {
    m_wantsNewMessages = false;
    follow();
  });
  connect(&controls, &SamplerControls::samplingChanged, this, &SamplingController::changeSampling);
  connect(&controls, &SamplerControls::maxTokensChanged, this, &SamplingController::changeMaxTokens);
  connect(controls.subject(), &SamplingSubject::requestChosen, this, [this] {
    m_wantsNewMessages = false;
    follow();
  });
  connect(controls.subject(), &SamplingSubject::newMessagesChosen, this, [this] {
    m_wantsNewMessages = true;
    follow();
  });
  controls.setDefaults(Settings::defaultSampling(), Settings::kDefaultMaxTokens);
  showNewMessages();
}

const RequestState* SamplingController::selectedRequest() const {
  const MachineState& live = m_session.recording().live();
  const auto sequence = live.sequences.find(m_session.selectedSequence());
  if (sequence == live.sequences.end()) return nullptr;
  const auto request = live.requests.find(sequence->second.request);
  return request == live.requests.end() || request->second.finished ? nullptr : &request->second;
}

void SamplingController::follow() {
  const RequestState* const request = selectedRequest();
  m_controls.subject()->setRequest(request == nullptr ? QString()
                                                      : requestLetter(request->id) + u' ' +
                                                            QString::fromStdString(request->name));
  if (request == nullptr || m_wantsNewMessages) return showNewMessages();
  showRequest(*request);
}

void SamplingController::showRequest(const RequestState& request) {
  const auto sampling = m_history.at(request.id, m_session.step());
  if (!sampling) return showNewMessages();  // it has not been submitted at this step
  m_controls.setEditable(m_session.isLive(), false);
  m_controls.subject()->showRequest(sentenceFor(request));
  showValues(request.id, *sampling, request.maxTokens);
}

QString SamplingController::sentenceFor(const RequestState& request) const {
  if (!m_session.isLive())
    return tr("As it was at step %1. Go to the end of the timeline to change it.").arg(m_session.step());
  const auto& sequences = m_session.recording().live().sequences;
  const auto first = sequences.find(m_session.selectedSequence());
  const int tokens = first == sequences.end() ? 0 : static_cast<int>(first->second.tokens.size());
  const int written = first == sequences.end() ? 0 : tokens - first->second.promptTokens;
  return request.beamWidth > 1 ? tr("A beam search is greedy: these do not act.")
                               : tr("A change holds from token %1 of the answer on.").arg(written + 1);
}

void SamplingController::showNewMessages() {
  m_controls.setEditable(true, true);
  m_controls.subject()->showNewMessages(tr("For the messages that you send from now on."));
  showValues(0, m_sampling, m_maxTokens);
}

// Only what is new: a field that is being edited stays as it is.
void SamplingController::showValues(RequestId subject, const SamplingOptions& sampling, int maxTokens) {
  if (m_subject == subject && m_shown == sampling) return;
  m_subject = subject;
  m_shown = sampling;
  if (m_controls.sampling() != sampling) m_controls.setSampling(sampling);
  if (m_controls.maxTokens() != maxTokens) m_controls.setMaxTokens(maxTokens);
}

void SamplingController::changeSampling(const SamplingOptions& sampling) {
  if (m_subject != 0) return m_host.setSampling(m_subject, sampling);
  m_shown = m_sampling = sampling;
  m_settings.setSampling(sampling);
}

void SamplingController::changeMaxTokens(int tokens) {
  if (m_subject != 0) return;  // the length of an answer is settled when it is submitted
  m_maxTokens = tokens;
  m_settings.setMaxTokens(tokens);
}

}  // namespace vitrine
