#include "widgets/session/session.h"

#include <QThread>
#include <algorithm>
#include <utility>

namespace vitrine {

Session::Session(std::filesystem::path folder, QObject* parent)
    : QObject(parent), m_folder(std::move(folder)), m_recording(std::make_shared<Recording>(m_folder)) {}

void Session::append(std::vector<Event> events) {
  Q_ASSERT(QThread::currentThread() == thread());
  if (events.empty()) return;
  m_pictureTurn.beginBatch();
  for (Event& event : events) take(std::move(event));
  publishAppended();  // before anything is shown: models of the whole history must know it
  followSelection();
  if (isLive()) {
    emit stateChanged();
    emit cursorChanged(step(), true);
  }
  const bool inMemory = !m_recording->complaint().empty();
  if (inMemory && !m_memoryReported) emit recordingInMemory(QString::fromStdString(m_recording->complaint()));
  m_memoryReported = inMemory;
  m_pictureTurn.endBatch();
}

void Session::take(Event event) {
  if (isA<EngineLoaded>(event)) beginRun();
  m_names.note(event, m_recording->live());
  const Event* kept = nullptr;
  try {
    kept = m_recording->append(std::move(event));
  } catch (const EngineError& error) {
    emit streamDamaged(QString::fromStdString(error.what()));
  }
  if (kept == nullptr) return;
  note(*kept);
  announce(*kept);
  if (m_recording->newestPlace() > m_publishedPlace) publishAppended();  // while its chunk is still in memory
}

void Session::publishAppended() {
  const EventRange fresh = m_recording->eventsFrom(m_publishedPlace);
  m_publishedPlace = m_recording->size();
  emit appended(fresh);
}

void Session::beginRun() {
  Q_ASSERT(QThread::currentThread() == thread());
  const bool wasLive = isLive();
  leavePast();
  const std::shared_ptr<Recording> replaced =
      std::exchange(m_recording, std::make_shared<Recording>(m_folder));
  if (replaced->lastFinishedStep() > replaced->firstStep()) emit runReplaced(replaced);
  m_names.clear();
  m_engine.reset();
  m_texts.clear();
  m_candidates.clear();
  m_sampling.clear();
  m_publishedPlace = 0;
  m_stepEventsOf = {-1, -1};
  m_chosen = m_memoryReported = false;
  m_spotlight.clear();
  emit runStarted();
  if (!wasLive) emit cursorChanged(step(), true);
  if (std::exchange(m_selected, 0) != 0) emit selectionChanged(0);
}

void Session::clear() {
  beginRun();
  emit appended({});
  emit stateChanged();
}

void Session::note(const Event& event) {
  m_texts.note(event);
  m_candidates.note(event);
  m_sampling.note(event);
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) m_engine = *loaded;
}

void Session::announce(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) emit engineLoaded(*loaded);
  if (const auto* failed = bodyOf<EngineFailed>(event)) {
    emit engineFailed(QString::fromStdString(failed->code), QString::fromStdString(failed->message),
                      QString::fromStdString(failed->hint));
  }
  if (const auto* submitted = bodyOf<RequestSubmitted>(event)) emit requestSubmitted(*submitted);
  if (const auto* rejected = bodyOf<RequestRejected>(event)) emit requestRejected(*rejected);
  if (const auto* finished = std::get_if<RequestFinished>(&event.body)) emit requestFinished(*finished);
  if (const auto* sampled = std::get_if<TokenSampled>(&event.body); sampled && !sampled->text.empty()) {
    const auto found = m_recording->live().sequences.find(sampled->sequence);
    if (found != m_recording->live().sequences.end()) {
      emit textAppended(found->second.request, found->second.index, QString::fromStdString(sampled->text));
    }
  }
  if (std::holds_alternative<StepFinished>(event.body)) emit stepFinished(event.step);
}

bool Session::isInsideStep() const {
  return m_past ? m_hold.has_value() : m_recording->lastStep() > m_recording->lastFinishedStep();
}

int Session::finishedStep() const {
  if (!m_past) return m_recording->lastFinishedStep();
  return m_hold ? m_cursor - 1 : m_cursor;
}

QString Session::unseenWords() const {
  if (!m_engine || !m_engine->isFromOutside()) return {};
  return tr("This cannot be seen from outside: the engine is that of another program, %1.")
      .arg(QString::fromStdString(m_engine->device));
}

bool Session::canGoBack() const {
  return isInsideStep() ? finishedStep() >= firstStep() : step() > firstStep();
}

std::int64_t Session::shownEnd() const {
  if (isLive()) return m_recording->size();
  if (m_hold) return m_hold->end;
  try {
    return m_recording->endOf(m_cursor);
  } catch (const EngineError&) {
    return 0;
  }
}

EventBatch Session::stepEvents() const {
  const std::pair wanted{isLive() ? -1 : m_cursor, m_recording->size()};
  if (wanted != m_stepEventsOf) {
    try {
      m_stepEvents = isLive() ? m_recording->eventsSince(step()) : m_recording->eventsOf(m_cursor);
    } catch (const EngineError&) {
      m_stepEvents = {};  // moveTo() has reported why
    }
    m_stepEventsOf = wanted;
  }
  const EventBatch whole = m_stepEvents;
  return m_hold ? whole.first(std::min(whole.size(), m_hold->events)) : whole;
}

void Session::goToStep(int step) {
  Q_ASSERT(QThread::currentThread() == thread());
  const int target = std::clamp(step, firstStep(), std::max(firstStep(), m_recording->lastFinishedStep()));
  if (m_recording->size() == 0 || (m_past && m_cursor == target && !m_hold)) return;
  moveTo(target, {});
}

void Session::goToNextPhase() {
  Q_ASSERT(QThread::currentThread() == thread());
  if (isLive()) return;
  const int next = finishedStep() + 1;
  if (next > m_recording->lastFinishedStep()) return goLive();
  moveTo(next, nextHold(next));
}

// Before the next phase of a step that has begun, or before the second phase of another one; none: that step
// has no further phase. moveTo() reports a part that the disk has lost.
std::optional<Session::Hold> Session::nextHold(int step) const {
  try {
    const EventRange events = m_recording->eventsOf(step);
    const auto startsPhase = [](const Event& event) {
      return std::holds_alternative<PhaseStarted>(event.body);
    };
    const auto begun = m_hold ? events.begin() + static_cast<std::ptrdiff_t>(m_hold->events)
                              : std::find_if(events.begin(), events.end(), startsPhase);
    if (begun == events.end()) return std::nullopt;
    const auto found = std::find_if(begun + 1, events.end(), startsPhase);
    if (found == events.end()) return std::nullopt;
    return Hold{std::get<PhaseStarted>(found->body).phase, static_cast<std::size_t>(found - events.begin()),
                m_recording->endOf(step) - (events.end() - found)};
  } catch (const EngineError&) {
    return std::nullopt;
  }
}

MachineState Session::stateIn(int step, const Hold& hold) const {
  MachineState state = m_recording->stateAt(step - 1);
  const EventRange events = m_recording->eventsOf(step);
  const std::int64_t begin = hold.end - static_cast<std::int64_t>(hold.events);
  // The events before the first step belong to two steps.
  for (auto i = static_cast<std::size_t>(m_recording->endOf(step - 1) - begin); i < hold.events; ++i)
    state.apply(events[i]);
  return state;
}

void Session::moveTo(int step, std::optional<Hold> hold) {
  try {
    m_past = hold ? stateIn(step, *hold) : m_recording->stateAt(step);
  } catch (const EngineError& error) {
    emit pastUnreadable(QString::fromStdString(error.what()), QString::fromStdString(error.hint()));
    return;
  }
  m_cursor = step;
  m_hold = hold;
  followSelection();
  emit stateChanged();
  emit cursorChanged(m_cursor, false);
}

void Session::leavePast() {
  m_past.reset();
  m_hold.reset();
}

void Session::goLive() {
  Q_ASSERT(QThread::currentThread() == thread());
  if (isLive()) return;
  leavePast();
  followSelection();
  emit stateChanged();
  emit cursorChanged(step(), true);
}

void Session::goBack() {
  if (canGoBack()) goToStep(isInsideStep() ? finishedStep() : step() - 1);
}

void Session::goForward() {
  if (isLive()) return;
  if (finishedStep() >= m_recording->lastFinishedStep())
    goLive();
  else
    goToStep(finishedStep() + 1);
}

void Session::selectSequence(int sequence) {
  Q_ASSERT(QThread::currentThread() == thread());
  m_chosen = sequence != 0;
  if (m_selected == sequence) return;
  m_selected = sequence;
  emit selectionChanged(m_selected);
}

// Until the user selects a sequence: the newest running one, else the first waiting one.
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

prose::Names Session::proseNames() const {
  prose::Names names = m_names.proseNames(state());
  names.token = [this](TokenId token, const PrefixMissed& missed) { return missedText(token, missed); };
  return names;
}

// Either token of a miss stands at the same position of a sequence: ours, or one of the owner's answers.
std::string Session::missedText(TokenId token, const PrefixMissed& missed) const {
  const auto at = static_cast<std::size_t>(missed.position);
  const auto textIn = [&](SequenceId id) -> QString {
    const auto found = state().sequences.find(id);
    if (found == state().sequences.end()) return {};
    const std::vector<TokenId>& tokens = found->second.tokens;
    if (at >= tokens.size() || tokens[at] != token) return {};
    const QString text = m_texts.textOf(found->second, missed.position);
    return text == QStringLiteral("#%1").arg(token) ? QString() : text;
  };
  QString text = token == missed.ours ? textIn(missed.sequence) : QString();
  const auto owner = state().requests.find(missed.owner);
  if (token == missed.theirs && owner != state().requests.end())
    for (const SequenceId id : owner->second.sequences)
      if (text.isEmpty()) text = textIn(id);
  return text.toStdString();
}

QString Session::tokenText(SequenceId sequence, int position) const {
  const auto found = state().sequences.find(sequence);
  return found == state().sequences.end() ? QString() : m_texts.textOf(found->second, position);
}

std::shared_ptr<const TokenCandidates> Session::candidates(SequenceId sequence) const {
  if (auto held = heldCandidates(sequence)) return held;
  return m_candidates.find(sequence, m_past ? std::optional(finishedStep()) : std::nullopt, *m_recording);
}

int Session::candidatesStep(SequenceId sequence) const {
  if (heldCandidates(sequence)) return m_cursor;
  return m_candidates.stepOf(sequence, m_past ? std::optional(finishedStep()) : std::nullopt);
}

// Of the step that the cursor stands inside, as far as it is shown.
std::shared_ptr<const TokenCandidates> Session::heldCandidates(SequenceId sequence) const {
  std::shared_ptr<const TokenCandidates> held;
  if (!m_hold) return held;
  for (const Event& event : stepEvents()) {
    const auto* detail = std::get_if<Boxed<TokenCandidates>>(&event.body);
    if (detail && (**detail).sequence == sequence) held = detail->share();
  }
  return held;
}

}  // namespace vitrine

#include "moc_session.cpp"
