// PerfettoWriter: a run as a timeline, for Perfetto (ui.perfetto.dev) and chrome://tracing.
//
// The file is JSON of the Trace Event Format ("Trace Event Format", the Chromium project). Two processes
// stand for the two views of a run: "scheduler" has a track of steps and one for each phase, and counts
// sequences, KV blocks and tokens at each step's end; "sequences" has a track for each sequence, with a slice
// for each time that it waits and for each step that computes it. Times are engine time (engine.h), so a
// pause leaves no gap. A phase lasts as long as StepFinished says. A sequence is computed from the start of
// the forward to the end of the step, whose other work it shares. A sequence that is forked in a step has its
// first token from its parent's forward: it has a slice from the fork on. Thread: one. Read next: trace.h.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "vitrine/event.h"
#include "vitrine/output_file.h"

namespace vitrine {

class PerfettoWriter {
 public:
  // The file is there when finish() has returned (output_file.h). Throws EngineError(kIo) when it cannot be
  // made.
  explicit PerfettoWriter(const std::filesystem::path& file);

  // The events of one run in order. Throws EngineError(kIo).
  void add(const Event& event);
  // Ends what has not ended, at the last event's time. Throws EngineError(kIo).
  void finish();

 private:
  struct Wait {
    std::int64_t sinceNs = 0;
    bool isPreempted = false;
    std::string reason = {};  // the last one given
    int steps = 0;            // in which it was given
  };
  // A sequence's part of the open step: computed, or forked from one that is.
  struct Work {
    SequenceScheduled scheduled = {};
    SequenceId forkedFrom = 0;  // 0: it is computed itself
    std::int64_t forkedNs = 0;
    std::string text = {};  // of the tokens sampled
    int sampled = 0;
  };

  void nameTracks();
  void nameSequence(SequenceId sequence, const std::string& name);
  void follow(const Event& event);
  void beginStep();
  void endStep(const StepFinished& finished);
  void endWait(SequenceId sequence);
  void endWork();
  void sliceOf(SequenceId sequence, const Work& work, std::int64_t forwardNs);
  void count(const char* name, std::initializer_list<std::pair<const char*, int>> values);
  // An event on a track; `rest` is the JSON behind its name and place.
  void write(char kind, int process, std::int64_t track, const std::string& name, const std::string& rest);
  void slice(int process, std::int64_t track, const std::string& name, std::int64_t beginNs,
             std::int64_t durationNs, const std::string& arguments);

  OutputFile m_file;
  bool m_isFirst = true;
  std::int64_t m_nowNs = 0;
  int m_step = 0;
  std::int64_t m_stepNs = -1;                         // when the open step began; -1: none is open
  std::array<std::int64_t, kPhaseCount> m_phaseNs{};  // when its phases began; -1: not yet
  StepPlanned m_plan;
  std::map<SequenceId, Wait> m_waits;
  std::map<SequenceId, Work> m_work;  // of the open step
  std::map<SequenceId, std::string> m_names;
};

}  // namespace vitrine
