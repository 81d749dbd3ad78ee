// WordMachine: a ScriptedMachine whose model writes words, and that keeps its events, for the widgets' tests.
//
// Everything that happens in it is the real scheduler's doing; only the words are invented.
#pragma once

#include <string>
#include <vector>

#include "support/event_log.h"
#include "support/scripted_machine.h"

namespace vitrine::test {

class WordMachine {
 public:
  WordMachine(int numBlocks, int blockSize, int tokenBudget = 64, int maxSequences = 8);
  explicit WordMachine(const SchedulerOptions& options, int hostSwapSlots = 0, int diskSwapSlots = 0);

  // A prompt of `tokens` words; requests with the same `topic` share their prompt's beginning.
  RequestId submit(const std::string& name, int tokens, int maxTokens, int topic = 0, int sequences = 1,
                   double deadlineMs = 0);
  void cancel(RequestId request) { m_machine->cancel(request); }
  void forget(RequestId request) { m_machine->forget(request); }
  void reject(const std::string& name);
  void changeSampling(RequestId request) { say(SamplingChanged{request, {}}, Phase::kAdmit); }
  bool step();  // false, and no event, when there is nothing to do
  void beginStep() { m_machine->beginStep(); }
  void endStep() { m_machine->endStep(); }
  void run() {
    while (step()) {
    }
  }
  void breakSwap() { m_machine->swapIsBroken = true; }
  // See ScriptedMachine::say().
  void say(EventBody body, Phase phase = Phase::kCommit) { m_machine->say(std::move(body), phase); }

  std::vector<Event> take();  // since the last take()
  const std::vector<Event>& all() const { return m_log->events; }
  MachineState state() const { return m_machine->state(); }

 private:
  std::unique_ptr<EventLog> m_log = std::make_unique<EventLog>();
  std::unique_ptr<ScriptedMachine> m_machine;
  std::size_t m_taken = 0;
};

// A run with everything in it: a shared beginning, two answers from one prompt, waiting, preemption, a stop.
WordMachine storyMachine();

}  // namespace vitrine::test
