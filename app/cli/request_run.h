// Running requests to their end: the loop behind `generate`, `run` and `trace record`, and the answers as
// JSON. Read next: request_run.cpp.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>

#include "command_options.h"
#include "scenarios/timetable.h"
#include "vitrine/engine.h"
#include "vitrine/speculation_report.h"

namespace vitrine::cli {

// By WaitReason.
inline constexpr std::array<const char*, kWaitReasonCount> kWaitReasons = {
    "blocks", "sequences", "token_budget", "preemption", "behind", "batch", "beams", "window"};

struct Outcome {
  std::string name;
  std::optional<RequestResult> result;  // none when it was refused
  std::optional<EngineError> error;
};
struct RunReport {
  std::vector<Outcome> outcomes;  // in the order of the requests
  std::int64_t steps = 0;         // idle ones before an arrival included
};

// Times and counts, taken from the events.
class RunObserver final : public EventSink {
 public:
  void publish(const Event& event) override;

  // Called with each part of an answer's text that became final.
  std::function<void(SequenceId, const std::string&)> onText;

  std::vector<double> gapsMs(RequestId request) const;  // between the tokens of an answer, all answers
  Json stats() const;
  // Adds "speculation" when the engine drafts.
  void addSpeculation(Json& answer) const;
  // Prints to standard error why answers failed after they had been submitted. Returns the exit status: 1 if
  // one failed, else 0.
  int reportFailures(const RunReport& report) const;
  // Prints, as the last line, what could not be swapped. No answer is wrong, but tokens were computed again.
  void reportSwaps() const;

 private:
  struct Answer {
    RequestId request = 0;
    std::int64_t lastTokenNs = -1;
  };
  void follow(const Event& event);  // what waits, and why
  void stopWaiting(SequenceId sequence);

  std::map<SequenceId, Answer> m_answers;
  std::map<SequenceId, WaitReason> m_waiting;
  std::array<std::int64_t, kWaitReasons.size()> m_waitingFor{};  // how many of them, by reason
  std::array<std::int64_t, kWaitReasons.size()> m_waitSteps{};
  std::int64_t m_deadlines = 0, m_missedDeadlines = 0, m_aged = 0;
  std::map<RequestId, std::vector<double>> m_gapsMs;
  std::int64_t m_steps = 0, m_prefillTokens = 0, m_decodeTokens = 0, m_sampledTokens = 0;
  std::int64_t m_preemptions = 0, m_blockHits = 0, m_evictions = 0, m_copies = 0;
  void countSwaps(const Event& event);
  std::int64_t m_swapOuts = 0, m_swapIns = 0, m_swapFailures = 0, m_recomputedTokens = 0;
  StepSwapped m_swapped{};                     // of all steps together
  std::map<SequenceId, int> m_computedBefore;  // the most tokens ever computed of a sequence
  std::int64_t m_firstNs = -1, m_lastNs = 0;
  int m_mostRunning = 0, m_maxSequences = 0, m_fittingSequences = 0;
  SpeculationReport m_speculation;
  EngineFailed m_failure;     // the last one
  std::string m_swapFailure;  // the last one's message
};

struct LoadedEngine {
  std::unique_ptr<Engine> engine;
  double loadMs = 0;
};
// Loads the model that the arguments name. Progress goes to standard error when that is a terminal, and a
// warning when the folder for swapping cannot be used.
LoadedEngine loadEngine(const EngineArguments& arguments, EventSink& sink);

// Submits each request when the step counter reaches its arrival and steps until all have finished.
RunReport runRequests(Engine& engine, const std::vector<RequestLine>& requests,
                      const std::vector<Command>& commands = {});

// {"sequences": [..], "usage": {..}, "timing": {..}}
Json answerToJson(const Outcome& outcome, const RunObserver& observer, double loadMs);

}  // namespace vitrine::cli
