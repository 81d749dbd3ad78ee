// ScriptedMachine: the real scheduler, block pool and swap space under an invented model, publishing all the
// events an engine does. The oracle of the event side: state() is read from the real structures, never from
// events.
//
// Thread: the test's. Read next: word_machine.h, the one that the widgets' tests turn.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduling/scheduler.h"

namespace vitrine {

// What the invented model is called and says; by default a few tokens that mean nothing.
class InventedModel {
 public:
  virtual ~InventedModel() = default;
  virtual EngineLoaded introduction() const;  // the machine adds its own numbers
  virtual TokenId next(const Sequence& sequence) const;
  virtual std::string piece(TokenId token) const;
  virtual std::vector<SamplingStage> stages(TokenId chosen) const;  // the chosen one leads
};

struct ScriptedParts {
  std::shared_ptr<const InventedModel> model = std::make_shared<InventedModel>();
  std::int64_t tickNs = 1;                   // the clock goes on by one tick with each event
  int hostSwapSlots = 0, diskSwapSlots = 0;  // without any, preemption is by recompute
};

class ScriptedMachine : private SwapMover {
 public:
  // The sink must outlive the machine.
  ScriptedMachine(const SchedulerOptions& options, EventSink& sink, ScriptedParts parts = {});

  // Without a name it is called after its number.
  RequestId submit(const std::vector<TokenId>& prompt, int maxTokens, int answers = 1, int priority = 0,
                   double deadlineMs = 0, std::string name = {});
  void cancel(RequestId request);
  void forget(RequestId request);  // nothing happens before it has finished

  void step() { beginStep(), endStep(); }
  void beginStep();  // admit, plan, allocate: the machine held before its forward
  void endStep();    // forward, sample, commit
  bool hasWork() const { return m_scheduler.hasWork(); }
  std::int64_t windowLeftNs() const { return m_scheduler.windowLeftNs(); }

  // An event of a part that this machine has not, as it stands; its scheduler does not hear of it.
  void say(EventBody body, Phase phase);

  MachineState state() const;

  bool swapIsBroken = false;  // nothing that was swapped out can be read back

 private:
  struct Record {
    RequestState state;
    int cachedTokens = 0;
    std::int64_t submittedNs = 0;
    std::optional<std::int64_t> admittedNs;
  };

  int waiting() const { return static_cast<int>(m_scheduler.waiting().size()); }
  int running() const { return static_cast<int>(m_scheduler.running().size()); }
  void enter(Phase phase);
  void leavePhase();
  void admit();
  Sequence& make(SequenceId id, RequestId request, int index);
  void sample();
  void draw(Sequence& sequence);
  void commit();
  void end(Sequence& sequence, FinishReason reason);
  SequenceState stateOf(const Sequence& sequence) const;
  BlockState blockState(BlockId id) const;
  // Nothing lies in the blocks, so nothing moves.
  void moveOut(SwapKey, BlockId, SwapSlot) override {}
  void demote(SwapKey, int, int) override {}
  void moveIn(SwapKey, SwapSlot, BlockId) override;

  std::int64_t m_nowNs = 0;
  const SchedulerOptions m_options;
  const ScriptedParts m_parts;
  EventStream m_stream;
  SwapSpace m_swap;
  Scheduler m_scheduler;
  std::map<RequestId, Record> m_requests;
  std::map<SequenceId, std::unique_ptr<Sequence>> m_sequences;
  std::map<SequenceId, std::string> m_texts;
  struct Drawn {
    Sequence* sequence;
    TokenId token;
    double logprob;
  };
  std::vector<Drawn> m_drawn;
  std::array<std::int64_t, kPhaseCount> m_phaseNs{};
  std::optional<Phase> m_phase;  // while a step is under way
  std::int64_t m_phaseBeganNs = 0;
  SequenceId m_nextSequence = 1;
  RequestId m_nextRequest = 1;
};

// A workload of many short requests with shared beginnings, forks and cancellations, some of them forgotten;
// the same for the same seed. `afterStep` is called after each step.
void runRandomly(ScriptedMachine& machine, std::uint64_t seed, int requests,
                 const std::function<void()>& afterStep);

}  // namespace vitrine
