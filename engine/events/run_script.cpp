#include "vitrine/run_script.h"

#include <algorithm>
#include <cmath>

#include "events/event_digest.h"
#include "events/recorded_options.h"

namespace vitrine {
namespace {

constexpr std::int64_t kMostEvents = std::int64_t{1} << 62;  // numbers go on behind them

bool comesFromOutside(const Event& event) {
  return isA<RequestSubmitted>(event) || isA<RequestRejected>(event) || isA<RequestCancelled>(event) ||
         isA<SamplingChanged>(event) || isA<OptionsChanged>(event) || isA<RequestForgotten>(event);
}

bool isDecision(const Event& event) {
  return isA<DraftProposed>(event) || isA<DraftVerified>(event) || isA<StepSpeculated>(event) ||
         isA<BeamStep>(event);
}

bool movesSwapped(const Event& event) {
  return isA<BlockSwappedOut>(event) || isA<BlockDemoted>(event) || isA<BlockSwappedIn>(event) ||
         isA<SwapFailed>(event);
}

// Tokens go to a tokenizer, and logprobs are sorted.
bool isSound(const Event& event, int vocabulary) {
  const auto known = [vocabulary](TokenId token) { return token >= 0 && token < vocabulary; };
  if (const auto* sampled = bodyOf<TokenSampled>(event))
    return known(sampled->token) && !std::isnan(sampled->logprob);
  if (const auto* draft = bodyOf<DraftProposed>(event)) return std::ranges::all_of(draft->tokens, known);
  const auto* step = bodyOf<BeamStep>(event);
  return step == nullptr || std::ranges::all_of(step->candidates, [&](const BeamCandidate& one) {
           return known(one.token) && std::isfinite(one.logprob) && !std::isnan(one.modelLogprob);
         });
}

[[noreturn]] void refuse(const char* message, const char* hint) {
  throw EngineError(ErrorCode::kUnsupported, message, hint);
}

}  // namespace

void RunScript::add(const Event& event) {
  if (const auto* loaded = bodyOf<EngineLoaded>(event)) {
    *this = RunScript();
    m_loaded = *loaded;
    m_run = event.run;
    m_steps.emplace_back();
    if (!loaded->inputsRecorded)
      refuse("the run cannot be resumed: an older program recorded it, without all options of its requests",
             "record it again with this program");
    return;
  }
  if (m_steps.empty())
    refuse("the run cannot be resumed: its beginning is missing", "record it from its start");
  if (isA<Snapshot>(event)) {
    if (m_steps.size() == 1 && event.step > 0)
      refuse("the run cannot be resumed: its recording began in the middle", "record it from its start");
    return;
  }
  if (!isSound(event, m_loaded.model.vocabularySize))
    throw EngineError(ErrorCode::kFileCorrupt, "a token or a logprob of the recording is out of range");
  if (event.number >= kMostEvents)
    throw EngineError(ErrorCode::kFileCorrupt, "an event's number in the recording is out of range");
  follow(event);
  Step& step = m_steps.back();
  if (isA<TokenSampled>(event) || isA<BeamChosen>(event)) step.tokenNs.push_back(event.timeNs);
  if (const auto digest = digestOf(event.body)) step.digest = joinDigests(step.digest, *digest);
  if (const auto* failed = bodyOf<SwapFailed>(event)) step.failedMoves.emplace_back(m_moves, *failed);
  m_moves += movesSwapped(event) ? 1 : 0;
  if (comesFromOutside(event)) {
    step.inputs.push_back({m_begun ? 1 + m_phases : 0, event.timeNs, event.body});
  } else if (const auto* token = bodyOf<TokenSampled>(event)) {
    step.tokens.push_back({token->sequence, token->token, token->logprob});
  } else if (isDecision(event)) {
    step.decisions.push_back(event.body);
  } else if (isA<StepStarted>(event)) {
    m_begun = true;
    m_phases = m_moves = 0;
    step.clockNs = event.timeNs;
  } else if (const auto* phase = bodyOf<PhaseStarted>(event)) {
    ++m_phases;
    step.phaseNs[static_cast<std::size_t>(phase->phase)] = event.timeNs;
  } else if (isA<EngineFailed>(event)) {
    step.failed = true;
  } else if (isA<StepFinished>(event)) {
    step.finished = true;
    step.endNs = event.timeNs;
    step.endNumber = event.number;
    step.evicted = !m_evicting.empty();
    m_begun = false;
    m_steps.emplace_back();
  }
}

void RunScript::follow(const Event& event) {
  if (const auto* evicted = bodyOf<ContextEvicted>(event)) m_evicting.insert(evicted->sequence);
  if (m_evicting.empty()) return;
  if (const auto* preempted = bodyOf<SequencePreempted>(event)) m_evicting.erase(preempted->sequence);
  if (const auto* finished = bodyOf<SequenceFinished>(event)) m_evicting.erase(finished->sequence);
  if (const auto* forgotten = bodyOf<KvForgotten>(event)) m_evicting.erase(forgotten->sequence);
  const auto* forked = bodyOf<SequenceForked>(event);
  if (forked != nullptr && m_evicting.contains(forked->parent)) m_evicting.insert(forked->child);
}

EngineOptions RunScript::options() const { return loadedOptions(m_loaded); }

}  // namespace vitrine
