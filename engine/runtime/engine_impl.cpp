// The step. Each of its six lines is one phase of the lesson; a gate stands before each.
#include "runtime/engine_impl.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

#include "core/check.h"

namespace vitrine {
namespace {

SchedulerOptions schedulerOptions(const EngineOptions& options, int numBlocks) {
  return {options.blockSize,      numBlocks,
          options.maxSequences,   options.tokenBudget,
          options.batching,       usesPrefixCache(options),
          options.chunkedPrefill, EvictionRule::of(options),
          options.policy,         options.agingSteps,
          options.windowMs};
}

}  // namespace

EngineImpl::EngineImpl(EngineParts parts, const EngineOptions& options, EngineLoaded loaded, std::int32_t run,
                       EventSink& sink)
    : m_options(options),
      m_config(std::move(parts.config)),
      m_tokenizer(std::move(parts.tokenizer)),
      m_chatFormat(std::move(parts.chatFormat)),
      m_eosTokens(m_config.eosTokens),
      m_events(sink, run, std::move(parts.clock)),
      m_loaded(std::move(loaded)),
      m_runner(std::move(parts.backend), std::move(parts.decoder), m_loaded.numBlocks, options.blockSize,
               options.kvType,
               options.eviction == Eviction::kHeavyHitters ? EvictionRule::of(options).mostBlocks() : 0),
      m_swap(makeSwap(parts.swapFileName)),
      m_scheduler(schedulerOptions(options, m_loaded.numBlocks), m_events, PrefixIndex::chainHash,
                  m_swap ? &m_swap->space : nullptr),
      m_draftLength(options.speculation.draftLength, options.speculation.adaptive) {
  m_drafter = makeDrafter(std::move(parts.draftDecoder));
  if (m_eosTokens.empty() && m_tokenizer && m_tokenizer->eosToken())
    m_eosTokens.push_back(*m_tokenizer->eosToken());
  m_loaded.loadMs = static_cast<double>(steadyNowNs() - parts.loadStartedNs) / 1e6;
  m_events.publish(m_loaded);
}

std::unique_ptr<Swap> EngineImpl::makeSwap(SwapFile::Name fileName) {
  if (m_options.preemption != Preemption::kSwap) return nullptr;
  const std::filesystem::path folder = swapFolder(m_options);
  if (m_loaded.diskSwapBlocks > 0) m_loaded.staleSwapFiles = removeStaleSwapFiles(folder);
  return std::make_unique<Swap>(m_runner.backend(), m_runner.cache(), m_loaded, folder, fileName, m_events);
}

void Engine::run() {
  for (; hasWork(); step()) std::this_thread::sleep_for(std::chrono::nanoseconds(idleNs()));
}

void EngineImpl::step() {
  VITRINE_CHECK(!m_inStep);
  if (!hasWork()) return;
  beginStep();
  // Whatever a phase throws, the step comes to its end, and the engine goes on.
  try {
    runPhases();
  } catch (const EngineError& error) {
    fail(error.code(), error.what(), error.hint().c_str());
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::kOutOfMemory, "no memory left for a step of the model",
         "choose a smaller --token-budget or --kv-memory");
  } catch (...) {  // a bug; the host hears of it
    failRunning();
    endStep();
    throw;
  }
  endStep();
}

void EngineImpl::runPhases() {
  enter(Phase::kAdmit);
  admit();
  enter(Phase::kPlan);
  if (m_drafter) askDrafter();
  if (m_scheduler.plan().work.empty()) return;  // a window is open, or the step only preempted
  m_batchInFlight = true;
  enter(Phase::kAllocate);
  m_scheduler.allocate();
  enter(Phase::kForward);
  forward();
  enter(Phase::kSample);
  sample();
  enter(Phase::kCommit);
  commit();
}

void EngineImpl::beginStep() {
  m_inStep = true;
  m_drawn.clear();
  m_sampled = 0;
  m_offered.clear();
  m_ended.clear();
  m_phaseNs.fill(0);
  m_events.beginStep();
  m_events.setPhase(Phase::kAdmit);
  m_events.publish(StepStarted{static_cast<int>(m_scheduler.waiting().size()),
                               static_cast<int>(m_scheduler.running().size())});
}

// The gate may pause the machine for any time, which counts for no phase.
void EngineImpl::enter(Phase phase) {
  leavePhase();
  if (m_gate) m_gate(phase);
  m_events.setPhase(phase);
  m_events.publish(PhaseStarted{phase});
  m_phase = static_cast<int>(phase);
  m_phaseBeganNs = m_events.nowNs();
}

void EngineImpl::leavePhase() {
  if (m_phase >= 0) m_phaseNs[static_cast<std::size_t>(m_phase)] = m_events.nowNs() - m_phaseBeganNs;
  m_phase = -1;
}

void EngineImpl::admit() {
  m_scheduler.admit();
  for (const Sequence* sequence : m_scheduler.running()) {
    RequestRecord& owner = answerOf(*sequence).record;
    if (owner.admittedNs >= 0) continue;  // it waited once, however often it is preempted
    owner.admittedNs = m_events.nowNs();
    owner.cachedTokens = sequence->cachedTokens;
  }
}

void EngineImpl::forward() {
  m_runner.copyBlocks(m_scheduler.currentPlan());
  if (m_drafter) draft();
  if (m_scheduler.currentPlan().work.empty()) return;  // all of it was lost on its way back from swap
  const std::int64_t beganNs = m_events.nowNs();
  m_runner.forward(m_scheduler.currentPlan(), m_detail.layers, [&](const Work& work, int layer, float norm) {
    m_events.publish(LayerTap{work.sequence->id, work.firstPosition + work.tokens - 1, layer, norm});
  });
  m_speculated.verifyNs = m_events.nowNs() - beganNs;
}

void EngineImpl::sample() {
  m_batchInFlight = false;
  m_scheduler.advance();
  int row = 0;
  auto draft = m_drafts.begin();
  for (const Work& work : m_scheduler.currentPlan().work) {
    if (!work.samples) continue;
    Answer& answer = answerOf(*work.sequence);
    const int answers = work.sequence->sequenceSlots;  // more than one: here the request forks
    if (answer.record.beams) {
      offer(answer, m_runner.logits(row));
    } else if (work.draftTokens > 0) {
      verify(answer, *draft++, row);
    } else {
      draw(answer, answer.sequence.tokens, m_runner.logits(row));
      for (int index = 1; index < answers; ++index) {
        Answer& child = fork(answer, index);
        draw(child, child.sequence.tokens, m_runner.logits(row));
      }
    }
    row += 1 + work.draftTokens;
  }
  for (RequestRecord* owner : m_offered)
    if (owner->beams->isReady(owner->answers)) chooseBeams(*owner);
}

void EngineImpl::commit() {
  std::vector<std::pair<Answer*, FinishReason>> finished;
  for (Drawn& drawn : m_drawn) {
    // An answer's tokens stand together; a draft may have more of them than it takes to end.
    if (!finished.empty() && finished.back().first == drawn.answer) continue;
    if (const auto reason = append(drawn)) finished.emplace_back(drawn.answer, *reason);
  }
  for (const Work& work : m_scheduler.currentPlan().work)
    if (work.draftTokens > 0) m_scheduler.rollBack(*work.sequence);
  m_scheduler.registerBlocks();
  if (m_drafter) publishSpeculation();
  for (const auto& [answer, reason] : finished) finishAnswer(*answer, reason);
  for (RequestRecord* owner : m_ended) finishBeams(*owner);
  if (!m_options.kvCache) forgetKv();
  m_scheduler.evictContext();
}

// Drafts require a KV cache, so a sequence that has drawn a token here has one new token.
void EngineImpl::forgetKv() {
  for (const Drawn& drawn : m_drawn) {
    Sequence& sequence = drawn.answer->sequence;
    if (sequence.status == SequenceStatus::kRunning) m_scheduler.forgetKv(sequence);
  }
}

void EngineImpl::endStep() {
  leavePhase();
  m_batchInFlight = false;
  if (m_swap) m_swap->space.publishStep();
  m_events.publish(StepFinished{
      m_phaseNs, m_scheduler.currentPlan().tokens(), m_sampled,
      static_cast<int>(m_scheduler.waiting().size()), static_cast<int>(m_scheduler.running().size()),
      m_scheduler.blocks().pool().freeCount(), m_scheduler.blocks().freeCachedCount()});
  m_inStep = false;
  for (std::size_t i = 0; i < m_deferred.size(); ++i) m_deferred[i]();
  m_deferred.clear();
}

void EngineImpl::fail(ErrorCode code, const char* message, const char* hint) {
  try {
    m_events.publish(EngineFailed{errorCodeName(code), message, hint});
  } catch (const std::bad_alloc&) {  // without memory for the words, the failed requests tell of it
  }
  failRunning();
}

// What was running is lost; what waits untouched is not. A request whose answers have all ended was about to
// end. When nothing ran, the step failed over the first waiting request: it fails, or every next step would
// do the same. Allocates nothing: memory may be what is short.
void EngineImpl::failRunning() {
  m_batchInFlight = false;
  const auto waits = [](const auto& answer) {
    const SequenceStatus status = answer->sequence.status;
    return status != SequenceStatus::kRunning && status != SequenceStatus::kFinished;
  };
  bool anyRan = false;
  for (const auto& [id, owner] : m_records) {
    if (owner->finished || std::ranges::all_of(owner->answers, waits)) continue;
    finishRequest(*owner, FinishReason::kFailed);
    anyRan = true;
  }
  if (!anyRan && hasWork())
    finishRequest(answerOf(*m_scheduler.waiting().front()).record, FinishReason::kFailed);
}

}  // namespace vitrine
