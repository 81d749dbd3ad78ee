// bench roofline: what the machine can do at most, and how near each operation of a forward comes to it, for
// a prompt and for decoding several requests at once.
//
// The machine is measured once, before the model is loaded. A run's figures are those of a typical forward of
// the counting rounds.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <span>

#include "bench/bench.h"
#include "vitrine/error.h"
#include "vitrine/machine_roof.h"

namespace vitrine::cli {
namespace {

struct RooflineArguments {
  BenchArguments common;
  std::string batches = "1,8";
};

// Forwards of one kind: a whole prompt, or a token of each of so many requests.
struct Run {
  int batch = 1;
  bool isPrefill = false;
  std::vector<ForwardMeasured> forwards = {};
  std::int64_t devicePeakBytes = 0;

  std::string name() const {
    return isPrefill ? "prefill"
                     : "decode, " + std::to_string(batch) + (batch == 1 ? " request" : " requests");
  }
  bool isOf(const StepPlanned& plan, int promptTokens) const {
    return isPrefill ? plan.prefillTokens == promptTokens && plan.decodeTokens == 0
                     : plan.prefillTokens == 0 && plan.decodeTokens == batch;
  }
  std::vector<double> milliseconds() const {
    std::vector<double> all;
    for (const ForwardMeasured& forward : forwards) all.push_back(static_cast<double>(forward.ns) / 1e6);
    return all;
  }
};

// The mean of the middle half by time, so that the kinds still sum to the whole, and no forward counts during
// which the machine did something else. Bytes and operations are means, too: a context grows from step to
// step.
ForwardMeasured typical(std::vector<ForwardMeasured> forwards) {
  std::ranges::sort(forwards, {}, &ForwardMeasured::ns);
  const std::size_t from = forwards.size() / 4, count = forwards.size() - 2 * from;
  ForwardMeasured mean;
  std::map<Operation, OperationCost> kinds;
  for (const ForwardMeasured& forward : std::span(forwards).subspan(from, count)) {
    mean.ns += forward.ns;
    for (const OperationCost& cost : forward.operations) {
      OperationCost& sum = kinds[cost.operation];
      sum.calls += cost.calls;
      sum.ns += cost.ns;
      sum.bytes += cost.bytes;
      sum.operations += cost.operations;
      sum.int8Operations += cost.int8Operations;
      sum.bf16Operations += cost.bf16Operations;
    }
  }
  const auto divisor = static_cast<std::int64_t>(count);
  mean.ns /= divisor;
  for (const auto& [operation, sum] : kinds)
    mean.operations.push_back({operation, sum.calls / static_cast<int>(count), sum.ns / divisor,
                               sum.bytes / divisor, sum.operations / divisor, sum.int8Operations / divisor,
                               sum.bf16Operations / divisor});
  return mean;
}

double sumNs(const ForwardMeasured& forward) {
  double sum = 0;
  for (const OperationCost& cost : forward.operations) sum += static_cast<double>(cost.ns);
  return sum;
}

MachineRoof measureMachine(Engine& engine) {
  std::fputs("roofline: measuring the machine\n", stderr);
  return engine.measureRoof();
}

void measure(const BenchArguments& common, Bench& bench, std::vector<Run>& runs) {
  const ModelInfo& model = bench.engine->description().model;
  Detail detail;
  detail.operations = true;
  bench.engine->setDetail(detail);
  std::vector<std::string> names;
  for (const Run& run : runs) names.push_back(run.name());
  inRounds("roofline", common, names, [&](int round, std::size_t i, bool counts) {
    Run& run = runs[i];
    StepPlanned plan;
    bench.meter->onEvent = [&](const Event& event) {
      if (const auto* planned = bodyOf<StepPlanned>(event)) plan = *planned;
      const auto* measured = bodyOf<ForwardMeasured>(event);
      if (counts && measured != nullptr && run.isOf(plan, common.promptTokens))
        run.forwards.push_back(*measured);
    };
    SyntheticLoad load = common.load(run.batch);
    if (run.isPrefill) load.maxTokens = 1;
    const Trial trial =
        bench.run(syntheticRequests(model, load, round * 1000 + static_cast<int>(i)), run.batch);
    if (counts) run.devicePeakBytes = std::max(run.devicePeakBytes, trial.devicePeakBytes);
  });
  bench.meter->onEvent = {};
}

Json operationToJson(const OperationCost& cost, const RoofPlace& place, double share) {
  Json json = {{"name", nameOf(cost.operation)},
               {"calls", cost.calls},
               {"ms", static_cast<double>(cost.ns) / 1e6},
               {"bytes", cost.bytes},
               {"operations", cost.operations},
               {"operations_per_byte", place.intensity},
               {"gflops", place.gflops},
               {"gbps", place.gbps},
               {"limit", place.limit},
               {"limited_by", place.isComputeBound ? "arithmetic" : "bandwidth"},
               {"share", share}};
  if (cost.int8Operations > 0) json["int8_operations"] = cost.int8Operations;
  if (cost.bf16Operations > 0) json["bf16_operations"] = cost.bf16Operations;
  return json;
}

Json runToJson(const Run& run, const ForwardMeasured& forward, const MachineRoof& roof, int promptTokens) {
  Json json = {{"batch", run.batch},
               {"prompt_tokens", promptTokens},
               {"phase", run.isPrefill ? "prefill" : "decode"},
               {"forward_ms", toJson(summarise(run.milliseconds()))},
               {"typical_ms", static_cast<double>(forward.ns) / 1e6},
               {"operations", Json::array()}};
  addDevicePeak(json, run.devicePeakBytes);
  for (const OperationCost& cost : forward.operations)
    json["operations"].push_back(operationToJson(cost, placeUnder(roof, cost, forward),
                                                 static_cast<double>(cost.ns) / sumNs(forward)));
  return json;
}

Json resultOf(const RooflineArguments& arguments, const std::vector<Run>& runs, const MachineRoof& roof,
              const EngineLoaded& engine) {
  Json json = describe(BenchKind::kRoofline, engine);
  json["machine"] = {{"instructions", roof.instructions},
                     {"threads", roof.threads},
                     {"second_cache_bytes", roof.secondCache},
                     {"third_cache_bytes", roof.thirdCache}};
  json["peak_gflops"] = roof.gflops;
  json["peak_of"] = nameOf(roof.peak);
  for (const RoofCeiling& ceiling : roof.products)
    json["product_peaks"].push_back({{"peak_of", nameOf(ceiling.peak)},
                                     {"gflops", ceiling.gflops},
                                     {"instructions", ceiling.instructions}});
  json["bandwidth_gbps"] = roof.memoryGbps();
  json["bandwidth_bytes"] = roof.readings.back().bytes;
  json["cache_bandwidth"] = Json::array();
  for (std::size_t i = 0; i + 1 < roof.readings.size(); ++i)
    json["cache_bandwidth"].push_back({{"bytes", roof.readings[i].bytes}, {"gbps", roof.readings[i].gbps}});
  json["runs"] = Json::array();
  for (const Run& run : runs)
    json["runs"].push_back(runToJson(run, typical(run.forwards), roof, arguments.common.promptTokens));
  return json;
}

// Options with which a prompt is one forward. The first of several requests decode while the others' prompts
// are computed, so each generates more tokens by as many as that takes steps.
EngineOptions fit(BenchArguments& common, int batch) {
  EngineOptions options = common.engine.toOptions();
  options.tokenBudget = std::max({options.tokenBudget, common.promptTokens + batch, 2 * batch});
  const std::int64_t prompts = std::int64_t{batch} * common.promptTokens, room = options.tokenBudget - batch;
  common.maxTokens += static_cast<int>((prompts + room - 1) / room);
  fitPool(options, batch, common.promptTokens + common.maxTokens);
  return options;
}

int roofline(const RooflineArguments& arguments, bool json) {
  checkBench(arguments.common);
  const std::vector<int> batches = parseCounts("--batch", arguments.batches);
  if (arguments.common.maxTokens < 2)
    throw UsageError("--max-tokens must be at least 2: the first token is drawn from the prompt's forward");
  RooflineArguments fitted = arguments;
  const EngineOptions options = fit(fitted.common, std::ranges::max(batches));
  Bench bench = openBench(arguments.common.engine, options);
  const MachineRoof roof = measureMachine(*bench.engine);
  std::vector<Run> runs = {{1, true}};
  for (const int batch : batches) runs.push_back({batch, false});
  measure(fitted.common, bench, runs);
  return finish(resultOf(arguments, runs, roof, bench.engine->description()), arguments.common, json);
}

}  // namespace

void addRoofline(CLI::App& bench, Program& program) {
  CLI::App* command =
      bench.add_subcommand("roofline", "the machine's limits, and how near each operation comes to them");
  const auto arguments = std::make_shared<RooflineArguments>();
  arguments->common.maxTokens = 16;
  command->add_option("--batch", arguments->batches, "how many requests decode at once: 1,8")
      ->capture_default_str();
  addBenchOptions(*command, arguments->common);
  setWork(*command, program, [arguments](bool json) { return roofline(*arguments, json); });
}

}  // namespace vitrine::cli
