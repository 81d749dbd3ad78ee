// vitrine-cli bench: what the kinds of benchmark share: options, progress, output.
//
// Every kind measures in rounds, and runs every variant once in each round. So a machine whose speed drifts
// drifts for all variants alike. Warm-up rounds do not count. What was not measured is not printed.
// Read next: trial.h.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "bench/chart.h"
#include "bench/trial.h"
#include "command_options.h"

namespace vitrine::cli {

struct BenchArguments {
  EngineArguments engine;
  int promptTokens = 512, maxTokens = 64, repeat = 5, warmUp = 1;
  std::uint64_t seed = 1;
  std::string plot;

  SyntheticLoad load(int requests) const { return {requests, promptTokens, maxTokens, seed}; }
};

// Declares the options above for a kind of benchmark.
void addBenchOptions(CLI::App& command, BenchArguments& arguments, Program& program);
void checkBench(const BenchArguments& arguments);  // throws UsageError

// Rows under headings, the columns as wide as they need to be; numbers to the right.
class Table {
 public:
  explicit Table(std::vector<std::string> headings) : m_rows{std::move(headings)} {}
  void add(std::vector<std::string> cells) { m_rows.push_back(std::move(cells)); }
  void print() const;

 private:
  std::vector<std::vector<std::string>> m_rows;
};

struct Report {
  Json json;
  std::vector<Table> tables;
  std::vector<std::string> remarks;  // sentences under the tables
  Chart chart;
  std::optional<Picture> picture;  // drawn instead of the chart
};
// Prints the report and draws its chart where that was asked for. The exit status.
int finish(const Report& report, const BenchArguments& arguments, bool json);

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
Bench openBench(const EngineArguments& model, const EngineOptions& options);

// Blocks for `sequences` sequences of that many tokens, unless an option sets the size of the pool.
void fitPool(EngineOptions& options, int sequences, int tokens);
// The options asked for, with a pool for so many of the requests asked for at once.
EngineOptions optionsFor(const BenchArguments& arguments, int sequences);

// Real questions in the model's chat format, since the gain of drafts and the error of narrow weights depend
// on the text: the file's, one per line, or eight built-in ones. Random ids without a tokenizer. Every
// variant generates the same number of tokens. Throws UsageError for a file without a question.
std::vector<Request> chatRequests(const BenchArguments& arguments, const std::string& questionsFile,
                                  const Engine& engine);

// "model", "device", "backend", "threads", "weights": what the figures belong to.
Json describe(const EngineLoaded& engine);

// "1,4,16" as numbers of 1 or more. Throws UsageError that names the option.
std::vector<int> parseCounts(const std::string& option, const std::string& text);

}  // namespace vitrine::cli
