#include "gui/questions/sampling_controller.h"

#include <utility>

#include "widgets/sampler/sampling_subject.h"
#include "widgets/support/request_style.h"

namespace vitrine {

SamplingController::SamplingController(EngineHost& host, Session& session, SamplerModel& sampler,
                                       SamplerControls& controls, Settings& settings, QObject* parent)
    : QObject(parent),
      m_host(host),
      m_session(session),
      m_controls(controls),
      m_settings(settings),
      m_previewer(host, session, sampler, this),
      m_sampling(settings.sampling()),
      m_maxTokens(settings.maxTokens()) {
  connect(&session, &Session::stateChanged, this, &SamplingController::follow);
  connect(&session, &Session::cursorChanged, this, &SamplingController::followCursor);
  connect(&session, &Session::selectionChanged, this, [this] { choose(false); });
  connect(&controls, &SamplerControls::samplingChanged, this, &SamplingController::changeSampling);
  connect(&controls, &SamplerControls::maxTokensChanged, this, &SamplingController::changeMaxTokens);
  connect(&controls, &SamplerControls::answersChanged, this, &SamplingController::changeAnswers);
  connect(&controls, &SamplerControls::newMessagesWanted, this, [this] { choose(true); });
  connect(controls.subject(), &SamplingSubject::requestChosen, this, [this] { choose(false); });
  connect(controls.subject(), &SamplingSubject::newMessagesChosen, this, [this] { choose(true); });
  controls.setDefaults(Settings::defaultSampling(), Settings::kDefaultMaxTokens);
  showNewMessages();
}

void SamplingController::choose(bool newMessages) {
  m_wantsNewMessages = newMessages;
  m_previewer.clear();
  follow();
}

// LIVE, an unfinished one: the others have no next token. In the past every one, for a preview.
const RequestState* SamplingController::selectedRequest() const {
  const bool live = m_session.isLive();
  const MachineState& state = m_session.state();
  const auto sequence = state.sequences.find(m_session.selectedSequence());
  if (sequence == state.sequences.end()) return nullptr;
  const auto request = state.requests.find(sequence->second.request);
  return request == state.requests.end() || (live && request->second.finished) ? nullptr : &request->second;
}

// A trial in the past shows in the fields, and goes when the view is LIVE again; and a change that was made
// LIVE is no trial of the past, whose own values the fields show then.
void SamplingController::followCursor() {
  if (m_session.isLive() != std::exchange(m_wasLive, m_session.isLive())) {
    m_previewer.clear();
    m_shown.reset();
  }
  follow();
}

void SamplingController::follow() {
  const RequestState* const request = selectedRequest();
  m_controls.subject()->setRequest(
      request == nullptr ? QString()
                         : requestLetter(request->id) + u' ' + QString::fromStdString(request->name),
      !m_session.isLive());
  if (request == nullptr || m_wantsNewMessages) return showNewMessages();
  showRequest(*request);
}

void SamplingController::showRequest(const RequestState& request) {
  const auto sampling = m_session.sampling().at(request.id, m_session.step());
  if (!sampling) return showNewMessages();  // it has not been submitted at this step
  m_controls.setEditable(true, false);
  m_controls.subject()->showRequest(sentenceFor(request));
  const Request* const submitted = m_session.sampling().submitted(request.id);
  showValues(request.id, {*sampling, submitted->sequences, submitted->beamWidth}, request.maxTokens);
}

QString SamplingController::sentenceFor(const RequestState& request) const {
  if (!m_session.isLive())
    return tr("As it was at step %1. Here the controls change a preview alone.").arg(m_session.step());
  const auto& sequences = m_session.recording().live().sequences;
  const auto first = sequences.find(m_session.selectedSequence());
  const int tokens = first == sequences.end() ? 0 : static_cast<int>(first->second.tokens.size());
  const int written = first == sequences.end() ? 0 : tokens - first->second.promptTokens;
  return request.searches() ? tr("A beam search is greedy: these do not act.")
                            : tr("A change holds from token %1 of the answer on.").arg(written + 1);
}

void SamplingController::showNewMessages() {
  m_controls.setEditable(true, true);
  m_controls.subject()->showNewMessages(tr("For the messages that you send from now on."));
  showValues(0, {m_sampling, m_answers, m_beams}, m_maxTokens);
}

// Only what is new: a field that is being edited stays as it is.
void SamplingController::showValues(RequestId subject, const SamplingKnobs& knobs, int maxTokens) {
  if (m_subject == subject && m_shown == knobs.sampling) return;
  if (m_subject != subject) m_controls.forgetModes();
  m_subject = subject;
  m_shown = knobs.sampling;
  m_controls.setAnswers(knobs.answers, knobs.beams);
  if (m_controls.sampling() != knobs.sampling) {
    m_previewer.clear();  // the trial that the fields showed is gone
    m_controls.setSampling(knobs.sampling);
  }
  if (m_controls.maxTokens() != maxTokens) m_controls.setMaxTokens(maxTokens);
}

void SamplingController::changeSampling(const SamplingOptions& sampling) {
  if (m_subject != 0) {
    if (m_session.isLive()) m_host.setSampling(m_subject, sampling);
    return m_previewer.show(sampling);
  }
  m_shown = m_sampling = sampling;
  m_settings.setSampling(sampling);
  emit newMessagesChanged();
}

void SamplingController::setForNewMessages(const SamplingOptions& sampling, int maxTokens) {
  m_sampling = sampling;
  m_maxTokens = maxTokens;
  m_settings.setSampling(sampling);
  m_settings.setMaxTokens(maxTokens);
  if (m_subject == 0) {
    m_shown.reset();  // the controls are behind
    follow();
  }
  emit newMessagesChanged();
}

// A preset of a chat leaves the penalties of what is repeated here and the seed as they are.
bool SamplingController::isDefault() const {
  SamplingOptions sampling = m_sampling;
  const SamplingOptions unchanged = Settings::defaultSampling();
  sampling.presencePenalty = unchanged.presencePenalty;
  sampling.frequencyPenalty = unchanged.frequencyPenalty;
  sampling.seed = unchanged.seed;
  return sampling == unchanged && m_answers == 1 && m_beams == 1;
}

void SamplingController::changeMaxTokens(int tokens) {
  if (m_subject != 0) return;  // the length of an answer is settled when it is submitted
  m_maxTokens = tokens;
  m_settings.setMaxTokens(tokens);
  emit newMessagesChanged();
}

void SamplingController::changeAnswers(int answers, int beams) {
  if (m_subject != 0) return;  // so is their number
  m_answers = answers;
  m_beams = beams;
  emit newMessagesChanged();
}

}  // namespace vitrine

#include "moc_sampling_controller.cpp"
