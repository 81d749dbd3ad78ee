// bench latency: time to the first token, between tokens, and to the end of the answer, for each batch size.
//
// Prefill is the prompt tokens of the steps that computed any, over those steps' time; decode the same of the
// steps that only decoded. With --warm each round asks the same prompts again: what the prefix cache saves.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/bench.h"

namespace vitrine::cli {
namespace {

struct LatencyArguments {
  BenchArguments common;
  std::string batches = "1,4,16";
  bool warm = false;
};

struct LatencyFigures {  // of one batch size, a value for each round
  std::vector<double> prefill, decode, ttftMs, endToEndMs, warmTtftMs;
  std::vector<double> itlMs;  // every gap of every round
  std::int64_t peakBytes = 0, devicePeakBytes = 0;

  void add(const Trial& trial) {
    prefill.push_back(trial.prefillRate());
    if (trial.statistics.totals().decodedTokens > 0) decode.push_back(trial.decodeRate());
    ttftMs.push_back(percentile(trial.ttftMs(), 0.5));
    endToEndMs.push_back(percentile(trial.endToEndMs(), 0.5));
    std::ranges::copy(trial.itlMs(), std::back_inserter(itlMs));
    peakBytes = std::max(peakBytes, peakResidentBytes());
    devicePeakBytes = std::max(devicePeakBytes, trial.devicePeakBytes);
  }
};

Json figuresToJson(int batch, const LatencyFigures& figures, bool warm) {
  Json run = {{"batch", batch}, {"prefill_tokens_per_second", toJson(summarise(figures.prefill))}};
  if (!figures.decode.empty()) run["decode_tokens_per_second"] = toJson(summarise(figures.decode));
  run["ttft_ms"] = toJson(summarise(figures.ttftMs));
  if (!figures.itlMs.empty()) run["itl_ms"] = percentilesToJson(figures.itlMs);
  run["end_to_end_ms"] = toJson(summarise(figures.endToEndMs));
  if (warm) {
    run["warm_ttft_ms"] = toJson(summarise(figures.warmTtftMs));
    run["warm_speed_up"] = toJson(summarise(ratios(figures.ttftMs, figures.warmTtftMs)));
  }
  run["peak_rss_bytes"] = figures.peakBytes;
  addDevicePeak(run, figures.devicePeakBytes);
  return run;
}

void measure(const LatencyArguments& arguments, const std::vector<int>& batches, Bench& bench,
             std::vector<LatencyFigures>& all) {
  const BenchArguments& common = arguments.common;
  const ModelInfo& model = bench.engine->description().model;
  std::vector<std::string> names;
  for (int batch : batches) names.push_back("batch " + std::to_string(batch));
  inRounds("latency", common, names, [&](int round, std::size_t i, bool counts) {
    const auto requests =
        syntheticRequests(model, common.load(batches[i]), round * 1000 + static_cast<int>(i));
    resetPeakResident();
    const Trial trial = bench.run(requests, batches[i]);
    if (counts) all[i].add(trial);
    if (!arguments.warm) return;
    const Trial again = bench.run(requests, batches[i]);
    if (counts) all[i].warmTtftMs.push_back(percentile(again.ttftMs(), 0.5));
  });
}

Json resultOf(const LatencyArguments& arguments, const std::vector<int>& batches,
              const std::vector<LatencyFigures>& all, const EngineLoaded& engine) {
  Json json = describe(BenchKind::kLatency, engine);
  json["prompt_tokens"] = arguments.common.promptTokens;
  json["max_tokens"] = arguments.common.maxTokens;
  json["runs"] = Json::array();
  for (std::size_t i = 0; i < batches.size(); ++i)
    json["runs"].push_back(figuresToJson(batches[i], all[i], arguments.warm));
  return json;
}

int latency(const LatencyArguments& arguments, bool json) {
  checkBench(arguments.common);
  const std::vector<int> batches = parseCounts("--batch", arguments.batches);
  Bench bench = openBench(arguments.common.engine, optionsFor(arguments.common, std::ranges::max(batches)));
  std::vector<LatencyFigures> all(batches.size());
  measure(arguments, batches, bench, all);
  return finish(resultOf(arguments, batches, all, bench.engine->description()), arguments.common, json);
}

}  // namespace

void addLatency(CLI::App& bench, Program& program) {
  CLI::App* command =
      bench.add_subcommand("latency", "time to the first token, between tokens and to the end");
  const auto arguments = std::make_shared<LatencyArguments>();
  command->add_option("--batch", arguments->batches, "how many requests at once: 1,4,16")
      ->capture_default_str();
  command->add_flag("--warm", arguments->warm, "ask the same prompts again, for the prefix cache");
  addBenchOptions(*command, arguments->common);
  setWork(*command, program, [arguments](bool json) { return latency(*arguments, json); });
}

}  // namespace vitrine::cli
