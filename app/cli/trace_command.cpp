// vitrine-cli trace: record a scenario, verify a trace, show what happened in it, compare two of its steps,
// resume its run.
#include "vitrine/trace.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <memory>

#include "request_run.h"
#include "scenarios/scenario.h"
#include "trace_comparison.h"
#include "trace_resume.h"
#include "trace_story.h"

namespace vitrine::cli {
namespace {

struct TraceArguments {
  EngineArguments engine;
  std::function<void(EngineArguments&)> copyGiven;
  std::string scenario, file;
  int candidates = 0;
  bool operations = false;
};

// Before the run: its clock stands meanwhile.
void measureLimits(Engine& engine) {
  engine.stopClock();
  engine.measureRoof();
  engine.startClock();
}

int record(const TraceArguments& arguments, bool json) {
  Scenario scenario = readScenario(arguments.scenario);
  arguments.copyGiven(scenario.engine);  // the command line overrides the scenario
  TraceWriter writer(arguments.file);
  RunObserver observer;
  EventFanOut sinks;
  sinks.add(&writer);
  sinks.add(&observer);
  RunReport report;
  {
    const LoadedEngine loaded = loadEngine(scenario.engine, sinks);
    loaded.engine->setDetail(
        {.candidates = arguments.candidates, .layers = {}, .operations = arguments.operations});
    if (arguments.operations) measureLimits(*loaded.engine);
    report = runRequests(*loaded.engine, scenario.requests, scenario.commands);
  }
  writer.finish();
  for (const Outcome& outcome : report.outcomes)
    if (outcome.error) throw *outcome.error;
  if (json) {
    Json answer = {{"out", arguments.file}, {"steps", report.steps}, {"stats", observer.stats()}};
    observer.addSpeculation(answer);
    printJson(answer);
  } else {
    print("%s: %zu requests in %lld steps\n", arguments.file.c_str(), report.outcomes.size(),
          static_cast<long long>(report.steps));
  }
  return observer.reportFailures(report);
}

// Not an error: the steps up to the cut are valid.
void warnOfCut(const std::string& file, int lastStep) {
  print("%s was cut short after step %d: its recording did not end properly\n", file.c_str(), lastStep);
}

void warnOfUnknown(const std::string& file, const TraceReading& reading) {
  if (reading.unknown.empty()) return;
  print("%s holds what this program does not know, and %lld of its events were skipped:\n", file.c_str(),
        static_cast<long long>(reading.skipped));
  for (const auto& [name, events] : reading.unknown)
    print("  %s: %lld\n", name.c_str(), static_cast<long long>(events));
}

int verify(const std::string& file, bool json) {
  const TraceReport report = verifyTrace(file);
  if (json) {
    printJson({{"steps", report.steps},
               {"events", report.events},
               {"snapshots", report.snapshots},
               {"skipped", report.skipped},
               {"unknown", report.unknown},
               {"whole", report.whole},
               {"last_step", report.lastStep}});
    return 0;
  }
  print("%s is sound: %d steps, %lld events, %d snapshots\n", file.c_str(), report.steps,
        static_cast<long long>(report.events), report.snapshots);
  warnOfUnknown(file, report);
  if (!report.whole) warnOfCut(file, report.lastStep);
  return 0;
}

int show(const std::string& file) {
  TraceStory story;
  int lastStep = 0;
  const TraceReading reading = readTrace(file, [&](const Event& event) {
    if (std::holds_alternative<StepFinished>(event.body)) lastStep = event.step;
    const std::string line = story.add(event);
    if (!line.empty()) print("%s\n", line.c_str());
    requireOutput();
  });
  warnOfUnknown(file, reading);
  if (!reading.whole) warnOfCut(file, lastStep);
  return 0;
}

}  // namespace

void addTrace(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand(
      "trace", "record a run, verify a trace, show it as text, compare two steps, resume its run");
  command->require_subcommand(1);
  const auto arguments = std::make_shared<TraceArguments>();

  CLI::App* recorder = command->add_subcommand("record", "run a scenario and write all its events");
  recorder->add_option("--scenario", arguments->scenario, "a scenario's name or file")->required();
  recorder->add_option("--out", arguments->file, "the trace to write")->required();
  addNumber(*recorder, arguments->candidates,
            {"--candidates", 0, 1 << 20, "record this many candidates of each sampling stage"});
  recorder->add_flag(
      "--operations", arguments->operations,
      "measure the device's limits, the operations of each forward, and a GPU's ways to launch");
  arguments->copyGiven = addEngineOptions(*recorder, arguments->engine);
  addJson(*recorder, program);
  setWork(*recorder, program, [arguments](bool json) { return record(*arguments, json); });

  CLI::App* verifier = command->add_subcommand("verify", "replay a trace and check every event");
  verifier->add_option("FILE", arguments->file, "the trace")->required();
  addJson(*verifier, program);
  setWork(*verifier, program, [arguments](bool json) { return verify(arguments->file, json); });

  CLI::App* resumer =
      command->add_subcommand("resume", "go on with the run of a trace from one of its steps");
  const auto resumed = std::make_shared<ResumeArguments>();
  resumer->add_option("FILE", resumed->file, "the trace")->required();
  addNumber(*resumer, resumed->step, {"--step", 0, std::numeric_limits<int>::max(), "the step to go on from"})
      ->required();
  resumer->add_option("--out", resumed->out, "the trace of the run that goes on");
  resumed->copyGiven = addEngineOptions(*resumer, arguments->engine);
  addJson(*resumer, program);
  setWork(*resumer, program, [resumed, arguments](bool json) { return resumeTrace(*resumed, json); });

  CLI::App* comparing = command->add_subcommand("compare", "list what differs between two steps");
  const auto compared = std::make_shared<ComparisonArguments>();
  comparing->add_option("FILE", compared->file, "the trace")->required();
  addNumber(*comparing, compared->from, {"--from", 0, std::numeric_limits<int>::max(), "the earlier step"})
      ->required();
  addNumber(*comparing, compared->to, {"--to", 0, std::numeric_limits<int>::max(), "the later step"})
      ->required();
  addJson(*comparing, program);
  setWork(*comparing, program, [compared](bool json) { return compareSteps(*compared, json); });

  CLI::App* showing = command->add_subcommand("show", "show what happened, step by step");
  showing->add_option("FILE", arguments->file, "the trace")->required();
  showing->callback([arguments, &program] { program.work = [arguments] { return show(arguments->file); }; });
}

}  // namespace vitrine::cli
