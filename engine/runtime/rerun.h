// Rerun: an engine's way along the script of a recorded run. It hands out what comes from outside, is the
// engine's clock, and compares what every step decided with what the recording's did.
//
// While it skims, the engine runs all of its bookkeeping and neither the model nor the sampler: tokens and
// drafts are the recording's. While it follows, everything is computed; inputs, clock and the costs of drafts
// are still the recording's. Afterwards the engine is free. Up to the step that was asked for, phases and
// tokens have the recording's times. It stands between the engine's event stream and its sink. Thread: the
// engine's. Read next: vitrine/run_script.h, resume.cpp.
#pragma once

#include <limits>
#include <map>
#include <memory>

#include "core/event_stream.h"
#include "vitrine/run_script.h"

namespace vitrine {

class Rerun final : public EventSink {
 public:
  // The sink must outlive it.
  Rerun(std::shared_ptr<const RunScript> script, const ResumeOptions& options, EventSink& sink);

  void publish(const Event& event) override;

  enum class Mode { kSkim, kFollow, kFree };
  bool skims() const { return m_mode == Mode::kSkim; }
  bool isFree() const { return m_mode == Mode::kFree; }
  // From the end of skimming on.
  void follow();
  // From the step that was asked for on: the events go to the sink, after a snapshot if the history did not.
  // Gives the number behind which they are numbered.
  std::int64_t arrive(const MachineState& state);

  // The clock since the run began: a reading of the recording or, between two of them, the time that passes
  // here, which never overtakes the recording's next reading. So a step that decides by the clock decides
  // alike.
  std::int64_t nowNs() const;
  // Sets the clock to the recording's reading of the step that begins, of a phase, or of the step's end.
  void beginStep();
  void enter(Phase phase);
  void endPhases();

  // The next input of this step at the gate (RunScript::Input), with the clock at its time; null when there
  // is none. After the last one goOn() lets the clock run.
  const RunScript::Input* takeInput(int gate);
  void goOn();
  bool hasInputs() const;  // whether any is left
  // For an engine that has no work where the recording's had some: goes to the step of the next input. False
  // without one, or while skimming.
  bool skipToNextInput();

  // Ids of the recording's requests as this run has them.
  void map(RequestId recorded, RequestId own) { m_ids[recorded] = own; }
  RequestId ownId(RequestId recorded) const;

  // Something came from outside that is not in the script.
  void noteChange() { m_report.changed = m_mode != Mode::kSkim || m_report.changed; }

  // What the recording has of the step in progress. decision(): the first one that `wanted` accepts; null
  // without one, or when the engine is free.
  const RunScript::Step* step() const;
  template <typename Body, typename Wanted>
  const Body* decision(const Wanted& wanted) const {
    const RunScript::Step* const now = step();
    if (now == nullptr) return nullptr;
    for (const EventBody& body : now->decisions)
      if (const Body* found = bodyOf<Body>(body); found != nullptr && wanted(*found)) return found;
    return nullptr;
  }
  // The same for what must be there; missing() throws EngineError(kFileCorrupt).
  template <typename Body, typename Wanted>
  const Body& require(const Wanted& wanted) const {
    const Body* const found = decision<Body>(wanted);
    if (found == nullptr) missing();
    return *found;
  }
  // The next move of a swapped block in this step: whether bytes are moved. Throws the EngineError with which
  // the recording's move failed.
  bool permitsMove();
  // Whether the costs of drafts are still the recording's.
  bool isAsRecorded() const { return m_mode != Mode::kFree && !m_report.changed && m_report.differsAt == 0; }

  RerunReport& report() { return m_report; }
  const RerunReport& report() const { return m_report; }
  const RunScript& script() const { return *m_script; }

  [[noreturn]] void missing() const;

 private:
  void awaitToken(const Event& event);
  void finishStep();
  void leaveScriptAtItsEnd();
  bool follows() const;  // a step that finished is to come
  void set(std::int64_t timeNs);
  bool knows(int step) const { return step <= m_script->knownSteps(); }

  const std::shared_ptr<const RunScript> m_script;
  const ResumeOptions m_options;
  EventSink& m_sink;
  Mode m_mode = Mode::kSkim;
  bool m_muted = false, m_arrived = false;
  int m_step = 1;            // in progress, or the next one
  std::size_t m_input = 0;   // of it
  int m_moves = 0;           // of swapped blocks, in it
  std::size_t m_tokens = 0;  // events in it that bring a token
  std::uint64_t m_digest = 0;
  Event m_last;  // without its body
  std::map<RequestId, RequestId> m_ids;
  RerunReport m_report;

  std::int64_t m_baseNs = 0, m_boundNs = std::numeric_limits<std::int64_t>::max();
  std::int64_t m_anchorNs = 0;  // steady clock at m_baseNs; meaningless while it is held
  bool m_held = true;
};

}  // namespace vitrine
