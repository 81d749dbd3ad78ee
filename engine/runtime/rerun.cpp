#include "runtime/rerun.h"

#include <algorithm>
#include <string>

#include "events/event_digest.h"
#include "vitrine/machine_state.h"

namespace vitrine {
namespace {

EngineError errorOf(const SwapFailed& failed) {
  int code = static_cast<int>(ErrorCode::kFileNotFound);
  constexpr int kLast = static_cast<int>(ErrorCode::kCancelled);
  while (code < kLast && failed.code != errorCodeName(static_cast<ErrorCode>(code))) ++code;
  return EngineError(static_cast<ErrorCode>(code), failed.message, failed.hint);
}

}  // namespace

Rerun::Rerun(std::shared_ptr<const RunScript> script, const ResumeOptions& options, EventSink& sink)
    : m_script(std::move(script)), m_options(options), m_sink(sink) {}

void Rerun::publish(const Event& event) {
  if (const auto digest = digestOf(event.body)) m_digest = joinDigests(m_digest, *digest);
  m_last.run = event.run;
  m_last.number = event.number;
  m_last.step = event.step;
  m_last.phase = event.phase;
  m_last.timeNs = event.timeNs;
  if (!m_muted) m_sink.publish(event);
  if (isA<EngineLoaded>(event)) m_muted = !m_options.publishHistory;
  if (!m_arrived) awaitToken(event);
  if (isA<StepFinished>(event)) finishStep();
}

// A request keeps the time of its first token. Tokens are appended in the last phase.
void Rerun::awaitToken(const Event& event) {
  const auto* const phase = bodyOf<PhaseStarted>(event);
  const bool token = isA<TokenSampled>(event) || isA<BeamChosen>(event);
  if (!token && (phase == nullptr || phase->phase != Phase::kCommit)) return;
  m_tokens += token ? 1 : 0;
  const RunScript::Step* const now = step();
  if (now != nullptr && m_tokens < now->tokenNs.size()) set(now->tokenNs[m_tokens]);
}

void Rerun::finishStep() {
  if (m_mode != Mode::kFree && knows(m_step) && m_script->step(m_step).finished) {
    const bool same = m_digest == m_script->step(m_step).digest;
    if (!same && m_report.differsAt == 0) m_report.differsAt = m_step;
    m_report.comparedSteps += m_arrived ? 1 : 0;
  }
  m_digest = 0;
  m_input = 0;
  m_moves = 0;
  m_tokens = 0;
  ++m_step;
  if (m_mode == Mode::kFollow) leaveScriptAtItsEnd();
  m_report.following = follows();
}

void Rerun::leaveScriptAtItsEnd() {
  if (knows(m_step) && !m_script->step(m_step).failed) return;
  m_mode = Mode::kFree;
  set(nowNs());
  goOn();
}

bool Rerun::skipToNextInput() {
  if (m_mode != Mode::kFollow || !hasInputs()) return false;
  if (m_report.differsAt == 0 && !m_report.changed) m_report.differsAt = m_step;
  while (m_input >= m_script->step(m_step).inputs.size()) ++m_step, m_input = 0;
  return true;
}

bool Rerun::follows() const { return m_mode == Mode::kFollow && m_script->step(m_step).finished; }

void Rerun::follow() { m_mode = Mode::kFollow; }

std::int64_t Rerun::arrive(const MachineState& state) {
  m_arrived = true;
  m_muted = false;
  if (!m_options.publishHistory) {
    if (state.step > 0) m_last.number = m_script->step(state.step).endNumber;
    Event event = m_last;
    event.body = Snapshot{std::make_shared<const MachineState>(state)};
    m_sink.publish(event);
  }
  m_mode = m_options.followRecording && knows(m_step) ? Mode::kFollow : Mode::kFree;
  m_report.following = follows();
  m_report.comparedSteps = 0;
  goOn();
  return m_last.number;
}

std::int64_t Rerun::nowNs() const {
  if (m_held) return m_baseNs;
  return std::min(m_baseNs + steadyNowNs() - m_anchorNs, m_boundNs);
}

void Rerun::set(std::int64_t timeNs) {
  m_baseNs = std::max(nowNs(), timeNs);
  m_held = true;
}

void Rerun::beginStep() {
  if (const RunScript::Step* now = step(); now != nullptr && now->clockNs > 0) set(now->clockNs);
}

void Rerun::enter(Phase phase) {
  const RunScript::Step* const now = step();
  if (!m_arrived && now != nullptr) set(now->phaseNs[static_cast<std::size_t>(phase)]);
}

void Rerun::endPhases() {
  const RunScript::Step* const now = step();
  if (!m_arrived && now != nullptr) set(now->endNs);
}

// The clock stops before the next reading that the recording has: of an input, or of the next step.
void Rerun::goOn() {
  if (!m_arrived || !m_held) return;
  m_boundNs = std::numeric_limits<std::int64_t>::max();
  for (int number = m_step; m_mode == Mode::kFollow && knows(number) && number <= m_step + 1; ++number) {
    const RunScript::Step& next = m_script->step(number);
    const std::size_t input = number == m_step ? m_input : 0;
    if (input < next.inputs.size()) m_boundNs = std::min(m_boundNs, next.inputs[input].timeNs);
    if (next.clockNs > m_baseNs) m_boundNs = std::min(m_boundNs, next.clockNs);
  }
  m_boundNs = std::max(m_boundNs, m_baseNs);
  m_anchorNs = steadyNowNs();
  m_held = false;
}

const RunScript::Input* Rerun::takeInput(int gate) {
  const RunScript::Step* const now = step();
  if (now == nullptr || m_input >= now->inputs.size() || now->inputs[m_input].gate > gate) return nullptr;
  const RunScript::Input& input = now->inputs[m_input++];
  set(input.timeNs);
  return &input;
}

bool Rerun::hasInputs() const {
  if (m_mode == Mode::kFree) return false;
  for (int number = m_step; knows(number); ++number)
    if (m_script->step(number).inputs.size() > (number == m_step ? m_input : 0)) return true;
  return false;
}

RequestId Rerun::ownId(RequestId recorded) const {
  const auto found = m_ids.find(recorded);
  return found == m_ids.end() ? 0 : found->second;
}

const RunScript::Step* Rerun::step() const {
  return m_mode != Mode::kFree && knows(m_step) ? &m_script->step(m_step) : nullptr;
}

bool Rerun::permitsMove() {
  const int move = m_moves++;
  const RunScript::Step* const now = isAsRecorded() ? step() : nullptr;
  if (now == nullptr) return true;
  const auto failed = std::ranges::find(now->failedMoves, move, &std::pair<int, Boxed<SwapFailed>>::first);
  if (failed != now->failedMoves.end()) throw errorOf(*failed->second);
  return !skims();
}

void Rerun::missing() const {
  throw EngineError(ErrorCode::kFileCorrupt,
                    "step " + std::to_string(m_step) + " of the recording lacks a token or a draft");
}

}  // namespace vitrine
