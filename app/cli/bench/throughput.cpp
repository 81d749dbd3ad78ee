// bench throughput: requests and tokens per second for each number of clients, where each client has one
// request under way (a closed loop).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/bench.h"

namespace vitrine::cli {
namespace {

struct ThroughputArguments {
  BenchArguments common;
  std::string concurrency = "1,2,4,8,16";
  int requests = 16;
};

struct ThroughputFigures {  // of one number of clients, a value for each round
  std::vector<double> requestsRate, tokensRate, ttftMs, running;
  std::vector<double> itlMs;  // every gap of every round
  std::int64_t devicePeakBytes = 0;

  void add(const Trial& trial) {
    requestsRate.push_back(trial.requestsPerSecond());
    tokensRate.push_back(trial.tokensPerSecond());
    ttftMs.push_back(percentile(trial.ttftMs(), 0.5));
    std::ranges::copy(trial.itlMs(), std::back_inserter(itlMs));
    running.push_back(static_cast<double>(trial.statistics.totals().mostSequences));
    devicePeakBytes = std::max(devicePeakBytes, trial.devicePeakBytes);
  }
};

void measure(const ThroughputArguments& arguments, const std::vector<int>& clients, Bench& bench,
             std::vector<ThroughputFigures>& all) {
  const BenchArguments& common = arguments.common;
  const ModelInfo& model = bench.engine->description().model;
  std::vector<std::string> names;
  for (int count : clients) names.push_back(std::to_string(count) + " at once");
  inRounds("throughput", common, names, [&](int round, std::size_t i, bool counts) {
    const auto requests = syntheticRequests(model, common.load(std::max(arguments.requests, clients[i])),
                                            round * 1000 + static_cast<int>(i));
    const Trial trial = bench.run(requests, clients[i]);
    if (counts) all[i].add(trial);
  });
}

Json runToJson(int clients, const ThroughputFigures& figures, const ThroughputFigures& first) {
  Json run = {{"concurrency", clients},
              {"requests_per_second", toJson(summarise(figures.requestsRate))},
              {"tokens_per_second", toJson(summarise(figures.tokensRate))},
              {"against_first", toJson(summarise(ratios(figures.tokensRate, first.tokensRate)))},
              {"ttft_ms", toJson(summarise(figures.ttftMs))}};
  if (!figures.itlMs.empty()) run["itl_ms"] = percentilesToJson(figures.itlMs);
  run["most_sequences_in_a_step"] = summarise(figures.running).max;
  addDevicePeak(run, figures.devicePeakBytes);
  return run;
}

Json resultOf(const std::vector<int>& clients, const std::vector<ThroughputFigures>& all,
              const ThroughputArguments& arguments, const EngineLoaded& engine) {
  Json json = describe(BenchKind::kThroughput, engine);
  json["prompt_tokens"] = arguments.common.promptTokens;
  json["max_tokens"] = arguments.common.maxTokens;
  json["runs"] = Json::array();
  for (std::size_t i = 0; i < clients.size(); ++i)
    json["runs"].push_back(runToJson(clients[i], all[i], all.front()));
  return json;
}

int throughput(const ThroughputArguments& arguments, bool json) {
  checkBench(arguments.common);
  const std::vector<int> clients = parseCounts("--concurrency", arguments.concurrency);
  Bench bench = openBench(arguments.common.engine, optionsFor(arguments.common, std::ranges::max(clients)));
  std::vector<ThroughputFigures> all(clients.size());
  measure(arguments, clients, bench, all);
  return finish(resultOf(clients, all, arguments, bench.engine->description()), arguments.common, json);
}

}  // namespace

void addThroughput(CLI::App& bench, Program& program) {
  CLI::App* command =
      bench.add_subcommand("throughput", "requests and tokens a second, by how many are at once");
  const auto arguments = std::make_shared<ThroughputArguments>();
  arguments->common.promptTokens = 128;
  arguments->common.maxTokens = 32;
  command->add_option("--concurrency", arguments->concurrency, "clients, each with one request under way")
      ->capture_default_str();
  addNumber(*command, arguments->requests,
            {"--requests", 1, 65536, "requests in a round, or as many as clients"});
  addBenchOptions(*command, arguments->common);
  setWork(*command, program, [arguments](bool json) { return throughput(*arguments, json); });
}

}  // namespace vitrine::cli
