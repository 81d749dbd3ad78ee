// EngineMetrics: the figures of GET /metrics, from an engine's events.
//
// Their meanings are those of vLLM's metrics of the same names. The times of requests are those of
// Statistics, which defines them for the whole program. Thread: publish() on the engine's; figures() on any,
// once the engine has loaded. Read next: metrics_text.h.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "server/live_figures.h"
#include "vitrine/event_sink.h"
#include "vitrine/statistics.h"

namespace vitrine::server {

// Times in seconds; README.md says from which event each figure comes.
struct EngineFigures {
  explicit EngineFigures(const EngineLoaded& engine);

  const int blocks;  // KV blocks in the pool
  const bool drafts;
  LiveNumber running, waiting, freeBlocks;  // sequences; blocks that no sequence holds, cached ones included
  LiveNumber queriedTokens, hitTokens, preemptions, promptTokens, generatedTokens;
  std::array<LiveNumber, 4> finished;  // requests, by kFinishedReasons
  LiveNumber draftCount, draftTokens, acceptedTokens;
  std::vector<LiveNumber> acceptedAt;  // tokens, by their place in the draft
  LiveHistogram firstToken, interToken, perToken, endToEnd, queue, prefill, decode, inference;
  LiveHistogram promptLength, answerLength, stepTokens;  // tokens of a request, of a step

  static constexpr std::array<const char*, 4> kFinishedReasons = {"stop", "length", "abort", "error"};
};

class EngineMetrics final : public EventSink {
 public:
  // From the engine's first event on, which is EngineLoaded. A Snapshot behind it has the requests of a run
  // that goes on, once.
  void publish(const Event& event) override;

  // Requires an EngineLoaded. Valid as long as this is.
  const EngineFigures& figures() const { return *m_figures; }

 private:
  void follow(const Event& event);
  void setStatus(SequenceId sequence, bool runs);
  void endSequence(SequenceId sequence);
  void onToken();
  void onFirstToken(std::int64_t ttftNs, int promptTokens);
  void onFinished(const RequestFinished& finished);
  void onDraft(const DraftVerified& verified);
  void readTotals();

  std::unique_ptr<EngineFigures> m_figures;
  Statistics m_statistics;
  std::map<SequenceId, bool> m_runs;   // of sequences that have not finished; false: it waits
  std::vector<RequestId> m_tokenless;  // requests that have no token yet
  bool m_inStep = false;
};

}  // namespace vitrine::server
