// EngineLoad: the load of an engine, from a page of its metrics; LoadRates, from two pages; LoadHistory, the
// last minutes.
//
// The engines are vLLM, SGLang and llama.cpp's server, under their newest names and those before. A Vitrine's
// server has vLLM's names and is told apart from it by other means. A page often has several series of one
// name: of engines that work side by side (data parallel), of several models, of reasons to end. Counts are
// added up over them; shares are averaged, each series with the same weight. Of series that differ in nothing
// but the rank inside of one engine (tp_rank, pp_rank, moe_ep_rank), which say the same, the first is read.
// Where one series of a figure has no value that can be, the figure is not said. Thread: any; a history is a
// value. Read next: metrics_reader.h, engine_load.cpp.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>

#include "connect/metrics_reader.h"
#include "connect/server_kind.h"

namespace vitrine::connect {

// A figure that is not there was not said; none is guessed. A counter has all since the engine's start.
struct EngineLoad {
  std::optional<ServerKind> kind;  // by the names; none: the page has none of an engine

  std::optional<double> running, waiting;                  // requests; a Vitrine's: sequences
  std::optional<double> cacheShare;                        // of the KV cache that is in use: 0 to 1
  std::optional<double> blocks, blockTokens, cacheTokens;  // of the KV cache; tokens of a block, of all
  // The engine's own: of the prefix cache, of what it generates.
  std::optional<double> saidHitShare, saidTokensPerSecond;

  // Counters. SGLang counts tokens when their request ends.
  std::optional<double> promptTokens;  // llama.cpp: without those from its cache
  std::optional<double> generatedTokens;
  std::optional<double> queriedTokens, hitTokens;  // of prompts: looked up in the prefix cache, found there
  std::optional<double> preemptions;               // SGLang: retractions
  std::optional<double> finished;                  // requests that ended, as the engine counts them
};

EngineLoad engineLoad(std::span<const MetricSample> samples);

// Between two loads. A figure that one of them does not say gives no rate.
struct LoadRates {
  std::optional<double> promptTokensPerSecond, generatedTokensPerSecond;
  std::optional<double> hitShare;  // of the tokens looked up in between: 0 to 1; none: there were none
};

// Empty where a counter went back, since the server began anew, where the kinds differ and where no time is
// in between. llama.cpp writes six digits: above a million tokens its rates come in steps.
LoadRates ratesBetween(const EngineLoad& before, const EngineLoad& after, double seconds);

struct LoadMoment {
  double seconds = 0;  // of the clock that the caller takes
  EngineLoad load;
  LoadRates rates;  // since the moment before; empty behind a gap
  bool isBehindGap = false;
};

// The last loads of one engine, oldest first.
class LoadHistory {
 public:
  static constexpr std::size_t kMostMoments = 600;  // ten minutes at one a second

  explicit LoadHistory(std::size_t most = kMostMoments) : m_most(most) {}

  // A time that is not later than the last is left out.
  void add(double seconds, const EngineLoad& load);
  void addGap() { m_hasGap = true; }  // the engine did not answer

  const std::deque<LoadMoment>& moments() const { return m_moments; }

 private:
  std::size_t m_most;
  bool m_hasGap = false;  // behind the last moment
  std::deque<LoadMoment> m_moments;
};

}  // namespace vitrine::connect
