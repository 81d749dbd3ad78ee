// Trial: one run of a workload on an engine, and its statistics. A benchmark prints measurements of trials
// alone; nothing comes from a model of the machine.
//
// Thread: the engine's. Read next: bench.h.
#pragma once

#include <vector>

#include "vitrine/engine.h"
#include "vitrine/statistics.h"

namespace vitrine::cli {

struct Trial {
  int requests = 0;
  Statistics statistics;                      // of this trial's events alone
  std::vector<std::vector<TokenId>> answers;  // of each request, one behind the other
  std::int64_t devicePeakBytes = 0;           // of a GPU's memory; 0: the engine computes in the host's

  std::vector<double> ttftMs() const { return inMs(statistics.ttft()); }          // of each request
  std::vector<double> endToEndMs() const { return inMs(statistics.endToEnd()); }  // of each request
  std::vector<double> itlMs() const { return inMs(statistics.itl()); }
  double seconds() const { return static_cast<double>(statistics.elapsedNs()) / 1e9; }
  double tokensPerSecond() const { return statistics.tokensPerSecond(); }
  double requestsPerSecond() const { return requests / seconds(); }
  // Prompt tokens over the time of the steps that compute any, and sampled tokens over that of the others.
  double prefillRate() const;
  double decodeRate() const;

 private:
  static std::vector<double> inMs(const Durations& durations);
};

// The sink of an engine that runs trials.
class Meter final : public EventSink {
 public:
  void publish(const Event& event) override;

  // Runs the requests to their end, at most `atOnce` of them submitted at a time (a closed loop). Throws
  // EngineError when a request is rejected or fails.
  Trial run(Engine& engine, const std::vector<Request>& requests, int atOnce);

  // Receives every event, in addition to the meter.
  std::function<void(const Event&)> onEvent;

 private:
  Statistics m_statistics;
  std::string m_failure;
};

struct SyntheticLoad {
  int requests, promptTokens, maxTokens;
  std::uint64_t seed;
};
// Prompts of random ids: the same for the same seed, different for each `number`.
std::vector<Request> syntheticRequests(const ModelInfo& model, const SyntheticLoad& load, int number);

// Memory of this process, in bytes.
std::int64_t residentBytes();
std::int64_t peakResidentBytes();
bool resetPeakResident();  // false: the system does not allow it, and the peak is since the program began

}  // namespace vitrine::cli
