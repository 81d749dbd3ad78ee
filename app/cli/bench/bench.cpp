#include "bench/bench.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <sstream>

#include "bench/chart.h"
#include "bench/report.h"
#include "bench_results/bench_fields.h"
#include "common/chat_prompt.h"
#include "request_run.h"
#include "vitrine/message_text.h"
#include "vitrine/output_file.h"

namespace vitrine::cli {
namespace {

// On a terminal one line that changes; elsewhere a line for each message.
class Progress {
 public:
  Progress(const char* kind, std::int64_t total) : m_kind(kind), m_total(total) {}
  ~Progress() {
    if (m_terminal) std::fputs("\r\033[K", stderr);
  }
  void show(std::int64_t number, const std::string& what) const {
    std::fprintf(stderr, "%s%s %lld of %lld: %s%s", m_terminal ? "\r\033[K" : "", m_kind,
                 static_cast<long long>(number), static_cast<long long>(m_total), what.c_str(),
                 m_terminal ? "" : "\n");
  }

 private:
  const char* const m_kind;
  const std::int64_t m_total;
  const bool m_terminal = isatty(STDERR_FILENO) != 0;
};

}  // namespace

void addBenchOptions(CLI::App& command, BenchArguments& arguments) {
  constexpr int kMostTokens = 1 << 20, kMostRounds = 100'000;
  addNumber(command, arguments.promptTokens,
            {"--prompt-tokens", 1, kMostTokens, "random token ids in each prompt"});
  addNumber(command, arguments.maxTokens,
            {"--max-tokens", 1, kMostTokens, "tokens to generate for each request"});
  addNumber(command, arguments.repeat, {"--repeat", 1, kMostRounds, "rounds that count"});
  addNumber(command, arguments.warmUp, {"--warm-up", 0, kMostRounds, "rounds before them that do not"});
  addSeed(command, arguments.seed, "of the prompts and of drawn answers");
  command.add_option("--plot", arguments.plot, "draw the figures into this .svg or .png file");
  command.add_option("--out", arguments.out,
                     "keep the result in this .json file, for bench show and for the window");
  addEngineOptions(command, arguments.engine);
}

void checkBench(const BenchArguments& arguments) {
  if (!arguments.plot.empty()) requirePlottable(arguments.plot);
  if (!arguments.out.empty()) const OutputFile probe(arguments.out);
  arguments.engine.toOptions();
}

int finish(const Json& json, const BenchArguments& arguments, bool asJson) {
  if (!arguments.out.empty()) writeFile(arguments.out, jsonText(json));
  if (asJson && arguments.plot.empty()) {
    printJson(json);
    return 0;
  }
  const BenchResults results = describeBench(json);
  if (!arguments.plot.empty()) plotResults(results, arguments.plot);
  if (asJson)
    printJson(json);
  else
    printResults(results);
  return 0;
}

void inRounds(const char* kind, const BenchArguments& arguments, const std::vector<std::string>& variants,
              const Round& run) {
  if (variants.size() > BenchFields::kMostEntries)
    throw UsageError("a benchmark has at most " + std::to_string(BenchFields::kMostEntries) +
                     " variants, and these are " + std::to_string(variants.size()));
  const int rounds = arguments.warmUp + arguments.repeat;
  const Progress progress(kind, rounds * static_cast<std::int64_t>(variants.size()));
  std::int64_t done = 0;
  for (int round = 0; round < rounds; ++round) {
    const bool counts = round >= arguments.warmUp;
    for (std::size_t i = 0; i < variants.size(); ++i) {
      progress.show(++done, variants[i] + (counts ? "" : ", warm-up"));
      run(round, i, counts);
    }
  }
}

Bench openBench(const EngineArguments& model, const EngineOptions& options,
                std::function<void(const Event&)> onEvent) {
  Bench bench;
  bench.meter->onEvent = std::move(onEvent);
  bench.engine = Engine::load(model.modelDirectory(), options, *bench.meter);
  notePackedCopy(*bench.engine);  // before anything is measured
  std::ranges::for_each(bench.engine->description().ignoredTensors, noteIgnored);
  return bench;
}

// A pool on the host is only reserved; a GPU's takes its memory at once.
void Bench::closeIfLarge() {
  constexpr std::int64_t kLarge = std::int64_t{256} << 20;
  const EngineLoaded& loaded = engine->description();
  const std::int64_t pool = engine->deviceMemory() ? loaded.options.numBlocks * loaded.bytesPerBlock : 0;
  if (loaded.model.weightBytes + pool > kLarge) engine.reset();
}

void fitPool(EngineOptions& options, int sequences, int tokens) {
  options.maxSequences = std::max(options.maxSequences, sequences);
  if (options.numBlocks > 0 || options.kvMemoryBytes > 0) return;
  const std::int64_t blocks =
      sequences * ((std::int64_t{tokens} + options.blockSize - 1) / options.blockSize);
  if (blocks > kMaxBlocks)
    throw UsageError(std::to_string(sequences) + " requests at once of " + std::to_string(tokens) +
                     " tokens each take " + std::to_string(blocks) + " KV blocks, and a pool has at most " +
                     std::to_string(kMaxBlocks));
  options.numBlocks = static_cast<int>(blocks);
}

EngineOptions optionsFor(const BenchArguments& arguments, int sequences) {
  EngineOptions options = arguments.engine.toOptions();
  fitPool(options, sequences, arguments.promptTokens + arguments.maxTokens);
  return options;
}

std::vector<Request> chatRequests(const BenchArguments& arguments, const std::string& questionsFile,
                                  const Engine& engine) {
  static constexpr const char* kQuestions[] = {"What is a KV cache?",
                                               "Tell me a short story about a fox and a lighthouse.",
                                               "What is a token?",
                                               "What is continuous batching?",
                                               "Why does the scheduler preempt a request?",
                                               "Who are you?",
                                               "What is a prefix cache?",
                                               "How does speculative decoding work?"};
  std::vector<std::string> texts(std::begin(kQuestions), std::end(kQuestions));
  if (!questionsFile.empty()) {
    texts = CLI::detail::split(readFile(questionsFile), '\n');
    std::erase_if(texts, [](const std::string& text) { return text.empty(); });
    if (texts.empty()) throw UsageError("--prompts: " + questionsFile + " holds no prompt");
  }
  if (engine.tokenizer() == nullptr)
    return syntheticRequests(engine.description().model, arguments.load(static_cast<int>(texts.size())), 0);
  std::vector<Request> requests(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    requests[i] = chatRequest(engine, {{{ChatRole::kUser, texts[i]}}}, {});
    requests[i].stop.clear();  // so that every answer has the length that was asked for
    requests[i].maxTokens = arguments.maxTokens;
    requests[i].ignoreEos = true;
  }
  return requests;
}

Json describe(BenchKind kind, const EngineLoaded& engine) {
  return {{"bench", nameOf(kind)},     {"model", engine.model.name}, {"device", engine.device},
          {"backend", engine.backend}, {"threads", engine.threads},  {"weights", engine.model.weightType}};
}

void addDevicePeak(Json& run, std::int64_t bytes) {
  if (bytes > 0) run["device_peak_bytes"] = bytes;
}

Summary summarise(const std::vector<double>& values) {
  Summary s;
  if (values.empty()) return s;
  s.count = static_cast<int>(values.size());
  s.mean = std::accumulate(values.begin(), values.end(), 0.0) / s.count;
  double squares = 0;
  for (double value : values) squares += (value - s.mean) * (value - s.mean);
  if (s.count > 1) s.sd = std::sqrt(squares / (s.count - 1));
  s.median = percentile(values, 0.5);
  s.min = std::ranges::min(values);
  s.max = std::ranges::max(values);
  return s;
}

Json toJson(const Summary& s) {
  return {{"median", finite(s.median)}, {"mean", finite(s.mean)}, {"sd", finite(s.sd)},
          {"min", finite(s.min)},       {"max", finite(s.max)},   {"count", s.count}};
}

Json percentilesToJson(const std::vector<double>& values) {
  const Summary all = summarise(values);
  return {{"p50", percentile(values, 0.5)},
          {"p95", percentile(values, 0.95)},
          {"p99", percentile(values, 0.99)},
          {"min", all.min},
          {"max", all.max},
          {"count", all.count}};
}

std::vector<double> ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> out;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) out.push_back(a[i] / b[i]);
  return out;
}

std::vector<int> parseCounts(const std::string& option, const std::string& text) {
  std::vector<int> counts;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    int count = 0;
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), count);
    if (error != std::errc() || end != item.data() + item.size() || count < 1 || count > 65536)
      throw UsageError(option + ": \"" + forMessage(item, 60) +
                       "\" is not a whole number from 1 to 65536; write 1,4,16");
    counts.push_back(count);
  }
  if (counts.empty()) throw UsageError(option + " must name at least one number");
  return counts;
}

void addBench(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("bench", "measure the engine");
  command->require_subcommand(1);
  for (const auto add : {addLatency, addThroughput, addMemory, addAblation, addSpeculative, addQuantization,
                         addRoofline, addShow})
    add(*command, program);
}

}  // namespace vitrine::cli
