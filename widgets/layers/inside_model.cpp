#include "widgets/layers/inside_model.h"

#include <algorithm>

#include "widgets/support/formats.h"

namespace vitrine {

// A sequence that has computed nothing, since it waits or has been preempted, is opened with all tokens but
// the last: the next forward would compute these.
InsidePlace InsideModel::placeAtCursor() const {
  const MachineState& state = session()->state();
  const auto found = state.sequences.find(session()->selectedSequence());
  if (found == state.sequences.end()) return {};
  const SequenceState& sequence = found->second;
  const int all = static_cast<int>(sequence.tokens.size());
  const int known = std::max(1, std::max(sequence.promptTokens, all - 1));
  const int tokens =
      sequence.computedTokens > 0 ? std::min(sequence.computedTokens, all) : std::min(known, all);
  return {tokens > 0 ? sequence.id : 0, tokens, state.step, sequence.evictedTokens > 0};
}

void InsideModel::refresh() {
  m_place = placeAtCursor();
  if (m_place.sequence == 0 && std::exchange(m_report, nullptr)) reportChanged();
  if (question()) emit wanted();
}

void InsideModel::restart() {
  m_progress.reset();
  m_refused = m_answered = {};
  if (std::exchange(m_report, nullptr)) reportChanged();
}

std::optional<InsideQuestion> InsideModel::question() const {
  if (m_place.sequence == 0) return {};
  const InsideQuestion question{m_place, optionsFor(m_place.tokens)};
  if (question == m_refused || (m_report && question == m_answered)) return {};
  return question;
}

std::vector<TokenId> InsideModel::tokensOfPlace() const {
  const auto found = session()->state().sequences.find(m_place.sequence);
  if (found == session()->state().sequences.end()) return {};
  const auto& all = found->second.tokens;
  return {all.begin(), all.begin() + std::min<std::ptrdiff_t>(m_place.tokens, std::ssize(all))};
}

void InsideModel::setReport(const InsideQuestion& question, std::shared_ptr<const InsideReport> report) {
  m_answered = question;
  m_refused = report ? InsideQuestion() : question;
  m_report = std::move(report);
  reportChanged();
  emit refreshed();
}

void InsideModel::setProgress(std::optional<float> fraction) {
  if (std::exchange(m_progress, fraction) != fraction) emit refreshed();
}

void InsideModel::ask() {
  if (isActive() && question()) emit wanted();
}

QString InsideModel::emptyText() const {
  if (m_report) return {};
  if (const QString unseen = session()->unseenWords(); !unseen.isEmpty()) return unseen;
  if (m_place.sequence == 0)
    return tr("Select a request: its forward is opened here, layer by layer, when a step has computed it.");
  if (m_place == m_refused.place)
    return tr("Not recorded. The engine finds a layer's results by computing the tokens again, and the run's "
              "model is not loaded. Run, Resume from step %1 (Ctrl+R) loads it.")
        .arg(session()->step());
  return m_progress ? tr("Computing the forward again … %1").arg(formatPercent(double{*m_progress}))
                    : tr("Computing the forward again …");
}

QString InsideModel::summary() const {
  if (!m_report) return {};
  const QString letter = session()->names().letter(reported().sequence, session()->state());
  const QString what = tr("%1 · %n token(s) of step %2, computed again", nullptr, reported().tokens)
                           .arg(letter)
                           .arg(reported().step);
  const QString whole = reported().evicted ? tr("%1 · with the evicted ones").arg(what) : what;
  return m_progress ? tr("%1 · the next one: %2").arg(whole, formatPercent(double{*m_progress})) : whole;
}

QString InsideModel::tokenText(int position) const {
  return visibleToken(session()->tokenText(reported().sequence, position));
}

}  // namespace vitrine

#include "moc_inside_model.cpp"
