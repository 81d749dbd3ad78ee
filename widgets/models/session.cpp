#include "widgets/models/session.h"

#include <algorithm>
#include <utility>

#include "widgets/support/formats.h"

namespace vitrine {

void Session::append(std::vector<Event> events) {
  if (events.empty()) return;
  for (Event& event : events) take(std::move(event));
  followSelection();
  emit appended();
  if (isLive()) {
    emit stateChanged();
    emit cursorChanged(step(), true);
  }
}

void Session::take(Event event) {
  const bool newRun = std::holds_alternative<EngineLoaded>(event.body);
  if (newRun) beginRun();
  const auto before = m_recording.events().size();
  const Event told = event;
  m_names.note(told, m_recording.live());
  try {
    m_recording.append(std::move(event));
  } catch (const EngineError& error) {
    emit streamDamaged(QString::fromStdString(error.what()));
    return;
  }
  // The recording may keep an event without growing by it; only what it holds can be pointed at.
  if (m_recording.events().size() > before || newRun) note(m_recording.events().back());
  announce(told);
}

void Session::beginRun() {
  const bool wasLive = isLive();
  m_past.reset();
  m_recording.clear();
  m_names.clear();
  m_engine.reset();
  m_promptPieces.clear();
  m_outputPieces.clear();
  m_candidates.clear();
  m_firstTokens.clear();
  m_chosen = false;
  emit runStarted();
  if (!wasLive) emit cursorChanged(step(), true);
  if (std::exchange(m_selected, 0) != 0) emit selectionChanged(0);
}

void Session::clear() {
  beginRun();
  emit appended();
  emit stateChanged();
}

void Session::note(const Event& event) {
  if (const auto* loaded = std::get_if<EngineLoaded>(&event.body)) {
    m_engine = *loaded;
  } else if (const auto* submitted = std::get_if<RequestSubmitted>(&event.body)) {
    m_promptPieces[submitted->request] = submitted->pieces;
    m_firstTokens[submitted->request].submittedNs = event.timeNs;
  } else if (const auto* sampled = std::get_if<TokenSampled>(&event.body)) {
    m_outputPieces[sampled->sequence][sampled->position] = {sampled->text, sampled->token};
    const auto& sequences = m_recording.live().sequences;
    const auto found = sequences.find(sampled->sequence);
    if (found == sequences.end()) return;
    FirstToken& first = m_firstTokens[found->second.request];
    if (first.firstNs == 0) {
      first.firstNs = event.timeNs;
      first.step = event.step;
    }
  } else if (const auto* detail = std::get_if<TokenCandidates>(&event.body)) {
    m_candidates[detail->sequence].push_back({event.step, m_recording.events().size() - 1});
  }
}

void Session::announce(const Event& event) {
  if (const auto* loaded = std::get_if<EngineLoaded>(&event.body)) emit engineLoaded(*loaded);
  if (const auto* failed = std::get_if<EngineFailed>(&event.body)) {
    emit engineFailed(QString::fromStdString(failed->code), QString::fromStdString(failed->message),
                      QString::fromStdString(failed->hint));
  }
  if (const auto* submitted = std::get_if<RequestSubmitted>(&event.body)) emit requestSubmitted(*submitted);
  if (const auto* rejected = std::get_if<RequestRejected>(&event.body)) emit requestRejected(*rejected);
  if (const auto* finished = std::get_if<RequestFinished>(&event.body)) emit requestFinished(*finished);
  if (const auto* sampled = std::get_if<TokenSampled>(&event.body); sampled && !sampled->text.empty()) {
    const auto found = m_recording.live().sequences.find(sampled->sequence);
    if (found != m_recording.live().sequences.end()) {
      emit textAppended(found->second.request, found->second.index, QString::fromStdString(sampled->text));
    }
  }
  if (std::holds_alternative<StepFinished>(event.body)) emit stepFinished(event.step);
}

bool Session::isInsideStep() const {
  return isLive() && m_recording.lastStep() > m_recording.lastFinishedStep();
}

bool Session::canGoBack() const {
  if (isInsideStep()) return m_recording.lastFinishedStep() >= firstStep();
  return step() > firstStep();
}

std::span<const Event> Session::shownEvents() const {
  const auto all = m_recording.events();
  if (isLive() || all.empty()) return all;
  const auto last = m_recording.eventsOf(m_cursor);
  auto end = static_cast<std::size_t>(last.data() + last.size() - all.data());
  // What came between this step and the next belongs to the next: the state shown does not know it either.
  if (m_cursor > firstStep()) {
    while (end > 0 && !std::holds_alternative<StepFinished>(all[end - 1].body)) --end;
  }
  return all.first(end);
}

std::span<const Event> Session::stepEvents() const {
  const auto shown = shownEvents();
  const auto own = shown.empty() ? shown : m_recording.eventsOf(step());
  if (own.empty()) return {};
  auto begin = static_cast<std::size_t>(own.data() - shown.data());
  while (begin > 0 && !std::holds_alternative<StepFinished>(shown[begin - 1].body)) --begin;
  return shown.subspan(begin);
}

void Session::goToStep(int step) {
  const int target = std::clamp(step, firstStep(), std::max(firstStep(), m_recording.lastFinishedStep()));
  if (m_recording.events().empty() || (m_past && m_cursor == target)) return;
  m_past = m_recording.stateAt(target);
  m_cursor = target;
  followSelection();
  emit stateChanged();
  emit cursorChanged(m_cursor, false);
}

void Session::goLive() {
  if (isLive()) return;
  m_past.reset();
  followSelection();
  emit stateChanged();
  emit cursorChanged(step(), true);
}

void Session::goBack() {
  if (!canGoBack()) return;
  goToStep(isInsideStep() ? m_recording.lastFinishedStep() : step() - 1);
}

void Session::goForward() {
  if (isLive()) return;
  if (m_cursor >= m_recording.lastFinishedStep())
    goLive();
  else
    goToStep(m_cursor + 1);
}

void Session::selectSequence(int sequence) {
  m_chosen = sequence != 0;
  if (m_selected == sequence) return;
  m_selected = sequence;
  emit selectionChanged(m_selected);
}

// Until somebody chooses, the eye is led to what moves: the newest running sequence, else the first waiting.
void Session::followSelection() {
  const MachineState& now = state();
  if (m_chosen) return;
  SequenceId wanted = m_selected;
  if (!now.running.empty())
    wanted = now.running.back();
  else if (wanted == 0 && !now.waiting.empty())
    wanted = now.waiting.front();
  if (wanted == m_selected) return;
  m_selected = wanted;
  emit selectionChanged(m_selected);
}

QString Session::tokenText(SequenceId sequence, int position) const {
  const auto& sequences = state().sequences;
  const auto found = sequences.find(sequence);
  if (found == sequences.end() || position < 0) return {};
  const SequenceState& state = found->second;
  if (position < state.promptTokens) {
    const auto pieces = m_promptPieces.find(state.request);
    if (pieces != m_promptPieces.end() && static_cast<std::size_t>(position) < pieces->second.size()) {
      return QString::fromStdString(pieces->second[static_cast<std::size_t>(position)]);
    }
  } else if (const auto outputs = m_outputPieces.find(sequence); outputs != m_outputPieces.end()) {
    const auto note = outputs->second.find(position);
    if (note != outputs->second.end() && !note->second.text.empty()) {
      return QString::fromStdString(note->second.text);
    }
  }
  if (static_cast<std::size_t>(position) >= state.tokens.size()) return {};
  return QStringLiteral("#%1").arg(state.tokens[static_cast<std::size_t>(position)]);
}

const TokenCandidates* Session::candidates(SequenceId sequence) const {
  const auto marks = m_candidates.find(sequence);
  if (marks == m_candidates.end()) return nullptr;
  const auto& list = marks->second;
  auto end = list.end();
  if (!isLive()) {
    end = std::upper_bound(list.begin(), list.end(), m_cursor,
                           [](int step, const CandidateMark& mark) { return step < mark.step; });
  }
  if (end == list.begin()) return nullptr;
  return std::get_if<TokenCandidates>(&m_recording.events()[std::prev(end)->event].body);
}

std::int64_t Session::ttftNs(RequestId request) const {
  const auto found = m_firstTokens.find(request);
  if (found == m_firstTokens.end() || found->second.firstNs == 0 || found->second.step > step()) return 0;
  return found->second.firstNs - found->second.submittedNs;
}

}  // namespace vitrine
