#include "gui/questions/sampling_previewer.h"

#include <algorithm>

#include "vitrine/sampling_preview.h"

namespace vitrine {
namespace {

constexpr int kCandidates = 16;     // of each stage, as many as the engine publishes
constexpr int kPiecesKnown = 8192;  // hot options draw tokens that the model holds for unlikely

}  // namespace

SamplingPreviewer::SamplingPreviewer(EngineHost& host, Session& session, SamplerModel& model, QObject* parent)
    : QObject(parent), m_host(host), m_session(session), m_model(model) {
  connect(&model, &SessionModel::refreshed, this, &SamplingPreviewer::follow);
  connect(&session, &Session::selectionChanged, this, &SamplingPreviewer::clear);
  connect(&session, &Session::runStarted, this, [this] {
    m_question.drop();  // it belongs to the run before
    m_knownOf = {};
    clear();
  });
}

void SamplingPreviewer::show(const SamplingOptions& trial) {
  m_trial = trial;
  follow();
}

void SamplingPreviewer::clear() {
  m_trial.reset();
  follow();
}

const SequenceState* SamplingPreviewer::sequenceShown() const {
  const auto& sequences = m_session.state().sequences;
  const auto found = sequences.find(m_model.sequence());
  return found == sequences.end() ? nullptr : &found->second;
}

SamplingPreviewer::Place SamplingPreviewer::placeShown() const {
  const SequenceState* const sequence = sequenceShown();
  const int position = m_model.position();
  if (sequence == nullptr || m_model.isOfBeam() || position < std::max(1, sequence->promptTokens) ||
      sequence->evictedTokens > 0 || position > static_cast<int>(sequence->tokens.size()))
    return {};
  return {sequence->id, position};
}

bool SamplingPreviewer::wantsPreview() const {
  if (!m_trial || placeShown().position < 0) return false;
  return m_session.sampling().inStep(sequenceShown()->request, m_model.step()) != m_trial;
}

// The model tells of every refresh, so nothing is drawn twice.
void SamplingPreviewer::follow() {
  if (!wantsPreview()) {
    m_drawnWith.reset();
    return m_model.clearPreview();
  }
  const Place place = placeShown();
  if (m_knownOf != place) return ask();
  if (m_drawnWith == m_trial && m_drawnFor == place) return;
  draw();
}

// One question at a time: while the cursor moves fast, only the last place is asked for.
void SamplingPreviewer::ask() {
  if (m_question.isOpen()) return;
  m_askedFor = placeShown();
  const SequenceState& sequence = *sequenceShown();
  const Request* const request = m_session.sampling().submitted(sequence.request);
  const auto work = [before =
                         std::vector(sequence.tokens.begin(), sequence.tokens.begin() + m_askedFor.position),
                     promptTokens = static_cast<std::size_t>(sequence.promptTokens),
                     request = request != nullptr ? *request : Request()](const AskedMachine& asked) {
    return Known{asked.engine.nextLogits(before, kPiecesKnown),
                 asked.engine.allowedNext(request, std::span(before).subspan(promptTokens))};
  };
  m_question = m_host.ask(work, this, [this](std::optional<Known> known) {
    m_known = std::move(known).value_or(Known());
    m_knownOf = m_askedFor;
    follow();
  });
}

void SamplingPreviewer::draw() {
  m_drawnFor = placeShown();
  m_drawnWith = m_trial;
  if (m_known.next.logits.empty() || (m_known.allowed && m_known.allowed->empty())) return;
  const SequenceState& sequence = *sequenceShown();
  const auto position = static_cast<std::size_t>(m_drawnFor.position);
  const std::uint64_t seed = m_session.engine() ? m_session.engine()->options.seed : 0;
  SamplerPreview preview{sequence.id, m_drawnFor.position, {}, {}};
  preview.draw = previewDraw({m_known.next.logits, std::span(sequence.tokens).first(position),
                              sequence.promptTokens, seed, sequence.index, m_known.allowed},
                             *m_trial, kCandidates);
  preview.pieces.insert(m_known.next.pieces.begin(), m_known.next.pieces.end());
  m_model.setPreview(std::move(preview));
}

}  // namespace vitrine

#include "moc_sampling_previewer.cpp"
