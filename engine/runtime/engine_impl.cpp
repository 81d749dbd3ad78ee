// The step: six phases, with a gate before each (engine/README.md, "One step").
#include "runtime/engine_impl.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <thread>

#include "backends/operation_meter.h"
#include "core/check.h"

namespace vitrine {
namespace {

std::vector<TokenId> endTokensOf(const ModelConfig& config, const Tokenizer* tokenizer) {
  if (!config.eosTokens.empty() || !tokenizer || !tokenizer->eosToken()) return config.eosTokens;
  return {*tokenizer->eosToken()};
}

RequestLimits requestLimits(const EngineOptions& options, const ModelConfig& config, int numBlocks,
                            const Tokenizer* tokenizer) {
  RequestLimits limits;
  limits.vocabularySize = config.vocabularySize;
  limits.contextLength = config.contextLength;
  limits.stretches = config.rope.kind == RopeKind::kDynamic;
  limits.blockSize = options.blockSize;
  limits.totalBlocks = numBlocks;
  limits.maxSequences = options.maxSequences;
  limits.endTokens = endTokensOf(config, tokenizer);
  limits.kvCache = options.kvCache;
  limits.eviction = EvictionRule::of(options);
  return limits;
}

ModelRunner::Kv kvOf(const EngineOptions& options, int numBlocks) {
  const bool scores = options.eviction == Eviction::kHeavyHitters;
  return {numBlocks, options.blockSize, options.kvType, scores ? EvictionRule::of(options).mostBlocks() : 0};
}

}  // namespace

EngineImpl::EngineImpl(EngineParts parts, const EngineOptions& options, EngineLoaded loaded, EventSink& sink)
    : m_options(options),
      m_config(std::move(parts.config)),
      m_storage(parts.storage),
      m_tokenizer(std::move(parts.tokenizer)),
      m_chatFormat(std::move(parts.chatFormat)),
      m_rerun(std::move(parts.rerun)),
      m_events(sink, nextRun(), std::move(parts.clock)),
      m_loaded(std::move(loaded)),
      m_checks(requestLimits(options, m_config, m_loaded.options.numBlocks, m_tokenizer.get()),
               m_tokenizer.get()),
      m_runner(std::move(parts.backend), std::move(parts.decoder), kvOf(options, m_loaded.options.numBlocks)),
      m_draftModel(std::move(parts.draftDecoder)),
      m_swapFileName(parts.swapFileName),
      m_swap(m_options.preemption == Preemption::kSwap ? makeSwap() : nullptr),
      m_scheduler(SchedulerOptions::of(m_loaded.options), m_events, PrefixIndex::chainHash,
                  m_swap ? &m_swap->space : nullptr),
      m_grammars(m_tokenizer.get(), m_config.vocabularySize, endTokensOf(m_config, m_tokenizer.get())),
      m_sampler(endTokensOf(m_config, m_tokenizer.get()), m_tokenizer.get(), m_events),
      m_beams(m_scheduler, m_sampler, m_tokenizer.get(), m_events),
      m_speculator(makeSpeculator()),
      m_ahead(m_runner) {
  m_loaded.loadMs = static_cast<double>(steadyNowNs() - parts.loadStartedNs) / 1e6;
  m_events.publish(m_loaded);
}

std::unique_ptr<Swap> EngineImpl::makeSwap() {
  const std::filesystem::path folder = swapFolder(m_options);
  if (m_loaded.diskSwapBlocks > 0) m_loaded.staleSwapFiles = removeStaleSwapFiles(folder);
  auto swap = std::make_unique<Swap>(m_runner.backend(), m_runner.cache(), m_loaded, folder, m_swapFileName,
                                     m_events);
  if (m_rerun) swap->store.setBefore([this] { return m_rerun->permitsMove(); });
  return swap;
}

std::unique_ptr<Speculator> EngineImpl::makeSpeculator() {
  std::unique_ptr<Drafter> drafter =
      makeDrafter(m_options, m_runner, m_draftModel, m_loaded.options.numBlocks);
  if (!drafter) return nullptr;
  const Speculator::Surroundings surroundings{m_requests, m_sampler, m_events, m_config.contextLength,
                                              m_tokenizer.get()};
  return std::make_unique<Speculator>(std::move(drafter), m_options.speculation, surroundings);
}

void EngineImpl::setDetail(Detail detail) {
  m_detail = std::move(detail);
  m_sampler.setCandidates(m_detail.candidates);
  m_sampler.setEntropy(m_detail.entropy);
}

void Engine::run() {
  startClock();
  for (; hasWork(); step()) std::this_thread::sleep_for(std::chrono::nanoseconds(idleNs()));
}

void EngineImpl::step() {
  VITRINE_CHECK(!m_actions.inStep());
  const ClockScope running(m_events.clock(), true);
  takeInputs(0);
  while (!m_scheduler.hasWork() && m_rerun && m_rerun->skipToNextInput()) takeInputs(kPhaseCount);
  if (!m_scheduler.hasWork()) return;
  beginStep();
  // If a phase throws, the step still ends, and the engine goes on.
  try {
    runPhases();
  } catch (const EngineError& error) {
    fail(error.code(), error.what(), error.hint().c_str());
  } catch (const std::bad_alloc&) {
    fail(ErrorCode::kOutOfMemory, "no memory left for a step of the model",
         "choose a smaller --token-budget or --kv-memory");
  } catch (...) {  // a bug: the host gets the exception
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
  const bool drafts = askDrafter();
  const StepPlan& plan = m_scheduler.plan(drafts);
  if (plan.work.empty()) return;  // a window is open, or the step only preempted
  if (m_speculator) m_speculator->explain(plan);
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
  m_actions.beginStep();
  m_sampler.beginStep();
  m_beams.beginStep();
  m_sampled = 0;
  m_phaseNs.fill(0);
  if (m_rerun) m_rerun->beginStep();
  m_events.beginStep();
  m_events.setPhase(Phase::kAdmit);
  m_events.publishAt(m_events.stepNs(), StepStarted{static_cast<int>(m_scheduler.waiting().size()),
                                                    static_cast<int>(m_scheduler.running().size())});
  if (m_rerun) m_rerun->goOn();
}

void EngineImpl::enter(Phase phase) {
  leavePhase();
  if (m_gate) hold(phase);
  takeInputs(1 + static_cast<int>(phase));
  if (m_rerun) m_rerun->enter(phase);
  m_events.setPhase(phase);
  m_events.publish(PhaseStarted{phase});
  m_phase = static_cast<int>(phase);
  m_phaseBeganNs = m_events.nowNs();
}

// The gate may pause the machine, which takes no engine time.
void EngineImpl::hold(Phase next) {
  const ClockScope still(m_events.clock(), false);
  m_gate(next);
}

void EngineImpl::setClock(bool runs) {
  VITRINE_CHECK(!m_actions.inStep());
  m_events.clock().setRunning(runs);
}

void EngineImpl::passTime(std::int64_t ns) {
  VITRINE_CHECK(!m_actions.inStep() && ns >= 0);
  m_events.clock().pass(ns);
}

void EngineImpl::leavePhase() {
  if (m_phase >= 0) m_phaseNs[static_cast<std::size_t>(m_phase)] = m_events.nowNs() - m_phaseBeganNs;
  m_phase = -1;
}

void EngineImpl::admit() {
  const bool anyJoined = m_scheduler.admit();
  rebuildHits();
  if (!anyJoined) return;
  for (const Sequence* sequence : m_scheduler.running()) {
    RequestRecord& record = m_requests.answerOf(*sequence).record;
    if (record.admittedNs >= 0) continue;  // it waits once, however often it is preempted
    record.admittedNs = m_events.nowNs();
    record.cachedTokens = sequence->cachedTokens;
  }
}

// Returns whether a sequence may want a draft. The lengths of a recording's drafts are what its plans
// granted.
bool EngineImpl::askDrafter() {
  if (m_speculator) m_speculator->askDrafter(m_scheduler.running());
  if (!skims()) return m_speculator != nullptr;
  for (Sequence* sequence : m_scheduler.running()) {
    const DraftProposed* const draft = m_rerun->decision<DraftProposed>(
        [&](const DraftProposed& one) { return one.sequence == sequence->id; });
    sequence->wantedDraft = draft != nullptr ? static_cast<int>(draft->tokens.size()) : 0;
  }
  return true;
}

void EngineImpl::forward() {
  if (skims()) return rehearseForward();
  OperationMeter* const meter = m_detail.operations ? m_runner.backend().meter() : nullptr;
  const MeterScope measuring(meter);
  m_runner.copyBlocks(m_scheduler.currentPlan());
  if (m_speculator) m_speculator->propose(m_scheduler.currentPlan());
  if (m_scheduler.currentPlan().work.empty()) return;  // all of it was lost when it was swapped in
  const std::int64_t beganNs = m_events.nowNs();
  chooseWishes();
  if (!takeAhead()) compute();
  beginAhead();
  m_runner.logits().await();
  m_ahead.noteTokens();
  if (m_speculator) m_speculator->setVerifyNs(m_events.nowNs() - beganNs);
  if (meter == nullptr) return;
  m_events.publish(meter->take());
  if (auto launches = meter->takeLaunches()) m_events.publish(*std::move(launches));
}

void EngineImpl::compute() {
  const int tokens = m_scheduler.currentPlan().tokens(), rows = m_runner.rowsOf(m_scheduler.currentPlan());
  if (rows > tokens) m_events.publish(BatchPadded{tokens, rows});
  const auto tap = [&](const Work& work, int layer, float norm) {
    m_events.publish(LayerTap{work.sequence->id, work.firstPosition + work.tokens - 1, layer, norm});
  };
  m_runner.forward(m_scheduler.currentPlan(), m_wishes, m_detail.layers, tap);
}

// Beams are ranked over the whole vocabulary, and a draft is verified row by row.
void EngineImpl::chooseWishes() {
  m_wishes.clear();
  m_sampling.clear();
  for (const Work& work : m_scheduler.currentPlan().work) {
    if (!work.samples) continue;
    Answer& answer = m_requests.answerOf(*work.sequence);
    m_sampling.push_back(&answer);
    const bool draws = work.draftTokens == 0 && !answer.record.beams;
    m_wishes.insert(m_wishes.end(), static_cast<std::size_t>(1 + work.draftTokens),
                    draws ? m_sampler.wishFor(answer) : RowWish::whole());
  }
}

void EngineImpl::sample() {
  m_batchInFlight = false;
  m_scheduler.advance();
  std::size_t row = 0;
  auto answer = m_sampling.begin();
  for (const Work& work : m_scheduler.currentPlan().work) {
    if (!work.samples) continue;
    if (skims())
      rehearseRow(work);
    else
      sampleRow(work, **answer++, row);
    row += static_cast<std::size_t>(1 + work.draftTokens);
  }
  m_runner.logits().drop();
  if (!skims()) return m_beams.choose();
  m_beams.choose([this](RequestId id) {
    return &m_rerun->require<BeamStep>([id](const BeamStep& one) { return one.request == id; });
  });
}

// Each answer of the request draws from the same logits.
void EngineImpl::sampleRow(const Work& work, Answer& answer, std::size_t row) {
  StepLogits& logits = m_runner.logits();
  if (answer.record.beams) return m_beams.offer(answer, logits.whole(row));
  if (work.draftTokens > 0)
    return m_speculator->verify(answer, logits.whole(row, static_cast<std::size_t>(1 + work.draftTokens)));
  const int answers = work.sequence->sequenceSlots;  // more than one: the request forks here
  m_sampler.draw(answer, logits.row(row));
  for (int index = 1; index < answers; ++index)
    m_sampler.draw(forkAnswer(m_scheduler, answer, index), logits.row(row));
}

void EngineImpl::commit() {
  std::vector<std::pair<Answer*, FinishReason>> finished;
  for (DrawnToken& drawn : m_sampler.drawn()) {
    // An answer's tokens stand together; a draft may have more of them than it takes to end.
    if (!finished.empty() && finished.back().first == drawn.answer) continue;
    if (const auto reason = append(drawn)) finished.emplace_back(drawn.answer, *reason);
  }
  for (const Work& work : m_scheduler.currentPlan().work)
    if (work.draftTokens > 0) m_scheduler.rollBack(*work.sequence);
  m_scheduler.registerBlocks();
  reportDrafts();
  for (const auto& [answer, reason] : finished) finishAnswer(*answer, reason);
  for (RequestRecord* record : m_beams.ended()) endRequest(*record, m_beams.finish(*record));
  if (!m_options.kvCache) forgetKv();
  m_scheduler.evictContext();
}

void EngineImpl::reportDrafts() {
  if (!m_speculator) return;
  const StepSpeculated* const recorded =
      m_rerun && m_rerun->isAsRecorded() ? m_rerun->decision<StepSpeculated>([](const auto&) { return true; })
                                         : nullptr;
  if (recorded != nullptr) m_speculator->setCosts(recorded->draftNs, recorded->verifyNs);
  m_speculator->report(m_scheduler.currentPlan());
}

// Drafts require a KV cache, so a sequence that has drawn a token here has one new token.
void EngineImpl::forgetKv() {
  for (const DrawnToken& drawn : m_sampler.drawn()) {
    Sequence& sequence = drawn.answer->sequence;
    if (sequence.status == SequenceStatus::kRunning) m_scheduler.forgetKv(sequence);
  }
}

void EngineImpl::endStep() {
  dropAhead();
  leavePhase();
  m_batchInFlight = false;
  if (m_rerun) m_rerun->endPhases();
  if (m_swap) m_swap->space.publishStep();
  m_events.publish(StepFinished{
      m_phaseNs, m_scheduler.currentPlan().tokens(), m_sampled,
      static_cast<int>(m_scheduler.waiting().size()), static_cast<int>(m_scheduler.running().size()),
      m_scheduler.blocks().pool().freeCount(), m_scheduler.blocks().freeCachedCount()});
  m_actions.endStep();
}

void EngineImpl::fail(ErrorCode code, const char* message, const char* hint) {
  try {
    m_events.publish(EngineFailed{errorCodeName(code), message, hint});
  } catch (const std::bad_alloc&) {  // without memory for the event, the failed requests remain as its sign
  }
  failRunning();
}

// Ends the requests that were running, and those whose answers have all ended. Requests that wait untouched
// stay. If nothing ran, the first waiting request is what failed: it ends, or every next step would fail too.
// Allocates nothing, since memory may be short.
void EngineImpl::failRunning() {
  m_batchInFlight = false;
  const auto waits = [](const auto& answer) {
    const SequenceStatus status = answer->sequence.status;
    return status != SequenceStatus::kRunning && status != SequenceStatus::kFinished;
  };
  bool anyRan = false;
  for (const auto& [id, record] : m_requests.records()) {
    if (record->finished || std::ranges::all_of(record->answers, waits)) continue;
    finishRequest(*record, FinishReason::kFailed);
    anyRan = true;
  }
  if (!anyRan && m_scheduler.hasWork())
    finishRequest(m_requests.answerOf(*m_scheduler.waiting().front()).record, FinishReason::kFailed);
}

}  // namespace vitrine
