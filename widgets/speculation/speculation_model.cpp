#include "widgets/speculation/speculation_model.h"

#include <algorithm>
#include <limits>

#include "vitrine/error.h"
#include "widgets/session/draft_text.h"
#include "widgets/support/token_ink.h"

namespace vitrine {
namespace {

constexpr int kDraftTokensBefore = 10;  // of the text that the draft continues

}  // namespace

SpeculationModel::SpeculationModel(Session* session, QObject* parent) : RowsModel(session, parent) {
  connect(session, &Session::selectionChanged, this, [this] { update(); });
  takeWhatIsThere();
  refresh();
}

void SpeculationModel::restart() {
  m_history = {};
  m_draftSteps.clear();
}

void SpeculationModel::take(const Event& event) {
  m_history.add(event);
  if (const auto* verified = bodyOf<DraftVerified>(event))
    m_draftSteps[verified->sequence].push_back(event.step);
  else if (const auto* finished = bodyOf<SequenceFinished>(event))
    if (const auto found = m_draftSteps.find(finished->sequence); found != m_draftSteps.end())
      found->second.shrink_to_fit();
}

void SpeculationModel::refresh() {
  const int step = session()->isLive() ? std::numeric_limits<int>::max() : session()->step();
  m_figures = m_history.at(step);
  m_lastSteps = m_history.lastSteps(step, kLastSteps);
  findDraft();
  setRows(makeRows());
}

// The newest step up to the cursor that verified a draft of the sequence; 0: none.
int SpeculationModel::draftStep(SequenceId sequence) const {
  const auto found = m_draftSteps.find(sequence);
  if (found == m_draftSteps.end()) return 0;
  const auto behind = std::ranges::upper_bound(found->second, session()->step());
  return behind == found->second.begin() ? 0 : *std::prev(behind);
}

void SpeculationModel::findDraft() {
  m_draft = {};
  m_draft.sequence = session()->selectedSequence();
  if (m_draft.sequence == 0) return;
  readDraft(session()->stepEvents());
  const int step = draftStep(m_draft.sequence);
  if (m_draft.step != 0 || step == 0) return;
  try {
    readDraft(session()->recording().eventsOf(step));
  } catch (const EngineError&) {  // a part that the disk has lost cannot be shown; the session has said so
  }
}

void SpeculationModel::readDraft(EventBatch events) {
  const DraftProposed* proposed = nullptr;
  for (const Event& event : events) {
    const auto* draft = bodyOf<DraftProposed>(event);
    if (draft != nullptr && draft->sequence == m_draft.sequence) proposed = draft, m_draft.step = event.step;
    const auto* verified = bodyOf<DraftVerified>(event);
    if (verified == nullptr || verified->sequence != m_draft.sequence) continue;
    m_draft.step = event.step;
    return addTokens(events, *verified);
  }
  if (proposed == nullptr) return;
  m_draft.pending = true;
  DraftVerified unjudged{proposed->sequence, proposed->firstPosition, 0, {}};
  for (const TokenId token : proposed->tokens) {
    DraftJudgement judgement;
    judgement.token = token;
    judgement.verdict = DraftVerdict::kUndecided;
    unjudged.judgements.push_back(judgement);
  }
  addTokens(events, unjudged);
}

void SpeculationModel::addTokens(EventBatch events, const DraftVerified& verified) {
  const SequenceId sequence = m_draft.sequence;
  for (int at = std::max(0, verified.firstPosition - kDraftTokensBefore); at < verified.firstPosition; ++at)
    m_draft.before += session()->recordedText(sequence, at);
  const DraftTexts texts(events);
  for (std::size_t i = 0; i < verified.judgements.size(); ++i) {
    const DraftJudgement& judgement = verified.judgements[i];
    const int position = verified.firstPosition + static_cast<int>(i);
    TokenFate fate = TokenFate::kUnjudged;
    if (static_cast<int>(i) < verified.accepted)
      fate = TokenFate::kAccepted;
    else if (judgement.verdict != DraftVerdict::kUndecided)
      fate = TokenFate::kRejected;
    m_draft.tokens.push_back(
        {position, judgement.token, texts.textOf(sequence, position, judgement.token), fate, judgement});
  }
  const int own = verified.firstPosition + verified.accepted;
  for (const Event& event : events) {
    const auto* sampled = bodyOf<TokenSampled>(event);
    if (m_draft.pending || !sampled || sampled->sequence != sequence || sampled->position != own) continue;
    m_draft.tokens.push_back(
        {own, sampled->token, QString::fromStdString(inkOf(*sampled)), TokenFate::kModel, {}});
  }
}

SpeculationVerdict SpeculationModel::verdict() const {
  if (m_figures.drafts == 0)
    return m_figures.options.drafter == DraftMethod::kNone ? SpeculationVerdict::kOff
                                                           : SpeculationVerdict::kNoDraft;
  const std::optional<double> speedUp = m_figures.speedUp();
  if (!speedUp) return SpeculationVerdict::kNotMeasured;
  if (*speedUp >= 1) return SpeculationVerdict::kPays;
  const std::optional<double> needed = m_figures.breakEvenAcceptance();
  return needed && *needed > 1 ? SpeculationVerdict::kCannotPay : SpeculationVerdict::kDoesNotPay;
}

std::optional<double> SpeculationModel::keptTokens() const {
  const std::optional<double> speedUp = m_figures.speedUp(), cost = m_figures.relativeCost();
  return speedUp && cost ? std::optional(*speedUp * *cost) : std::nullopt;
}

}  // namespace vitrine

#include "moc_speculation_model.cpp"
