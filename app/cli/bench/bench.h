// vitrine-cli bench: what the kinds of benchmark share: options, progress, output.
//
// Every kind measures in rounds, and runs every variant once in each round. So a machine whose speed drifts
// drifts for all variants alike. Warm-up rounds do not count. What was not measured is not printed.
// Read next: trial.h.
#pragma once

#include <functional>
#include <memory>

#include "bench/trial.h"
#include "bench_results/bench_cells.h"
#include "bench_results/bench_kind.h"
#include "command_options.h"
#include "program.h"
#include "vitrine/durations.h"

namespace vitrine::cli {

// The kinds of benchmark, one file each, and the command that shows their results again.
void addLatency(CLI::App& bench, Program& program);
void addThroughput(CLI::App& bench, Program& program);
void addMemory(CLI::App& bench, Program& program);
void addAblation(CLI::App& bench, Program& program);
void addSpeculative(CLI::App& bench, Program& program);
void addQuantization(CLI::App& bench, Program& program);
void addRoofline(CLI::App& bench, Program& program);
void addShow(CLI::App& bench, Program& program);

struct BenchArguments {
  EngineArguments engine;
  int promptTokens = 512, maxTokens = 64, repeat = 5, warmUp = 1;
  std::uint64_t seed = 1;
  std::string plot, out;

  SyntheticLoad load(int requests) const { return {requests, promptTokens, maxTokens, seed}; }
};

// Declares the options above for a kind of benchmark.
void addBenchOptions(CLI::App& command, BenchArguments& arguments);
void checkBench(const BenchArguments& arguments);  // throws UsageError

// Prints the result, as a document or as tables, draws its chart and keeps the document in a file, each where
// that was asked for. What people see is derived from the document (bench_results/bench_results.h). The exit
// status.
int finish(const Json& json, const BenchArguments& arguments, bool asJson);

// Runs every variant once in each round, and says on standard error what is being done. `counts`: not a
// warm-up.
using Round = std::function<void(int round, std::size_t variant, bool counts)>;
void inRounds(const char* kind, const BenchArguments& arguments, const std::vector<std::string>& variants,
              const Round& run);

// An engine and the meter it reports to.
struct Bench {
  std::unique_ptr<Meter> meter = std::make_unique<Meter>();
  std::unique_ptr<Engine> engine;

  Trial run(const std::vector<Request>& requests, int atOnce) {
    return meter->run(*engine, requests, atOnce);
  }
  void closeIfLarge();  // between rounds: large models fit into memory only one at a time
};
// `onEvent` receives every event from the first one on.
Bench openBench(const EngineArguments& model, const EngineOptions& options,
                std::function<void(const Event&)> onEvent = {});

// Blocks for `sequences` sequences of that many tokens, unless an option sets the size of the pool.
void fitPool(EngineOptions& options, int sequences, int tokens);
// The options asked for, with a pool for so many of the requests asked for at once.
EngineOptions optionsFor(const BenchArguments& arguments, int sequences);

// Real questions in the model's chat format, since the gain of drafts and the error of narrow weights depend
// on the text: the file's, one per line, or eight built-in ones. Random ids without a tokenizer. Every
// variant generates the same number of tokens. Throws UsageError for a file without a question.
std::vector<Request> chatRequests(const BenchArguments& arguments, const std::string& questionsFile,
                                  const Engine& engine);

// "bench", "model", "device", "backend", "threads", "weights": the kind, and what the figures belong to.
Json describe(BenchKind kind, const EngineLoaded& engine);

// "device_peak_bytes" of a run or variant: the most of a GPU's memory that it took; nothing for 0.
void addDevicePeak(Json& run, std::int64_t bytes);

// What repeated measurements come to.
Summary summarise(const std::vector<double>& values);

Json toJson(const Summary& summary);
Json percentilesToJson(const std::vector<double>& values);  // {"p50", "p95", "p99", "min", "max", "count"}

// a[i] / b[i], for figures that were measured in the same round.
std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b);

// "1,4,16" as numbers of 1 or more. Throws UsageError that names the option.
std::vector<int> parseCounts(const std::string& option, const std::string& text);

}  // namespace vitrine::cli
