#include "support/scripted_machine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/philox.h"
#include "scheduling/policy.h"

namespace vitrine {

EngineLoaded InventedModel::introduction() const {
  EngineLoaded loaded;
  loaded.model.name = "scripted \"model\"";
  loaded.options.seed = ~std::uint64_t{0};
  loaded.loadMs = 0.1;
  return loaded;
}

TokenId InventedModel::next(const Sequence& sequence) const {
  return static_cast<TokenId>(PrefixIndex::chainHash(0, sequence.tokens) % 3) + sequence.index;
}

std::string InventedModel::piece(TokenId token) const { return "\xE2\x96\x81t" + std::to_string(token); }

std::vector<SamplingStage> InventedModel::stages(TokenId chosen) const {
  return {{"logits", 3, {{chosen, 0.1f}}}};
}

ScriptedMachine::ScriptedMachine(const SchedulerOptions& options, EventSink& sink, ScriptedParts parts)
    : m_options(options),
      m_parts(std::move(parts)),
      m_stream(sink, 7, [this] { return m_nowNs += m_parts.tickNs; }),
      m_swap(m_parts.hostSwapSlots, m_parts.diskSwapSlots, 64, *this, m_stream),
      m_scheduler(options, m_stream, PrefixIndex::chainHash,
                  m_parts.hostSwapSlots + m_parts.diskSwapSlots > 0 ? &m_swap : nullptr) {
  EngineLoaded loaded = m_parts.model->introduction();
  loaded.options.blockSize = options.blockSize;
  loaded.options.numBlocks = options.numBlocks;
  loaded.options.maxSequences = options.maxSequences;
  loaded.options.tokenBudget = options.tokenBudget;
  loaded.hostSwapBlocks = m_parts.hostSwapSlots;
  loaded.diskSwapBlocks = m_parts.diskSwapSlots;
  m_stream.publish(loaded);
}

RequestId ScriptedMachine::submit(const std::vector<TokenId>& prompt, int maxTokens, int answers,
                                  int priority, double deadlineMs, std::string name) {
  const RequestId id = m_nextRequest++;
  Sequence& first = make(m_nextSequence, id, 0);
  m_nextSequence += answers;
  first.tokens = prompt;
  first.promptTokens = first.totalTokens();
  first.sequenceSlots = answers;

  RequestSubmitted submitted;
  submitted.request = id;
  submitted.asked.name = name.empty() ? "r" + std::to_string(id) : std::move(name);
  submitted.asked.tokenIds = prompt;
  for (TokenId token : prompt) {
    submitted.pieces.push_back(m_parts.model->piece(token));
    submitted.asked.prompt += submitted.pieces.back();
  }
  submitted.asked.maxTokens = maxTokens;
  submitted.asked.sequences = answers;
  submitted.firstSequence = first.id;
  submitted.asked.priority = priority;
  submitted.asked.deadlineMs = deadlineMs;
  m_scheduler.stamp(first, submitted.asked);
  submitted.rank = first.rank;
  m_requests[id].state = {
      id,        submitted.asked.name, submitted.asked.prompt, maxTokens, {first.id}, false, false, priority,
      deadlineMs};
  m_requests[id].submittedNs = first.submittedNs;
  m_requests[id].state.submittedNs = m_stream.publish(std::move(submitted));
  m_scheduler.submit(first);
  return id;
}

void ScriptedMachine::cancel(RequestId id) {
  if (!m_requests.contains(id) || m_requests[id].state.finished) return;
  m_requests[id].state.cancelled = true;
  m_stream.publish(RequestCancelled{id});
  for (SequenceId sequence : m_requests[id].state.sequences)
    if (m_sequences.at(sequence)->status != SequenceStatus::kFinished)
      end(*m_sequences.at(sequence), FinishReason::kCancelled);
}

void ScriptedMachine::forget(RequestId id) {
  if (!m_requests.contains(id) || !m_requests[id].state.finished) return;
  for (SequenceId sequence : m_requests[id].state.sequences) m_sequences.erase(sequence);
  m_requests.erase(id);
  m_stream.publish(RequestForgotten{id});
}

void ScriptedMachine::beginStep() {
  m_phaseNs = {};
  m_stream.beginStep();
  m_stream.publish(StepStarted{waiting(), running()});
  enter(Phase::kAdmit), admit();
  enter(Phase::kPlan), m_scheduler.plan();
  enter(Phase::kAllocate), m_scheduler.allocate();
  enter(Phase::kForward);
}

void ScriptedMachine::endStep() {
  m_scheduler.advance();
  enter(Phase::kSample), sample();
  enter(Phase::kCommit), commit();
  leavePhase();
  m_swap.publishStep();
  m_stream.publish(StepFinished{
      m_phaseNs, m_scheduler.currentPlan().tokens(), static_cast<int>(m_drawn.size()), waiting(), running(),
      m_scheduler.blocks().pool().freeCount(), m_scheduler.blocks().freeCachedCount()});
}

void ScriptedMachine::say(EventBody body, Phase phase) {
  m_stream.setPhase(phase);
  m_stream.publish(std::move(body));
}

void ScriptedMachine::enter(Phase phase) {
  leavePhase();
  m_stream.setPhase(phase);
  m_stream.publish(PhaseStarted{phase});
  m_phase = phase;
  m_phaseBeganNs = m_nowNs;
}

void ScriptedMachine::leavePhase() {
  if (m_phase) m_phaseNs[static_cast<std::size_t>(*m_phase)] = m_nowNs - m_phaseBeganNs;
  m_phase.reset();
}

void ScriptedMachine::admit() {
  m_scheduler.admit();
  for (const Sequence* sequence : m_scheduler.running()) {
    Record& owner = m_requests[sequence->request];
    if (owner.admittedNs) continue;  // it waited once, however often it is preempted
    owner.admittedNs = m_nowNs;
    owner.cachedTokens = sequence->cachedTokens;
  }
}

Sequence& ScriptedMachine::make(SequenceId id, RequestId request, int index) {
  auto& sequence = m_sequences[id];
  sequence = std::make_unique<Sequence>();
  sequence->id = id;
  sequence->request = request;
  sequence->index = index;
  m_texts[id] = "";
  return *sequence;
}

void ScriptedMachine::sample() {
  m_drawn.clear();
  for (const Work& work : m_scheduler.currentPlan().work) {
    if (!work.samples) continue;
    const int answers = work.sequence->sequenceSlots;  // more than one: here the request forks
    draw(*work.sequence);
    for (int index = 1; index < answers; ++index) {
      Sequence& child = make(work.sequence->id + index, work.sequence->request, index);
      m_requests[child.request].state.sequences.push_back(child.id);
      m_texts[child.id] = m_texts[work.sequence->id];
      m_scheduler.fork(*work.sequence, child);
      draw(child);
    }
  }
}

void ScriptedMachine::draw(Sequence& sequence) {
  const TokenId token = m_parts.model->next(sequence);
  TokenCandidates candidates{sequence.id, sequence.totalTokens(), token, m_parts.model->stages(token), {}};
  const double probability = candidates.stages.front().top.front().probability;
  for (const Candidate& candidate : candidates.stages.front().top)
    candidates.pieces.push_back(m_parts.model->piece(candidate.token));
  m_stream.publish(std::move(candidates));
  m_drawn.push_back({&sequence, token, std::log(probability)});
}

void ScriptedMachine::commit() {
  for (const auto& [sequence, token, logprob] : m_drawn) {
    const std::string text = m_parts.model->piece(token);
    const std::int64_t sampledNs =
        m_stream.publish(TokenSampled{sequence->id, token, sequence->totalTokens(), -1, logprob, text});
    sequence->tokens.push_back(token);
    m_texts[sequence->id] += text;
    Record& owner = m_requests[sequence->request];
    if (owner.state.firstTokenNs < 0) owner.state.firstTokenNs = sampledNs;
  }
  m_scheduler.registerBlocks();
  for (const Drawn& drawn : m_drawn)
    if (drawn.sequence->outputTokens() >= m_requests[drawn.sequence->request].state.maxTokens)
      end(*drawn.sequence, FinishReason::kLength);
}

void ScriptedMachine::end(Sequence& sequence, FinishReason reason) {
  m_scheduler.finish(sequence, reason);
  Record& owner = m_requests[sequence.request];
  int completionTokens = 0, preemptions = 0;
  for (SequenceId id : owner.state.sequences) {
    const Sequence& answer = *m_sequences.at(id);
    if (answer.status != SequenceStatus::kFinished) return;
    completionTokens += answer.outputTokens();
    preemptions += answer.preemptions;
  }
  owner.state.finished = true;
  const std::int64_t since = owner.submittedNs;
  const std::int64_t ttftNs = owner.state.firstTokenNs >= 0 ? owner.state.firstTokenNs - since : 0;
  const double deadlineMs = owner.state.deadlineMs;
  const std::int64_t lateNs = deadlineMs > 0 ? m_nowNs - deadlineAt(since, deadlineMs) : 0;
  m_stream.publish(RequestFinished{sequence.request, reason, sequence.promptTokens, completionTokens,
                                   owner.cachedTokens, preemptions,
                                   owner.admittedNs.value_or(m_nowNs) - since, ttftNs, m_nowNs - since,
                                   deadlineMs, lateNs, lateNs > 0 && reason != FinishReason::kCancelled});
}

void ScriptedMachine::moveIn(SwapKey, SwapSlot, BlockId) {
  if (swapIsBroken) throw EngineError(ErrorCode::kFileCorrupt, "its checksum differs", "check the disk");
}

MachineState ScriptedMachine::state() const {
  MachineState state;
  state.step = m_stream.step();
  state.blockSize = m_options.blockSize;
  state.freeQueue = m_scheduler.blocks().pool().freeQueue();
  state.swapBlocks = {m_parts.hostSwapSlots, m_parts.diskSwapSlots};
  for (const auto& [id, record] : m_requests) state.requests[id] = record.state;
  for (const Sequence* sequence : m_scheduler.waiting()) state.waiting.push_back(sequence->id);
  for (const Sequence* sequence : m_scheduler.running()) state.running.push_back(sequence->id);
  for (BlockId id = 0; id < m_options.numBlocks; ++id) state.blocks.push_back(blockState(id));
  for (const auto& [id, sequence] : m_sequences) {
    state.sequences[id] = stateOf(*sequence);
    for (std::size_t i = 0; i < sequence->blockTable.size(); ++i) {
      const int rest = sequence->computedTokens - static_cast<int>(i) * m_options.blockSize;
      BlockState& block = state.blocks[static_cast<std::size_t>(sequence->blockTable[i])];
      if (!block.cached) block.filled = std::clamp(rest, 0, m_options.blockSize);
    }
  }
  if (m_phase)
    for (const Work& work : m_scheduler.currentPlan().work)
      state.batch.push_back({work.sequence->id, work.kind, work.firstPosition, work.tokens});
  return state;
}

SequenceState ScriptedMachine::stateOf(const Sequence& s) const {
  SequenceState state{s.id,           s.request,        s.index,        s.status,      s.tokens,
                      s.promptTokens, s.computedTokens, s.cachedTokens, s.preemptions, s.rank,
                      s.blockTable,   m_texts.at(s.id), s.finishReason};
  const auto swapped = m_swap.contentOf(s.id);
  state.swapped.assign(swapped.begin(), swapped.end());
  if (s.status != SequenceStatus::kFinished) state.wait = s.lastWait;
  if (s.prefixMiss) state.prefixMiss = *s.prefixMiss;
  return state;
}

BlockState ScriptedMachine::blockState(BlockId id) const {
  BlockState block;
  block.refCount = m_scheduler.blocks().pool().refCount(id);
  const PrefixIndex::Entry* entry = m_scheduler.blocks().index().ofBlock(id);
  if (entry == nullptr) return block;
  block.cached = true;
  block.hash = entry->link.hash;
  block.filled = m_options.blockSize;
  return block;
}

void runRandomly(ScriptedMachine& machine, std::uint64_t seed, int requests,
                 const std::function<void()>& afterStep) {
  std::uint32_t draws = 0;
  const auto draw = [&](int below) { return static_cast<int>(uniformDraw(seed, 0, draws++, 1) * below); };
  std::vector<RequestId> submitted;
  for (int steps = 0; steps < 5000 && (machine.hasWork() || requests > 0); ++steps) {
    while (requests > 0 && (draw(3) == 0 || !machine.hasWork())) {
      std::vector<TokenId> prompt(static_cast<std::size_t>(1 + draw(14)), 1);
      for (TokenId& token : prompt) token = 1 + (draw(8) == 0 ? 1 : 0);
      const int maxTokens = 1 + draw(8), answers = 1 + (draw(4) == 0 ? draw(3) : 0);
      submitted.push_back(machine.submit(prompt, maxTokens, answers, draw(3), draw(2) * 1e-5 * draw(100)));
      --requests;
    }
    if (draw(12) == 0)
      machine.cancel(submitted[static_cast<std::size_t>(draw(static_cast<int>(submitted.size())))]);
    if (steps % 4 == 0) machine.forget(submitted[static_cast<std::size_t>(steps) / 4 % submitted.size()]);
    if (!machine.hasWork()) continue;
    machine.step();
    afterStep();
  }
}

}  // namespace vitrine
