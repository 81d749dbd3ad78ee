// bench throughput: requests and tokens per second for each number of clients, where each client has one
// request under way (a closed loop).
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "bench/bench.h"
#include "bench/kinds.h"

namespace vitrine::cli {
namespace {

struct Arguments {
  BenchArguments common;
  std::string concurrency = "1,2,4,8,16";
  int requests = 16;
};

struct Figures {  // of one number of clients, a value for each round
  std::vector<double> requestsRate, tokensRate, ttftMs, running;
  std::vector<double> itlMs;  // every gap of every round

  void add(const Trial& trial) {
    requestsRate.push_back(trial.requestsPerSecond());
    tokensRate.push_back(trial.tokensPerSecond());
    ttftMs.push_back(percentile(trial.ttftMs(), 0.5));
    std::ranges::copy(trial.itlMs(), std::back_inserter(itlMs));
    running.push_back(static_cast<double>(trial.statistics.totals().mostSequences));
  }
};

void measure(const Arguments& arguments, const std::vector<int>& clients, Bench& bench,
             std::vector<Figures>& all) {
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

Report reportOf(const std::vector<int>& clients, const std::vector<Figures>& all, const Arguments& arguments,
                const EngineLoaded& engine) {
  Report report;
  report.json = describe(engine);
  report.json["prompt_tokens"] = arguments.common.promptTokens;
  report.json["max_tokens"] = arguments.common.maxTokens;
  report.json["runs"] = Json::array();
  Table table(
      {"at once", "requests/s", "tokens/s", "against the first", "TTFT ms", "ITL p50", "p99", "running"});
  report.chart = {"Throughput of " + engine.model.name,
                  "requests at once",
                  "tokens a second",
                  {},
                  {{"tokens/s", {}}},
                  true};
  for (std::size_t i = 0; i < clients.size(); ++i) {
    const Figures& f = all[i];
    const Summary gain = summarise(ratios(f.tokensRate, all.front().tokensRate));
    Json run = {{"concurrency", clients[i]},
                {"requests_per_second", toJson(summarise(f.requestsRate))},
                {"tokens_per_second", toJson(summarise(f.tokensRate))},
                {"against_first", toJson(gain)},
                {"ttft_ms", toJson(summarise(f.ttftMs))}};
    if (!f.itlMs.empty()) run["itl_ms"] = percentilesToJson(f.itlMs);
    run["most_sequences_in_a_step"] = summarise(f.running).max;
    report.json["runs"].push_back(std::move(run));
    table.add({std::to_string(clients[i]), withSpread(summarise(f.requestsRate)),
               withSpread(summarise(f.tokensRate)), rounded(gain.median) + "x",
               withSpread(summarise(f.ttftMs)), rounded(percentile(f.itlMs, 0.5)),
               rounded(percentile(f.itlMs, 0.99)), rounded(summarise(f.running).max)});
    report.chart.places.push_back(std::to_string(clients[i]));
    report.chart.series[0].values.push_back(summarise(f.tokensRate));
  }
  report.tables.push_back(std::move(table));
  return report;
}

int throughput(const Arguments& arguments, bool json) {
  checkBench(arguments.common);
  const std::vector<int> clients = parseCounts("--concurrency", arguments.concurrency);
  Bench bench = openBench(arguments.common.engine, optionsFor(arguments.common, std::ranges::max(clients)));
  std::vector<Figures> all(clients.size());
  measure(arguments, clients, bench, all);
  return finish(reportOf(clients, all, arguments, bench.engine->description()), arguments.common, json);
}

}  // namespace

void addThroughput(CLI::App& bench, Program& program) {
  CLI::App* command =
      bench.add_subcommand("throughput", "requests and tokens a second, by how many are at once");
  const auto arguments = std::make_shared<Arguments>();
  arguments->common.promptTokens = 128;
  arguments->common.maxTokens = 32;
  command->add_option("--concurrency", arguments->concurrency, "clients, each with one request under way")
      ->capture_default_str();
  addNumber(*command, arguments->requests,
            {"--requests", 1, 65536, "requests in a round, or as many as clients"});
  addBenchOptions(*command, arguments->common, program);
  command->callback([arguments, &program] {
    program.work = [arguments, &program] { return throughput(*arguments, program.json); };
  });
}

}  // namespace vitrine::cli
