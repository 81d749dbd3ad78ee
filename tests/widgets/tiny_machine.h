// TinyMachine: a pretend engine for the widgets' tests. It schedules by the house's rules over a small pool
// and publishes the events a real run would, so that models and views can be tested with no model in sight.
//
// MachineState checks each event as it is made: a stream that contradicts itself fails in the test at once.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "vitrine/machine_state.h"

namespace vitrine::test {

class TinyMachine {
 public:
  TinyMachine(int numBlocks, int blockSize, int tokenBudget = 64, int maxSequences = 8);

  // A prompt of `tokens` words; requests with the same `topic` share their prompt's beginning.
  RequestId submit(const std::string& name, int tokens, int maxTokens, int topic = 0, int sequences = 1);
  void cancel(RequestId request);
  void reject(const std::string& name);
  void changeSampling(RequestId request);
  bool step();       // false, and no event, when there is nothing to do
  void beginStep();  // admit, plan, allocate: the machine held before its forward
  void endStep();    // forward, sample, commit
  void run() {
    while (step()) {
    }
  }
  void say(EventBody body, Phase phase = Phase::kCommit);  // any event, as it stands

  std::vector<Event> take();  // since the last take()
  const std::vector<Event>& all() const { return m_all; }
  const MachineState& state() const { return m_state; }

 private:
  struct Asked {
    int maxTokens, sequences;
  };
  struct Work {
    SequenceId sequence;
    int tokens;
    bool samples;
  };

  void admit();
  void plan();
  bool makeRoom(SequenceId sequence, int wanted);
  void preempt(SequenceId victim, SequenceId forSequence, int wanted);
  void allocate(SequenceId sequence, int wanted);
  void sample(SequenceId sequence);
  void fork(SequenceId parent);
  void cacheFull(SequenceId sequence);
  void finish(SequenceId sequence, FinishReason reason);
  int blocksFor(int tokens) const;
  std::uint64_t hashOf(const SequenceState& sequence, int blocks) const;
  SequenceState& at(SequenceId sequence) { return m_state.sequences.at(sequence); }

  MachineState m_state;
  std::map<RequestId, Asked> m_asked;
  std::vector<Work> m_work;
  std::vector<Event> m_all;
  std::size_t m_taken = 0;
  Phase m_phase = Phase::kAdmit;
  int m_step = 0, m_budget, m_maxSequences, m_sampled = 0;
  bool m_preempted = false;
  RequestId m_nextRequest = 1;
  SequenceId m_nextSequence = 1;
};

// A run with everything in it: a shared beginning, two answers from one prompt, waiting, preemption, a stop.
TinyMachine storyMachine();

}  // namespace vitrine::test
