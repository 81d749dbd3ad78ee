// bench speculative: the gain of drafting for each draft length K and, with early exit, each exit layer,
// against the same requests without drafts in the same rounds. With a temperature the answers are drawn, with
// other numbers in each round.
//
// Nothing is taken from a formula that can be measured: a drafted step's cost is its own time over that of
// the plain steps of `off`, which takes turns with it (SpeculationReport::against). From it follows the
// break-even: the acceptance at which what drafts of these lengths are expected to bring (arXiv 2211.17192)
// just pays for them.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "bench/bench.h"
#include "request_run.h"
#include "vitrine/speculation_report.h"
#include "vitrine/trace.h"

namespace vitrine::cli {
namespace {

struct SpeculativeArguments {
  BenchArguments common;
  RequestArguments requests;  // how their tokens are chosen
  std::string lengths = "1,2,4,8", exits, prompts, traces;
  int batch = 1;
};

struct SpeculativeVariant {
  int length = 0, exit = 0;  // exit 0: not drafting by early exit
  EngineOptions options;
  Bench bench;
  std::unique_ptr<TraceWriter> trace;  // of the engine that is open; null unless it was asked for
  SpeculationReport report;            // over all counted rounds
  std::int64_t steps = 0;              // of those, that did nothing but decode
  std::vector<double> tokensRate;
  std::int64_t devicePeakBytes = 0;
  bool sameAnswers = true;

  std::string fileName() const {  // of its trace
    if (length == 0) return "off.vitrine";
    return "k" + std::to_string(length) + (exit > 0 ? "-exit" + std::to_string(exit) : "") + ".vitrine";
  }
  std::string name() const {
    if (length == 0) return "off";
    return "K " + std::to_string(length) + (exit > 0 ? ", exit " + std::to_string(exit) : "");
  }
};

std::vector<SpeculativeVariant> variantsOf(const SpeculativeArguments& arguments, int layers) {
  const EngineArguments& engine = arguments.common.engine;
  EngineOptions options = engine.toOptions();
  options.prefixCache = false;  // the same prompts in every round must cost the same
  const DraftMethod method = options.speculation.drafter == DraftMethod::kNone ? DraftMethod::kEarlyExit
                                                                               : options.speculation.drafter;
  options.speculation.drafter = DraftMethod::kNone;
  std::vector<SpeculativeVariant> variants(1);
  variants[0].options = options;
  std::vector<int> exits = {0};
  if (method == DraftMethod::kEarlyExit && arguments.exits.empty()) {
    exits.clear();
    for (int exit = std::max(1, layers / 8); exit < layers; exit += std::max(1, layers / 8))
      exits.push_back(exit);
  } else if (method == DraftMethod::kEarlyExit) {
    exits = parseCounts("--exits", arguments.exits);
  }
  for (int exit : exits) {
    for (int length : parseCounts("--lengths", arguments.lengths)) {
      SpeculativeVariant& variant = variants.emplace_back();
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

// A run without a drafter does not report the time of its plain steps. It is the time of their forward.
StepSpeculated plainStep(const StepPlanned& plan, const StepFinished& step) {
  StepSpeculated plain{};
  plain.sequences = plan.sequences;
  plain.keptTokens = step.sampled;
  plain.verifyNs = step.phaseNs[static_cast<std::size_t>(Phase::kForward)];
  return plain;
}

std::vector<Request> requestsOf(const SpeculativeArguments& arguments, int round, const Engine& engine) {
  std::vector<Request> requests = chatRequests(arguments.common, arguments.prompts, engine);
  const std::uint64_t first = arguments.common.seed + static_cast<std::uint64_t>(round) * requests.size();
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].sampling = arguments.requests.request.sampling;
    requests[i].sampling.seed = first + i;
  }
  return requests;
}

void runOnce(const SpeculativeArguments& arguments, SpeculativeVariant& variant,
             const std::vector<Request>& requests, bool counts, std::vector<std::vector<TokenId>>& expected) {
  StepPlanned planned{};
  variant.bench.meter->onEvent = [&](const Event& event) {
    if (variant.trace) variant.trace->publish(event);
    if (!counts) return;
    variant.report.add(event);
    if (const auto* plan = std::get_if<StepPlanned>(&event.body)) planned = *plan;
    const auto* step = std::get_if<StepFinished>(&event.body);
    if (step == nullptr || planned.prefillTokens > 0) return;
    ++variant.steps;
    if (variant.length > 0) return;
    Event plain = event;
    plain.body = plainStep(planned, *step);
    variant.report.add(plain);
  };
  const Trial trial = variant.bench.run(requests, arguments.batch);
  if (variant.length == 0) expected = trial.answers;
  variant.sameAnswers = variant.sameAnswers && trial.answers == expected;
  if (!counts) return;
  variant.tokensRate.push_back(trial.tokensPerSecond());
  variant.devicePeakBytes = std::max(variant.devicePeakBytes, trial.devicePeakBytes);
}

void makeFolder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw EngineError(ErrorCode::kIo, folder + " cannot be made: " + failed.message(),
                      "choose a folder that can be written to with --traces");
}

void open(const SpeculativeArguments& arguments, SpeculativeVariant& variant) {
  if (!arguments.traces.empty())
    variant.trace =
        std::make_unique<TraceWriter>(std::filesystem::path(arguments.traces) / variant.fileName());
  variant.bench = openBench(arguments.common.engine, variant.options, [&variant](const Event& event) {
    if (variant.trace) variant.trace->publish(event);
  });
}

void measure(const SpeculativeArguments& arguments, std::vector<SpeculativeVariant>& variants) {
  const BenchArguments& common = arguments.common;
  std::vector<std::string> names;
  for (const SpeculativeVariant& variant : variants) names.push_back(variant.name());
  std::vector<std::vector<TokenId>> expected;  // of the round
  inRounds("speculative", common, names, [&](int round, std::size_t i, bool counts) {
    SpeculativeVariant& variant = variants[i];
    if (!variant.bench.engine) open(arguments, variant);
    runOnce(arguments, variant, requestsOf(arguments, round, *variant.bench.engine), counts, expected);
    variant.bench.closeIfLarge();
  });
  for (SpeculativeVariant& variant : variants)
    if (variant.trace) variant.trace->finish();
}

std::vector<double> inMs(const std::vector<std::int64_t>& ns) {
  std::vector<double> ms;
  for (std::int64_t value : ns) ms.push_back(static_cast<double>(value) / 1e6);
  return ms;
}

std::vector<double> plainMs(const SpeculativeVariant& off) {
  std::vector<std::int64_t> ns;
  for (const auto& [sequences, size] : off.report.sizes)
    ns.insert(ns.end(), size.plain.stepNs.begin(), size.plain.stepNs.end());
  return inMs(ns);
}

// What keeps a variant from paying: its steps are too dear for any acceptance, or too little is accepted, or
// there is too much besides drafting.
std::string why(const SpeculativeVariant& variant, const SpeculationReport& report, double speedUp) {
  const auto median = [](const std::vector<std::int64_t>& ns) { return rounded(percentile(inMs(ns), 0.5)); };
  const std::optional<double> cost = report.relativeCost(), needed = report.breakEvenAcceptance();
  const std::string name = variant.name();
  if (!cost || !needed)
    return name + " was not measured: no step with a draft has a plain one to compare with.";
  const std::string yields = "a step that drafts costs " + rounded(*cost) + " plain ones and yields " +
                             rounded(1 + report.meanAcceptedLength()) + " tokens";
  const std::string accepted = rounded(report.acceptance()) + " of the tokens looked at were accepted";
  if (speedUp >= 1) return name + " pays: " + yields + ".";
  if (*needed > 1)
    return name + " cannot pay: " + yields + "; drafting takes " + median(report.draftNs) +
           " ms and verifying " + median(report.verifyNs) + " ms, and no acceptance would be enough.";
  if (report.acceptance() < *needed)
    return name + " does not pay: " + yields + "; it breaks even at an acceptance of " + rounded(*needed) +
           ", and " + accepted + ".";
  const auto without = variant.steps - static_cast<std::int64_t>(report.draftNs.size());
  return name + " does not pay although its drafts break even: " + yields +
         ", and the rest gains nothing (prompts, and " + std::to_string(without) + " of " +
         std::to_string(variant.steps) + " steps of decoding without a draft).";
}

Json variantToJson(const SpeculativeVariant& variant, const SpeculativeVariant& off) {
  const SpeculationReport drafts = variant.report.against(off.report);
  const double cost = drafts.relativeCost().value_or(std::nan(""));
  double needed = drafts.breakEvenAcceptance().value_or(std::nan(""));
  if (needed > 1) needed = std::numeric_limits<double>::infinity();
  const Summary speedUp = summarise(ratios(variant.tokensRate, off.tokensRate));
  Json out = {{"draft_length", variant.length},
              {"exit_layer", variant.exit},
              {"tokens_per_second", toJson(summarise(variant.tokensRate))},
              {"speed_up", toJson(speedUp)},
              {"acceptance", drafts.acceptance()},
              {"positions", draftPositions(drafts)},
              {"mean_accepted_length", drafts.meanAcceptedLength()},
              {"draft_ms", toJson(summarise(inMs(drafts.draftNs)))},
              {"verify_ms", toJson(summarise(inMs(drafts.verifyNs)))},
              {"relative_cost", finite(cost)},
              {"break_even_acceptance", finite(needed)},
              {"same_answers", variant.sameAnswers},
              {"why", why(variant, drafts, speedUp.median)}};
  addDevicePeak(out, variant.devicePeakBytes);
  return out;
}

Json resultOf(const SpeculativeArguments& arguments, const std::vector<SpeculativeVariant>& variants,
              const EngineLoaded& engine) {
  const SpeculativeVariant& off = variants.front();
  Json json = describe(BenchKind::kSpeculative, engine);
  json["max_tokens"] = arguments.common.maxTokens;
  json["batch"] = arguments.batch;
  json["temperature"] = arguments.requests.request.sampling.temperature;
  json["draft_acceptance"] = nameOf(arguments.common.engine.options.speculation.acceptance);
  json["off"] = {{"tokens_per_second", toJson(summarise(off.tokensRate))},
                 {"step_ms", toJson(summarise(plainMs(off)))}};
  addDevicePeak(json["off"], off.devicePeakBytes);
  json["variants"] = Json::array();
  for (std::size_t i = 1; i < variants.size(); ++i)
    json["variants"].push_back(variantToJson(variants[i], off));
  return json;
}

int speculative(const SpeculativeArguments& arguments, bool json) {
  checkBench(arguments.common);
  arguments.requests.validate();
  EngineOptions plain = arguments.common.engine.toOptions();
  plain.speculation.drafter = DraftMethod::kNone;
  if (!arguments.traces.empty()) makeFolder(arguments.traces);
  const EngineLoaded engine = openBench(arguments.common.engine, plain).engine->description();
  std::vector<SpeculativeVariant> variants = variantsOf(arguments, engine.model.layers);
  measure(arguments, variants);
  return finish(resultOf(arguments, variants, engine), arguments.common, json);
}

}  // namespace

void addSpeculative(CLI::App& bench, Program& program) {
  CLI::App* command =
      bench.add_subcommand("speculative", "what drafting is worth, by draft length and exit layer");
  const auto arguments = std::make_shared<SpeculativeArguments>();
  arguments->common.promptTokens = 64;
  command->add_option("--lengths", arguments->lengths, "draft lengths K")->capture_default_str();
  command->add_option("--exits", arguments->exits,
                      "exit layers; default: about eight over the model's depth");
  command->add_option("--prompts", arguments->prompts,
                      "a file with a question a line; default: eight of our own");
  command->add_option("--traces", arguments->traces,
                      "keep the events of each variant in this folder, as traces that the window opens");
  addNumber(*command, arguments->batch, {"--batch", 1, 65536, "requests at once"});
  addSamplingOptions(*command, arguments->requests);
  addBenchOptions(*command, arguments->common);
  setWork(*command, program, [arguments](bool json) { return speculative(*arguments, json); });
}

}  // namespace vitrine::cli
