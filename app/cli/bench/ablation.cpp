// bench ablation: the gain of each mechanism: the same workload with all of them, and with each one removed.
//
// The workload uses every mechanism: prompts that begin alike, arrivals while others are
// answered, answers of different lengths, a budget smaller than a prompt, and a pool smaller than the
// requests at their longest. A ratio is of two runs of the same round. "Paging" removed is what engines did
// before PagedAttention: one piece of memory for each sequence, as long as the longest request may become, in
// a pool of the same size.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <random>

#include "bench/bench.h"

namespace vitrine::cli {
namespace {

struct AblationArguments {
  BenchArguments common;
  int requests = 8, atOnce = 4;
  std::string without;
};

struct Mechanism {
  const char* name;
  const char* without;  // what replaces it
  bool (*remove)(EngineOptions& options,
                 int longest);  // false: it is not in use, or nothing can replace it
};

// Rounds the pool down to whole sequences, so that it is never larger than the paged one.
bool reserveWhole(EngineOptions& options, int longest) {
  const int slots = options.numBlocks * options.blockSize;
  if (longest > 256 || longest > slots) return false;  // a block holds 256 tokens at most
  options.blockSize = longest;
  options.numBlocks = slots / longest;
  return true;
}

// remove() by a switch: true when that changed anything.
template <auto member, auto value>
bool turn(EngineOptions& options, int) {
  if (options.*member == value) return false;
  options.*member = value;
  return true;
}

bool dropDrafter(EngineOptions& options, int) {
  if (options.speculation.drafter == DraftMethod::kNone) return false;
  options.speculation.drafter = DraftMethod::kNone;
  return true;
}

bool useReferenceAttention(EngineOptions& options, int) {
  if (options.device == Device::kCuda || options.attention == "reference") return false;
  options.attention = "reference";
  return true;
}

constexpr Mechanism kMechanisms[] = {
    {"kv-cache", "everything computed anew for each token", turn<&EngineOptions::kvCache, false>},
    {"continuous-batching", "static batches", turn<&EngineOptions::batching, Batching::kStatic>},
    {"batching", "one request after another", turn<&EngineOptions::batching, Batching::kSequential>},
    {"paging", "one reserved piece for each sequence", reserveWhole},
    {"prefix-cache", "every prompt computed anew", turn<&EngineOptions::prefixCache, false>},
    {"chunked-prefill", "every prompt in one step", turn<&EngineOptions::chunkedPrefill, false>},
    {"speculation", "one token a step", dropDrafter},
    {"flash-attention", "attention with its scores written out", useReferenceAttention},
};

struct AblationVariant {
  std::string name, without;
  EngineOptions options;
  Bench bench;
  std::vector<double> tokensRate, ttftMs, itlP99;
  std::int64_t devicePeakBytes = 0;
  bool sameAnswers = true;
};

// Half of each prompt is common; answers end between a quarter and the whole of --max-tokens.
std::vector<Request> workload(const AblationArguments& arguments, const ModelInfo& model, int round) {
  const BenchArguments& common = arguments.common;
  auto requests = syntheticRequests(model, common.load(arguments.requests), round);
  std::mt19937_64 random(common.seed + static_cast<std::uint64_t>(round));
  for (Request& request : requests) {
    const auto& first = requests.front().tokenIds;
    std::copy_n(first.begin(), first.size() / 2, request.tokenIds.begin());
    const int least = std::max(1, common.maxTokens / 4);
    request.maxTokens =
        least + static_cast<int>(random() % static_cast<std::uint64_t>(common.maxTokens - least + 1));
  }
  return requests;
}

EngineOptions baseOptions(const AblationArguments& arguments) {
  const BenchArguments& common = arguments.common;
  const EngineOptions defaults;
  EngineOptions options = common.engine.toOptions();
  if (options.tokenBudget == defaults.tokenBudget)
    options.tokenBudget = std::max(common.promptTokens / 2, 16);
  const int longest = common.promptTokens + common.maxTokens;
  fitPool(options, std::max((arguments.atOnce + 1) / 2, 2), longest);
  options.maxSequences = std::max(options.maxSequences, arguments.atOnce);
  return options;
}

std::vector<AblationVariant> variantsOf(const AblationArguments& arguments,
                                        std::vector<std::string>& remarks) {
  const int longest = arguments.common.promptTokens + arguments.common.maxTokens;
  std::vector<AblationVariant> variants(1);
  variants[0].name = "everything";
  variants[0].options = baseOptions(arguments);
  std::vector<std::string> unknown = CLI::detail::split(arguments.without, ',');
  for (const Mechanism& mechanism : kMechanisms) {
    const bool named = std::erase(unknown, mechanism.name) > 0;
    if (!arguments.without.empty() && !named) continue;
    AblationVariant variant;
    variant.name = mechanism.name;
    variant.without = mechanism.without;
    variant.options = variants[0].options;
    if (!mechanism.remove(variant.options, longest)) {
      remarks.push_back(variant.name + " is not measured: it is not in use with these options.");
      continue;
    }
    try {
      variant.options.validate();
      variants.push_back(std::move(variant));
    } catch (const EngineError& error) {
      remarks.push_back(variant.name + " is not measured: " + error.what() + ".");
    }
  }
  std::erase(unknown, "");
  if (!unknown.empty()) throw UsageError("--without: there is no mechanism " + unknown.front());
  return variants;
}

void measure(const AblationArguments& arguments, std::vector<AblationVariant>& variants) {
  const BenchArguments& common = arguments.common;
  std::vector<std::string> names;
  for (const AblationVariant& variant : variants)
    names.push_back((names.empty() ? "" : "without ") + variant.name);
  std::vector<std::vector<TokenId>> expected;  // of the round
  inRounds("ablation", common, names, [&](int round, std::size_t i, bool counts) {
    AblationVariant& variant = variants[i];
    if (!variant.bench.engine) variant.bench = openBench(common.engine, variant.options);
    const auto requests = workload(arguments, variant.bench.engine->description().model, round);
    const Trial trial = variant.bench.run(requests, arguments.atOnce);
    if (i == 0) expected = trial.answers;
    variant.sameAnswers = variant.sameAnswers && trial.answers == expected;
    if (variants.size() > 1) variant.bench.closeIfLarge();
    if (!counts) return;
    variant.tokensRate.push_back(trial.tokensPerSecond());
    variant.ttftMs.push_back(percentile(trial.ttftMs(), 0.5));
    variant.itlP99.push_back(percentile(trial.itlMs(), 0.99));
    variant.devicePeakBytes = std::max(variant.devicePeakBytes, trial.devicePeakBytes);
  });
}

Json variantToJson(const AblationVariant& variant, const AblationVariant& base, bool isBase) {
  Json out = {{"name", variant.name},
              {"tokens_per_second", toJson(summarise(variant.tokensRate))},
              {"ttft_ms", toJson(summarise(variant.ttftMs))},
              {"itl_p99_ms", toJson(summarise(variant.itlP99))}};
  addDevicePeak(out, variant.devicePeakBytes);
  if (isBase) return out;
  out["instead"] = variant.without;
  out["speed_ratio"] = toJson(summarise(ratios(base.tokensRate, variant.tokensRate)));
  out["ttft_ratio"] = toJson(summarise(ratios(variant.ttftMs, base.ttftMs)));
  out["itl_p99_ratio"] = toJson(summarise(ratios(variant.itlP99, base.itlP99)));
  out["same_answers"] = variant.sameAnswers;
  return out;
}

int ablation(const AblationArguments& arguments, bool asJson) {
  checkBench(arguments.common);
  std::vector<std::string> remarks;
  std::vector<AblationVariant> variants = variantsOf(arguments, remarks);
  AblationVariant& base = variants.front();
  base.bench = openBench(arguments.common.engine, base.options);
  Json json = describe(BenchKind::kAblation, base.bench.engine->description());
  json.update({{"requests", arguments.requests},
               {"at_once", arguments.atOnce},
               {"prompt_tokens", arguments.common.promptTokens},
               {"max_tokens", arguments.common.maxTokens},
               {"num_blocks", base.options.numBlocks},
               {"token_budget", base.options.tokenBudget}});
  measure(arguments, variants);
  json["variants"] = Json::array();
  for (const AblationVariant& variant : variants)
    json["variants"].push_back(variantToJson(variant, base, &variant == &base));
  json["remarks"] = remarks;
  return finish(json, arguments.common, asJson);
}

}  // namespace

void addAblation(CLI::App& bench, Program& program) {
  CLI::App* command =
      bench.add_subcommand("ablation", "each mechanism removed in turn, on the same workload");
  const auto arguments = std::make_shared<AblationArguments>();
  arguments->common.promptTokens = 128;
  arguments->common.maxTokens = 32;
  addNumber(*command, arguments->requests, {"--requests", 1, 65536, "requests in a round"});
  addNumber(*command, arguments->atOnce, {"--at-once", 1, 65536, "of them under way at a time"});
  command->add_option("--without", arguments->without, "remove only these: kv-cache,paging");
  addBenchOptions(*command, arguments->common);
  setWork(*command, program, [arguments](bool json) { return ablation(*arguments, json); });
}

}  // namespace vitrine::cli
