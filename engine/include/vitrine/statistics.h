// Statistics: how long requests take and how much an engine computes, from its events.
//
// Times are in nanoseconds of engine time (engine.h), without pauses. The definitions are those of vLLM's
// metrics (docs.vllm.ai/en/latest/design/metrics) and of MLPerf Inference, named there:
//   queue     from submission to the first admission (vLLM: request_queue_time). Preemptions do not count.
//   TTFT      from submission to the first token, queue included (vLLM: time_to_first_token; MLPerf: TTFT).
//   ITL       between two consecutive tokens of one answer (vLLM: inter_token_latency). The first token has
//             none. The accepted tokens of a draft become final in one step, so most of theirs are near 0.
//   TPOT      (end to end - TTFT) / (tokens - 1), of a request (MLPerf: TPOT, time per output token).
//   end to end   from submission to the end (vLLM: e2e_request_latency).
//   hit rate  prompt tokens found in the prefix index at the first admission, of all prompt tokens admitted
//             (vLLM: prefix_cache_hits / prefix_cache_queries).
// Memory: 32 KiB at most for each request that the engine has not forgotten (Engine::forget()), and 2 MiB
// (durations.h says what happens beyond that). Thread: a value. Read next: run_totals.h,
// speculation_report.h.
#pragma once

#include <array>
#include <map>
#include <optional>

#include "vitrine/durations.h"
#include "vitrine/event.h"
#include "vitrine/run_totals.h"
#include "vitrine/step_rate.h"

namespace vitrine {

// How long one request took. A figure is 0 until it is known.
struct RequestTimes {
  std::int64_t queueNs = 0, ttftNs = 0, totalNs = 0;  // totalNs: end to end
  int completionTokens = 0;                           // generated, of all its answers: without given ones

  static RequestTimes of(const RequestFinished& finished);
  double tpotNs() const;           // 0 with fewer than two tokens
  double decodeRate() const;       // tokens per second after the first one: 1 / TPOT
  double tokensPerSecond() const;  // all tokens over the time from end to end
};

struct RequestStatistics {
  std::int64_t submittedNs = 0;
  bool finished = false;
  int promptTokens = 0, cachedTokens = 0;  // cachedTokens: of the prompt, at the first admission
  int preemptions = 0;                     // of all its sequences
  RequestTimes times;
  Durations itl;  // of all its answers
};

class Statistics {
 public:
  // Requires the events of a run in order, from its beginning or from a Snapshot on, which adds the requests
  // in flight with their times. An EngineLoaded begins anew.
  void add(const Event& event);

  // Null for a request that was never submitted, or was forgotten. Valid until the next add().
  const RequestStatistics* request(RequestId id) const;
  const RunTotals& totals() const { return m_totals; }
  const Durations& queue() const { return m_queue; }        // of finished requests
  const Durations& ttft() const { return m_ttft; }          // of finished requests with a token
  const Durations& endToEnd() const { return m_endToEnd; }  // of finished requests
  const Durations& itl() const { return m_itl; }

  std::int64_t elapsedNs() const;  // from the first submission to the last token
  double tokensPerSecond() const;  // sampled tokens over elapsedNs()
  double recentTokensPerSecond() const { return m_rate.tokensPerSecond(); }
  double cacheHitRate() const;  // 0 .. 1; 0 before the first admission

 private:
  static constexpr std::size_t kMostSamples = 65536;
  struct Answer {
    RequestId request = 0;
    std::int64_t lastTokenNs = -1;
    int computed = 0;  // the most tokens ever computed of it
    std::optional<WaitReason> wait = {};
  };

  void addRequest(const Event& event);
  void addSequence(const Event& event);
  void addSwap(const Event& event);
  void addStep(const Event& event);
  void join(const MachineState& state);
  void onToken(const TokenSampled& sampled, std::int64_t timeNs);
  void onAdmitted(const SequenceAdmitted& admitted, std::int64_t timeNs);
  void onFinished(const RequestFinished& finished);
  void setWait(SequenceId sequence, std::optional<WaitReason> reason);

  std::map<RequestId, RequestStatistics> m_requests;
  std::map<SequenceId, Answer> m_answers;                  // of sequences that have not finished
  std::array<std::int64_t, kWaitReasonCount> m_waiting{};  // sequences that wait now, by reason
  RunTotals m_totals;
  Durations m_queue{kMostSamples}, m_ttft{kMostSamples}, m_endToEnd{kMostSamples}, m_itl{kMostSamples};
  StepRate m_rate;
  StepPlanned m_plan{};
  std::int64_t m_firstNs = -1, m_lastTokenNs = -1;
};

}  // namespace vitrine
