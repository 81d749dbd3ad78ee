// bench speculative: what drafting is worth: for each draft length K and, drafting by early exit, each exit layer,
// against the same requests without, in the same rounds.
//
// Nothing is taken from a formula that can be measured: a drafted step's cost is its own time over that of the plain
// steps of the round. From it follows the break-even: the acceptance a at which the expected tokens of a step,
// 1 + a + ... + a^K (arXiv 2211.17192), just pay for it.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "bench/bench.h"
#include "bench/kinds.h"

namespace vitrine::cli {
namespace {

struct Arguments {
  BenchArguments common;
  std::string lengths = "1,2,4,8", exits, prompts;
  int batch = 1;
};

// What an engine told of its drafts, over all counted rounds.
struct Drafts {
  std::vector<std::int64_t> judged, accepted;  // by position in the draft
  std::int64_t drafts = 0, draftedTokens = 0, acceptedTokens = 0;
  std::vector<double> draftMs, verifyMs;  // of steps that drafted and did nothing but decode

  void add(const Event& event);
  double acceptance() const {
    std::int64_t looked = 0;
    for (std::int64_t count : judged) looked += count;
    return looked == 0 ? 0 : static_cast<double>(acceptedTokens) / static_cast<double>(looked);
  }
  double meanAccepted() const {
    return drafts == 0 ? 0 : static_cast<double>(acceptedTokens) / static_cast<double>(drafts);
  }
};

void Drafts::add(const Event& event) {
  if (const auto* verified = std::get_if<DraftVerified>(&event.body)) {
    ++drafts;
    draftedTokens += static_cast<std::int64_t>(verified->judgements.size());
    acceptedTokens += verified->accepted;
    const std::size_t most = std::max(judged.size(), verified->judgements.size());
    judged.resize(most);
    accepted.resize(most);
    for (std::size_t i = 0; i < verified->judgements.size(); ++i) {
      judged[i] += verified->judgements[i].verdict != DraftVerdict::kUndecided ? 1 : 0;
      accepted[i] += static_cast<int>(i) < verified->accepted ? 1 : 0;
    }
  } else if (const auto* step = std::get_if<StepSpeculated>(&event.body)) {
    if (step->draftedTokens == 0 || step->prefillTokens > 0) return;
    draftMs.push_back(static_cast<double>(step->draftNs) / 1e6);
    verifyMs.push_back(static_cast<double>(step->verifyNs) / 1e6);
  }
}

struct Variant {
  int length = 0, exit = 0;  // exit 0: not drafting by early exit
  EngineOptions options;
  Bench bench;
  Drafts drafts;
  std::vector<double> tokensRate;
  std::vector<double> plainMs;  // forward of the steps that only decode, without drafting
  bool sameAnswers = true;

  std::string name() const {
    if (length == 0) return "off";
    return "K " + std::to_string(length) + (exit > 0 ? ", exit " + std::to_string(exit) : "");
  }
};

// The least a with 1 + a + ... + a^k >= cost; above 1 when even full acceptance does not pay.
double breakEven(double cost, int k) {
  if (cost > k + 1) return std::numeric_limits<double>::infinity();
  double low = 0, high = 1;
  for (int i = 0; i < 60; ++i) {
    const double a = (low + high) / 2;
    double tokens = 0;
    for (int power = 0; power <= k; ++power) tokens += std::pow(a, power);
    (tokens < cost ? low : high) = a;
  }
  return high;
}

// Real questions, since acceptance depends on what is said; random ids where there is no tokenizer.
std::vector<Request> questions(const Arguments& arguments, const Engine& engine) {
  static constexpr const char* kQuestions[] = {
      "What is a KV cache?",        "Tell me a short story about a fox and a lighthouse.", "What is a token?",
      "What is continuous batching?", "Why does the scheduler preempt a request?",          "Who are you?",
      "What is a prefix cache?",    "How does speculative decoding work?"};
  const BenchArguments& common = arguments.common;
  std::vector<std::string> texts(std::begin(kQuestions), std::end(kQuestions));
  if (!arguments.prompts.empty()) {
    texts = CLI::detail::split(readFile(arguments.prompts), '\n');
    std::erase_if(texts, [](const std::string& text) { return text.empty(); });
    if (texts.empty()) throw UsageError("--prompts: " + arguments.prompts + " holds no prompt");
  }
  if (engine.tokenizer() == nullptr)
    return syntheticRequests(engine.description().model, static_cast<int>(texts.size()), common.promptTokens,
                             common.maxTokens, common.seed, 0);
  std::vector<Request> requests(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    requests[i].prompt = engine.chatFormat().render({{ChatRole::kUser, texts[i]}});
    requests[i].maxTokens = common.maxTokens;
    requests[i].ignoreEos = true;  // every variant generates as much
  }
  return requests;
}

std::vector<Variant> variantsOf(const Arguments& arguments, int layers) {
  const EngineArguments& engine = arguments.common.engine;
  EngineOptions options = engine.toOptions();
  options.prefixCache = false;  // the same prompts in every round must cost the same
  const DraftMethod method =
      options.speculation.drafter == DraftMethod::kNone ? DraftMethod::kEarlyExit : options.speculation.drafter;
  options.speculation.drafter = DraftMethod::kNone;
  std::vector<Variant> variants(1);
  variants[0].options = options;
  std::vector<int> exits = {0};
  if (method == DraftMethod::kEarlyExit && arguments.exits.empty()) {
    exits.clear();
    for (int exit = std::max(1, layers / 8); exit < layers; exit += std::max(1, layers / 8)) exits.push_back(exit);
  } else if (method == DraftMethod::kEarlyExit) {
    exits = parseCounts("--exits", arguments.exits);
  }
  for (int exit : exits) {
    for (int length : parseCounts("--lengths", arguments.lengths)) {
      Variant& variant = variants.emplace_back();
      variant.length = length;
      variant.exit = exit;
      variant.options = options;
      variant.options.speculation.drafter = method;
      variant.options.speculation.draftLength = length;
      variant.options.speculation.exitLayer = exit;
      asUsage([&] { variant.options.validate(); });
    }
  }
  return variants;
}

// What one round says of a variant. The plain step is its forward: where a drafted step spends its time too.
void runOnce(const Arguments& arguments, Variant& variant, const std::vector<Request>& requests, bool counts,
             std::vector<std::vector<TokenId>>& expected) {
  int prefilling = 0;
  variant.bench.meter->onEvent = [&](const Event& event) {
    if (!counts) return;
    variant.drafts.add(event);
    if (const auto* plan = std::get_if<StepPlanned>(&event.body)) prefilling = plan->prefillTokens;
    const auto* step = std::get_if<StepFinished>(&event.body);
    if (step != nullptr && prefilling == 0)
      variant.plainMs.push_back(static_cast<double>(step->phaseNs[static_cast<int>(Phase::kForward)]) / 1e6);
  };
  const Trial trial = variant.bench.run(requests, arguments.batch);
  if (variant.length == 0) expected = trial.answers;
  variant.sameAnswers = variant.sameAnswers && trial.answers == expected;
  if (counts) variant.tokensRate.push_back(trial.tokensPerSecond());
}

void measure(const Arguments& arguments, std::vector<Variant>& variants) {
  constexpr std::int64_t kSmall = std::int64_t{256} << 20;
  const BenchArguments& common = arguments.common;
  Progress progress("speculative", (common.warmUp + common.repeat) * static_cast<int>(variants.size()));
  for (int round = 0; round < common.warmUp + common.repeat; ++round) {
    std::vector<std::vector<TokenId>> expected;
    for (Variant& variant : variants) {
      progress.next(variant.name() + (round < common.warmUp ? ", warm-up" : ""));
      if (!variant.bench.engine) variant.bench = openBench(common.engine, variant.options);
      const auto requests = questions(arguments, *variant.bench.engine);
      runOnce(arguments, variant, requests, round >= common.warmUp, expected);
      if (variant.bench.engine->description().model.weightBytes > kSmall) variant.bench.engine.reset();
    }
  }
}

std::string why(const Variant& variant, double cost, double needed, double speedUp) {
  const std::string costs = "a step that drafts costs " + rounded(cost) + " plain ones and yields " +
                            rounded(1 + variant.drafts.meanAccepted()) + " tokens";
  if (speedUp >= 1) return variant.name() + " pays: " + costs + ".";
  if (!std::isfinite(needed)) return variant.name() + " cannot pay: " + costs + ", and no acceptance would be enough.";
  return variant.name() + " does not pay: " + costs + "; it breaks even at an acceptance of " + rounded(needed) +
         ", and " + rounded(variant.drafts.acceptance()) + " were accepted.";
}

void addVariant(Report& report, Table& table, const Variant& variant, const Variant& off) {
  const Drafts& drafts = variant.drafts;
  const double plainMs = percentile(off.plainMs, 0.5);
  // Medians, since a step that another program held up says nothing of either.
  const double cost = (percentile(drafts.draftMs, 0.5) + percentile(drafts.verifyMs, 0.5)) / plainMs;
  const double needed = breakEven(cost, variant.length);
  const Summary speedUp = summarise(ratios(variant.tokensRate, off.tokensRate));
  Json positions = Json::array();
  std::string shares;
  for (std::size_t i = 0; i < drafts.judged.size(); ++i) {
    const double share = drafts.judged[i] == 0 ? 0
                                               : static_cast<double>(drafts.accepted[i]) /
                                                     static_cast<double>(drafts.judged[i]);
    positions.push_back({{"judged", drafts.judged[i]}, {"accepted", drafts.accepted[i]}, {"acceptance", share}});
    if (i < 4) shares += (i == 0 ? "" : " ") + rounded(std::round(share * 100)) + "%";
  }
  const std::string sentence = why(variant, cost, needed, speedUp.median);
  report.json["variants"].push_back({{"draft_length", variant.length},
                                     {"exit_layer", variant.exit},
                                     {"tokens_per_second", toJson(summarise(variant.tokensRate))},
                                     {"speed_up", toJson(speedUp)},
                                     {"acceptance", drafts.acceptance()},
                                     {"positions", std::move(positions)},
                                     {"mean_accepted_length", drafts.meanAccepted()},
                                     {"draft_ms", toJson(summarise(drafts.draftMs))},
                                     {"verify_ms", toJson(summarise(drafts.verifyMs))},
                                     {"relative_cost", finite(cost)},
                                     {"break_even_acceptance", finite(needed)},
                                     {"same_answers", variant.sameAnswers},
                                     {"why", sentence}});
  table.add({std::to_string(variant.length), variant.exit > 0 ? std::to_string(variant.exit) : "-",
             withSpread(summarise(variant.tokensRate)), rounded(speedUp.median) + "x",
             rounded(speedUp.min) + "-" + rounded(speedUp.max), rounded(drafts.acceptance()), shares,
             rounded(drafts.meanAccepted()), rounded(percentile(drafts.draftMs, 0.5)),
             rounded(percentile(drafts.verifyMs, 0.5)), rounded(needed), variant.sameAnswers ? "yes" : "no"});
  report.remarks.push_back(sentence);
  report.chart.places.push_back(variant.name());
  report.chart.series[0].values.push_back(speedUp);
}

Report reportOf(const Arguments& arguments, const std::vector<Variant>& variants, const Json& description) {
  const Variant& off = variants.front();
  Report report;
  report.json = description;
  report.json["max_tokens"] = arguments.common.maxTokens;
  report.json["batch"] = arguments.batch;
  report.json["off"] = {{"tokens_per_second", toJson(summarise(off.tokensRate))},
                        {"step_ms", toJson(summarise(off.plainMs))}};
  report.json["variants"] = Json::array();
  report.chart = {"Speculation: how many times faster", "drafts", "speed-up", {}, {{"speed-up", {}}}, false};
  Table table({"K", "exit", "tokens/s", "speed-up", "spread", "accepted", "by position", "mean length", "draft ms",
               "verify ms", "break-even", "same answers"});
  table.add({"off", "-", withSpread(summarise(off.tokensRate)), "1x", "", "", "", "", "",
             rounded(percentile(off.plainMs, 0.5)), "", ""});
  for (std::size_t i = 1; i < variants.size(); ++i) addVariant(report, table, variants[i], off);
  report.tables.push_back(std::move(table));
  return report;
}

int speculative(const Arguments& arguments, bool json) {
  checkBench(arguments.common);
  if (arguments.batch < 1) throw UsageError("--batch must be 1 or more");
  EngineOptions plain = arguments.common.engine.toOptions();
  plain.speculation.drafter = DraftMethod::kNone;
  Json description;
  int layers = 0;
  {
    const Bench first = openBench(arguments.common.engine, plain);
    description = describe(first.engine->description());
    layers = first.engine->description().model.layers;
  }
  std::vector<Variant> variants = variantsOf(arguments, layers);
  measure(arguments, variants);
  return finish(reportOf(arguments, variants, description), arguments.common, json);
}

}  // namespace

void addSpeculative(CLI::App& bench, Program& program) {
  CLI::App* command = bench.add_subcommand("speculative", "what drafting is worth, by draft length and exit layer");
  const auto arguments = std::make_shared<Arguments>();
  arguments->common.promptTokens = 64;
  command->add_option("--lengths", arguments->lengths, "draft lengths K")->capture_default_str();
  command->add_option("--exits", arguments->exits, "exit layers; default: about eight over the model's depth");
  command->add_option("--prompts", arguments->prompts, "a file with a question a line; default: eight of our own");
  command->add_option("--batch", arguments->batch, "requests at once")->capture_default_str();
  addBenchOptions(*command, arguments->common, program);
  command->callback([arguments, &program] {
    program.work = [arguments, &program] { return speculative(*arguments, program.json); };
  });
}

}  // namespace vitrine::cli
