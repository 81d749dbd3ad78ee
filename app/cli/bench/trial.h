// Trial: one run of a workload on an engine, timed from the events. Everything a benchmark prints was
// measured in one of these; nothing is derived from a model of the machine.
//
// Thread: the engine's. Read next: summary.h.
#pragma once

#include <map>
#include <vector>

#include "vitrine/engine.h"

namespace vitrine::cli {

struct Trial {
  double seconds = 0;  // from the first submission to the last token
  int requests = 0, steps = 0;
  std::int64_t promptTokens = 0, generatedTokens = 0;
  std::vector<double> ttftMs, endToEndMs;  // of each request
  std::vector<double> itlMs;               // between the tokens of each answer
  // Steps that compute prompt tokens, and those that only decode.
  double prefillSeconds = 0, decodeSeconds = 0;
  std::int64_t prefillTokens = 0, decodeTokens = 0;
  std::int64_t preemptions = 0, blockHits = 0, mostRunning = 0;
  std::vector<std::vector<TokenId>> answers;  // of each request, one behind the other

  double tokensPerSecond() const { return static_cast<double>(generatedTokens) / seconds; }
  double requestsPerSecond() const { return requests / seconds; }
  double prefillRate() const { return static_cast<double>(prefillTokens) / prefillSeconds; }
  double decodeRate() const { return static_cast<double>(decodeTokens) / decodeSeconds; }
};

// The sink an engine is loaded with so that trials can be run on it.
class Meter final : public EventSink {
 public:
  void publish(const Event& event) override;

  // Runs the requests to their end, at most `atOnce` of them submitted at a time (a closed loop). Throws
  // EngineError when a request is refused or fails.
  Trial run(Engine& engine, const std::vector<Request>& requests, int atOnce);

  // Receives every event of a trial, in addition to the meter.
  std::function<void(const Event&)> onEvent;

 private:
  struct Times {
    std::int64_t submittedNs = 0, lastTokenNs = -1;
    RequestId request = 0;
  };
  void onToken(const Event& event, const TokenSampled& sampled);
  void onStep(const Event& event, const StepFinished& finished);

  Trial m_trial;
  std::map<SequenceId, Times> m_times;
  std::map<RequestId, std::int64_t> m_submittedNs;
  StepPlanned m_plan{};
  std::int64_t m_firstNs = -1, m_lastNs = 0;
  std::string m_failure;
};

// Prompts of random ids: the same for the same seed, different for each `number`.
std::vector<Request> syntheticRequests(const ModelInfo& model, int count, int promptTokens, int maxTokens,
                                       std::uint64_t seed, int number);

// Memory of this process, in bytes.
std::int64_t residentBytes();
std::int64_t peakResidentBytes();
bool resetPeakResident();  // false: the system does not allow it, and the peak is since the program began

}  // namespace vitrine::cli
