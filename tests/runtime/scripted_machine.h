// ScriptedMachine: a real scheduler and block pool under an invented model, publishing all the events an
// engine does. The oracle of the event side: state() is read from the real structures, never from events.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "core/philox.h"
#include "scheduling/scheduler.h"
#include "support/event_log.h"
#include "vitrine/machine_state.h"

namespace vitrine {

class ScriptedMachine {
 public:
  explicit ScriptedMachine(const SchedulerOptions& options, EventSink& sink)
      : m_options(options), m_stream(sink, 7, [this] { return ++m_now; }), m_scheduler(options, m_stream) {
    EngineLoaded loaded;
    loaded.model.name = "scripted \"model\"";
    loaded.blockSize = options.blockSize;
    loaded.numBlocks = options.numBlocks;
    loaded.seed = ~std::uint64_t{0};
    loaded.loadMs = 0.1;
    m_stream.publish(loaded);
  }

  RequestId submit(const std::vector<TokenId>& prompt, int maxTokens, int answers = 1, int priority = 0,
                   double deadlineMs = 0) {
    const RequestId id = m_nextRequest++;
    m_requests[id] = {
        id,        "r" + std::to_string(id), "prompt", maxTokens, {m_nextSequence}, false, false, priority,
        deadlineMs};
    Sequence& first = make(m_nextSequence, id, 0);
    m_scheduler.stamp(first, priority, deadlineMs);
    m_stream.publish(RequestSubmitted{id,
                                      m_requests[id].name,
                                      "prompt",
                                      prompt,
                                      {},
                                      {},
                                      maxTokens,
                                      answers,
                                      m_nextSequence,
                                      priority,
                                      deadlineMs,
                                      first.rank});
    first.tokens = prompt;
    first.promptTokens = first.totalTokens();
    first.places = answers;
    m_texts[first.id] = "";
    m_nextSequence += answers;
    m_scheduler.submit(first);
    return id;
  }

  void cancel(RequestId id) {
    if (isGone(id)) return;
    m_requests[id].cancelled = true;
    m_stream.publish(RequestCancelled{id});
    for (SequenceId sequence : m_requests[id].sequences)
      if (m_sequences.at(sequence)->status != SequenceStatus::kFinished)
        end(*m_sequences.at(sequence), FinishReason::kCancelled);
  }

  // When it has finished.
  void forget(RequestId id) {
    if (!m_requests.contains(id) || !m_requests[id].finished) return;
    for (SequenceId sequence : m_requests[id].sequences) m_sequences.erase(sequence);
    m_requests.erase(id);
    m_stream.publish(RequestForgotten{id});
  }

  std::int64_t windowLeftNs() const { return m_scheduler.windowLeftNs(); }
  bool hasWork() const { return m_scheduler.hasWork(); }

  void step() {
    m_stream.beginStep();
    m_stream.publish(StepStarted{waiting(), running()});
    enter(Phase::kAdmit), m_scheduler.admit();
    enter(Phase::kPlan), m_scheduler.plan();
    enter(Phase::kAllocate), m_scheduler.allocate();
    enter(Phase::kForward), m_scheduler.advance();
    enter(Phase::kSample), sample();
    enter(Phase::kCommit), m_scheduler.registerBlocks();
    for (Sequence* sequence : m_sampled)
      if (sequence->outputTokens() >= m_requests[sequence->request].maxTokens)
        end(*sequence, FinishReason::kLength);
    m_stream.publish(StepFinished{{},
                                  m_scheduler.currentPlan().tokens(),
                                  static_cast<int>(m_sampled.size()),
                                  waiting(),
                                  running(),
                                  m_scheduler.blocks().pool().freeCount(),
                                  m_scheduler.blocks().freeCachedCount()});
  }

  MachineState state() const {
    MachineState state;
    state.step = m_stream.step();
    state.blockSize = m_options.blockSize;
    state.freeQueue = m_scheduler.blocks().pool().freeQueue();
    state.requests = m_requests;
    state.blocks.resize(static_cast<std::size_t>(m_options.numBlocks));
    for (const Sequence* sequence : m_scheduler.waiting()) state.waiting.push_back(sequence->id);
    for (const Sequence* sequence : m_scheduler.running()) state.running.push_back(sequence->id);
    for (const auto& [id, s] : m_sequences) {
      state.sequences[id] = {id,
                             s->request,
                             s->index,
                             s->status,
                             s->tokens,
                             s->promptTokens,
                             s->computedTokens,
                             s->cachedTokens,
                             s->preemptions,
                             s->rank,
                             s->blockTable,
                             m_texts.at(id),
                             s->finishReason};
      for (std::size_t i = 0; i < s->blockTable.size(); ++i) {
        const int rest = s->computedTokens - static_cast<int>(i) * m_options.blockSize;
        state.blocks[static_cast<std::size_t>(s->blockTable[i])].filled = std::min(rest, m_options.blockSize);
      }
    }
    for (BlockId id = 0; id < m_options.numBlocks; ++id) {
      BlockState& block = state.blocks[static_cast<std::size_t>(id)];
      block.refCount = m_scheduler.blocks().pool().refCount(id);
      const PrefixIndex::Entry* entry = m_scheduler.blocks().index().ofBlock(id);
      if (entry == nullptr) continue;
      block.cached = true;
      block.hash = entry->link.hash;
      block.filled = m_options.blockSize;
    }
    return state;
  }

 private:
  bool isGone(RequestId id) const { return !m_requests.contains(id) || m_requests.at(id).finished; }
  int waiting() const { return static_cast<int>(m_scheduler.waiting().size()); }
  int running() const { return static_cast<int>(m_scheduler.running().size()); }

  void enter(Phase phase) {
    m_stream.setPhase(phase);
    m_stream.publish(PhaseStarted{phase});
  }

  Sequence& make(SequenceId id, RequestId request, int index) {
    m_sequences[id] = std::make_unique<Sequence>();
    m_sequences[id]->id = id;
    m_sequences[id]->request = request;
    m_sequences[id]->index = index;
    return *m_sequences[id];
  }

  void sample() {
    m_sampled.clear();
    for (const Work& work : m_scheduler.currentPlan().work) {
      if (!work.samples) continue;
      m_sampled.push_back(work.sequence);
      for (int index = 1, answers = work.sequence->places; index < answers; ++index) {
        Sequence& child = make(work.sequence->id + index, work.sequence->request, index);
        m_requests[child.request].sequences.push_back(child.id);
        m_texts[child.id] = m_texts[work.sequence->id];
        m_scheduler.fork(*work.sequence, child);
        m_sampled.push_back(&child);
      }
    }
    for (Sequence* sequence : m_sampled) {
      const auto token =
          static_cast<TokenId>(PrefixIndex::chainHash(0, sequence->tokens) % 3) + sequence->index;
      const std::string text = "t" + std::to_string(token) + " ";
      m_stream.publish(TokenSampled{sequence->id, token, sequence->totalTokens(), -1.0 / 3, text});
      m_stream.publish(TokenCandidates{
          sequence->id, sequence->totalTokens(), token, {{"logits", 3, {{token, 0.1f}}}}, {"\xE2\x96\x81t"}});
      sequence->tokens.push_back(token);
      m_texts[sequence->id] += text;
    }
  }

  void end(Sequence& sequence, FinishReason reason) {
    m_scheduler.finish(sequence, reason);
    RequestState& request = m_requests[sequence.request];
    for (SequenceId id : request.sequences)
      if (m_sequences.at(id)->status != SequenceStatus::kFinished) return;
    request.finished = true;
    m_stream.publish(RequestFinished{sequence.request, reason, sequence.promptTokens, sequence.outputTokens(),
                                     0, 0, 1, 2, 3});
  }

  std::int64_t m_now = 0;
  const SchedulerOptions m_options;
  EventStream m_stream;
  Scheduler m_scheduler;
  std::map<RequestId, RequestState> m_requests;
  std::map<SequenceId, std::unique_ptr<Sequence>> m_sequences;
  std::map<SequenceId, std::string> m_texts;
  std::vector<Sequence*> m_sampled;
  SequenceId m_nextSequence = 1;
  RequestId m_nextRequest = 1;
};

// A workload of many short requests with shared beginnings, forks and cancellations, some of them forgotten;
// the same for the same seed. `afterStep` is called after each step.
template <typename AfterStep>
void runRandomly(ScriptedMachine& machine, std::uint64_t seed, int requests, const AfterStep& afterStep) {
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
