// Running requests to their end: the loop behind `generate`, `run` and `trace record`, and the answers as
// JSON. Read next: request_run.cpp.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "command_options.h"
#include "scenarios/timetable.h"
#include "vitrine/engine.h"
#include "vitrine/speculation_report.h"
#include "vitrine/statistics.h"
#include "vitrine/thought.h"
#include "vitrine/tool_call.h"

namespace vitrine::cli {

struct Outcome {
  std::string name;
  ToolSet tools;                        // of its conversation
  std::optional<RequestResult> result;  // none when it was rejected
  std::optional<EngineError> error;
};
struct RunReport {
  std::vector<Outcome> outcomes;  // in the order of the requests; a stopped run may lack a result
  std::int64_t steps = 0;         // idle ones before an arrival included
};

// Times and counts from the events of a run. Thread: the engine's.
class RunObserver final : public EventSink {
 public:
  void publish(const Event& event) override;

  // Called with each part of an answer's text that became final.
  std::function<void(SequenceId, const std::string&)> onText;

  const Statistics& statistics() const { return m_statistics; }
  // The calls of tools in an answer of the request, behind its thought.
  std::vector<ToolCall> callsIn(const std::string& text, RequestId request, const ToolSet& tools) const;
  Json stats() const;
  // Adds "speculation" when the engine drafts.
  void addSpeculation(Json& answer) const;
  // Writes to standard error why answers failed. Returns the exit status: 1 when one failed, else 0.
  int reportFailures(const RunReport& report) const;
  // Writes to standard error how often swapping failed. The answers are right nevertheless: their tokens were
  // computed again.
  void reportSwaps() const;

 private:
  int m_maxSequences = 0, m_fittingSequences = 0;
  Statistics m_statistics;
  SpeculationReport m_speculation;
  std::map<RequestId, const ThoughtMarks*> m_opened;  // the thoughts that prompts open
  EngineFailed m_failure;                             // the last one
  std::string m_swapFailure;                          // the last one's message
};

// Waits until the packed weights are kept for the next start, and says so on a terminal: it can take seconds.
// Says on standard error why they could not be.
void notePackedCopy(Engine& engine);
// Its end does notePackedCopy().
struct LoadedEngine {
  LoadedEngine() = default;
  ~LoadedEngine();
  LoadedEngine(LoadedEngine&&) = default;
  LoadedEngine& operator=(LoadedEngine&&) = delete;

  std::unique_ptr<Engine> engine;
  double loadMs = 0;
};
// Says it on standard error, once for each model. Nothing for no tensors.
void noteIgnored(const IgnoredTensors& ignored);
// Says on standard error why the model's own chat template is not followed. Nothing when it is.
void noteChatFormat(const Engine& engine);
// Says on standard error that the template leaves the tools of this conversation out. Nothing when it has
// none.
void noteTools(const Engine& engine, const Dialogue& dialogue);

// Loads the model that the arguments name, with the chat template that they name. Progress goes to standard
// error when that is a terminal, and a warning when the folder for swapping cannot be used.
LoadedEngine loadEngine(const EngineArguments& arguments, EventSink& sink);

// Submits each request when the step counter reaches its arrival and steps until all have finished, or until
// `stopped` is true after a step: then the requests that have not finished are cancelled.
RunReport runRequests(
    Engine& engine, const std::vector<RequestLine>& requests, const std::vector<Command>& commands = {},
    const std::function<bool()>& stopped = [] { return false; });

// {"sequences": [..], "usage": {..}, "timing": {..}}
Json draftPositions(const SpeculationReport& drafts);  // how many of each position were judged and accepted
Json answerToJson(const Outcome& outcome, const RunObserver& observer, double loadMs);

}  // namespace vitrine::cli
