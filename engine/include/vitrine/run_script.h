// RunScript: what it takes to run a recorded run again: what came from outside, the readings of the clock,
// the tokens and drafts, and a digest of the plans and blocks of each step.
//
// Record and replay as in rr (arXiv 1705.05937): everything that is not determined by these is computed
// again. Engine::resume() follows a script up to a step without the model, since the tokens are known, and
// from there on with it. A script is made of the events of one run, of a recording or a trace, and is a value
// of its own: it may go to another thread, which a recording may not. Read next: engine.h, recording.h.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "vitrine/event.h"

namespace vitrine {

class RunScript {
 public:
  // RequestSubmitted, RequestRejected, RequestCancelled, SamplingChanged, OptionsChanged or RequestForgotten.
  struct Input {
    int gate = 0;  // 0: before the step began; 1 + p: in the gate before phase p
    std::int64_t timeNs = 0;
    EventBody body;
  };
  struct Token {
    SequenceId sequence = 0;
    TokenId token = 0;
    double logprob = 0;
  };
  // A step, and what happened between it and the step before.
  struct Step {
    std::int64_t clockNs = 0;                         // the reading by which the step decided
    std::array<std::int64_t, kPhaseCount> phaseNs{};  // when each phase began; 0: it did not
    std::int64_t endNs = 0;
    std::int64_t endNumber = 0;  // of its StepFinished
    std::vector<Input> inputs;
    std::vector<Token> tokens;          // appended, those of a sequence in order
    std::vector<std::int64_t> tokenNs;  // of its events TokenSampled and BeamChosen, in order
    std::vector<EventBody> decisions;   // DraftProposed, DraftVerified, StepSpeculated, BeamStep
    // Moves of swapped blocks that failed: which of the step's moves, and how.
    std::vector<std::pair<int, Boxed<SwapFailed>>> failedMoves;
    std::uint64_t digest = 0;  // of all its events that say what was decided; no times
    bool finished = false;
    bool failed = false;   // an EngineFailed ended it
    bool evicted = false;  // at its end a running sequence had evicted a part of its context
  };

  // The next event of the run. Throws EngineError(kUnsupported) for a run that cannot be run again: its
  // recording began in the middle, or an older program wrote it; kFileCorrupt for tokens that the model has
  // not.
  void add(const Event& event);

  bool empty() const { return m_steps.empty(); }
  const EngineLoaded& loaded() const { return m_loaded; }
  std::int32_t run() const { return m_run; }
  // The last step that finished. One more is known, with what came after it.
  int lastStep() const { return static_cast<int>(m_steps.size()) - 1; }
  int knownSteps() const { return static_cast<int>(m_steps.size()); }
  const Step& step(int number) const { return m_steps.at(static_cast<std::size_t>(number - 1)); }

  // The options that were in force when the run began. A trace has no folder of the swap file, and the draft
  // model's name alone; an older one has only the options that its program knew and stored.
  EngineOptions options() const;

 private:
  void follow(const Event& event);  // which sequences have evicted

  EngineLoaded m_loaded;
  std::int32_t m_run = 0;
  std::vector<Step> m_steps;  // from 1; the last one has not finished
  bool m_begun = false;       // its StepStarted has come
  int m_phases = 0;           // of it, that have begun
  int m_moves = 0;            // of it, of swapped blocks
  std::set<SequenceId> m_evicting;
};

// How a resumed engine does against its script.
struct RerunReport {
  int resumedAt = 0;                  // step
  int skimmedSteps = 0;               // followed by bookkeeping alone
  int computedSteps = 0;              // computed again before resumedAt, since their KV needs history
  std::int64_t rebuiltTokens = 0;     // whose KV was computed; that of cached blocks when they are hit
  std::int64_t skimNs = 0, kvNs = 0;  // time it took to follow, and to compute KV
  int comparedSteps = 0;              // since resumedAt
  int differsAt = 0;                  // the first of them that decided otherwise; 0: none
  bool changed = false;               // something was asked for that is not in the script
  bool following = false;             // the script goes on
};

struct ResumeOptions {
  // Requests, cancellations and changes that the recording has after the step come again, at their steps and
  // by the recording's clock. Otherwise the engine goes on by itself.
  bool followRecording = true;
  // Publishes all events up to the step, as bookkeeping alone makes them: without candidates, entropies and
  // taps. Otherwise EngineLoaded and a Snapshot. The recording's own events up to the step may take the
  // place of that snapshot: its number is that of the last of them, and what follows has later numbers and
  // times.
  bool publishHistory = true;
  // Step 0 alone: runs with the options of the engine that resumes, whatever they are, and not with the
  // recording's.
  bool ownOptions = false;
};

}  // namespace vitrine
