// vitrine-cli trace: record a scenario, verify a trace, show what happened in it, compare two of its steps,
// resume its run, export it for other programs, ask a class about it.
#include "vitrine/trace.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>

#include "event_names.h"
#include "page/page_writer.h"
#include "request_run.h"
#include "scenarios/scenario.h"
#include "trace_quiz.h"
#include "trace_resume.h"
#include "vitrine/perfetto.h"
#include "vitrine/prose/difference_words.h"
#include "vitrine/prose/headline.h"
#include "vitrine/prose/preemption_cost.h"
#include "vitrine/recording.h"

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

template <typename... Bodies>
bool isAnyOf(const Event& event) {
  return (isA<Bodies>(event) || ...);
}

// Another event says it, or it is detail that would fill the page.
bool isLeftOut(const Event& event) {
  const auto* speculated = bodyOf<StepSpeculated>(event);
  if (speculated != nullptr && speculated->draftedTokens == 0) return true;
  return isAnyOf<BlockShared, BlockSwappedOut, PhaseStarted, TokenCandidates, LayerTap, ForwardMeasured,
                 LaunchesMeasured, Snapshot>(event);
}

// What happens to the machine from outside, or to a whole request, stands at the margin.
bool standsAtTheMargin(const Event& event) {
  return isAnyOf<EngineLoaded, EngineFailed, RoofMeasured, RequestSubmitted, RequestRejected,
                 RequestCancelled, SamplingChanged, RequestFinished, RequestForgotten, StepStarted>(event);
}

// The layout of `trace show`: steps with a heading, one decision a line. The sentences are those of
// vitrine/prose/event_prose.h, with the names of the requests.
class TraceStory {
 public:
  TraceStory() = default;
  TraceStory(const TraceStory&) = delete;
  TraceStory& operator=(const TraceStory&) = delete;

  // The lines that this event completes, without the last newline. They may be none: block events in a row
  // share a line, which ends with the run.
  std::string add(const Event& event);

 private:
  std::string linesOf(const Event& event) const;
  void follow(const Event& event);
  std::string costs() const;

  EventNames m_eventNames;
  const prose::Names m_names = m_eventNames.proseNames();
  std::vector<Event> m_run, m_step;  // m_step: without detail
  std::optional<MachineState> m_state = MachineState();
};

// What a trace of another version leaves out may contradict the state; its events are told all the same.
void TraceStory::follow(const Event& event) {
  if (!m_state) return;
  try {
    m_state->apply(event);
  } catch (const EngineError&) {
    m_state.reset();
  }
  if (isA<StepStarted>(event)) m_step.clear();
  if (!isAnyOf<TokenCandidates, LayerTap, ForwardMeasured, LaunchesMeasured, Snapshot>(event))
    m_step.push_back(event);
}

// Of the preemptions from which sequences are back in the step that has finished.
std::string TraceStory::costs() const {
  std::string lines;
  if (m_state)
    for (const prose::PreemptionCost& cost : prose::preemptionCosts(m_step, *m_state, m_names))
      lines += "\n  " + cost.sentence;
  return lines;
}

std::string TraceStory::linesOf(const Event& event) const {
  if (isLeftOut(event)) return "";
  const prose::EventProse prose = prose::describe(event, m_names);
  std::string text = standsAtTheMargin(event) ? "" : "  ";
  if (isA<StepStarted>(event)) text = "\nStep " + std::to_string(event.step) + ": ";
  text += prose.sentence;
  for (const std::string& line : prose.more) text += "\n    " + line;
  if (isA<StepFinished>(event)) text += costs();
  return text;
}

std::string TraceStory::add(const Event& event) {
  m_eventNames.note(event);
  follow(event);
  std::string text;
  if (!m_run.empty() && !prose::inOneRun(m_run.front(), event)) {
    text = "  " + prose::describeRun(m_run, m_names).sentence;
    m_run.clear();
  }
  if (prose::inOneRun(event, event)) {
    m_run.push_back(event);
    return text;
  }
  const std::string lines = linesOf(event);
  return text.empty() || lines.empty() ? text + lines : text + "\n" + lines;
}

// The layout of `trace show --headline`: a line a step, with what came between it and the step before. The
// events of a step, and the state that they lead to, are all that is kept.
class TraceHeadlines {
 public:
  TraceHeadlines() = default;
  TraceHeadlines(const TraceHeadlines&) = delete;
  TraceHeadlines& operator=(const TraceHeadlines&) = delete;

  std::string add(const Event& event) {
    m_eventNames.note(event);
    m_state.apply(event);
    m_events.push_back(event);
    return isA<StepFinished>(event) ? end() : std::string();
  }
  // Of a step that never finished.
  std::string end() {
    const auto headline = prose::headlineOf(m_events, m_state, m_names);
    m_events.clear();
    return headline ? std::to_string(m_state.step) + "\t" + headline->text : "";
  }

 private:
  EventNames m_eventNames;
  const prose::Names m_names = m_eventNames.proseNames();
  MachineState m_state;
  std::vector<Event> m_events;
};

void showLine(const std::string& line) {
  if (!line.empty()) print("%s\n", line.c_str());
  requireOutput();
}

template <typename Story>
int show(const std::string& file, Story& story) {
  int lastStep = 0;
  const TraceReading reading = readTrace(file, [&](const Event& event) {
    if (std::holds_alternative<StepFinished>(event.body)) lastStep = event.step;
    showLine(story.add(event));
  });
  warnOfUnknown(file, reading);
  if (!reading.whole) warnOfCut(file, lastStep);
  return 0;
}

int showStory(const std::string& file) {
  TraceStory story;
  return show(file, story);
}

int showHeadlines(const std::string& file) {
  TraceHeadlines headlines;
  const int status = show(file, headlines);
  showLine(headlines.end());
  return status;
}

// What exports a run into a file of another kind: PerfettoWriter, PageWriter.
template <typename Writer>
int exportTrace(const std::string& file, const std::string& out, Writer& writer, const char* advice,
                bool json) {
  int lastStep = 0, steps = 0;
  const TraceReading reading = readTrace(file, [&](const Event& event) {
    writer.add(event);
    if (!isA<StepFinished>(event)) return;
    lastStep = event.step;
    ++steps;
  });
  writer.finish();
  if (json) {
    printJson({{"out", out}, {"steps", steps}, {"skipped", reading.skipped}, {"whole", reading.whole}});
    return 0;
  }
  print("%s: %d steps; %s\n", out.c_str(), steps, advice);
  warnOfUnknown(file, reading);
  if (!reading.whole) warnOfCut(file, lastStep);
  return 0;
}

struct ExportArguments {
  std::string timeline, page;  // files to write; one of them is given
};

int exportTrace(const std::string& file, const ExportArguments& to, bool json) {
  if (!to.page.empty()) {
    page::PageWriter writer(to.page, std::filesystem::path(file).stem().string());
    return exportTrace(file, to.page, writer, "open it in a browser", json);
  }
  PerfettoWriter writer(to.timeline);
  return exportTrace(file, to.timeline, writer, "open it at ui.perfetto.dev or chrome://tracing", json);
}

struct ComparisonArguments {
  std::string file;
  int from = 0, to = 0;  // steps; each is the machine when the step has finished
};

void requireStep(const char* option, int step, const Recording& recording) {
  if (step < recording.firstStep() || step > recording.lastFinishedStep())
    throw UsageError(std::string(option) + ": the trace has no step " + std::to_string(step) +
                     "; its steps are " + std::to_string(recording.firstStep()) + " to " +
                     std::to_string(recording.lastFinishedStep()));
}

Json toJson(const prose::DifferenceRow& row) {
  Json json = {{"subject", row.subject}, {"what", row.what}, {"before", row.before}, {"after", row.after}};
  if (row.target.request != 0) json["request"] = row.target.request;
  if (row.target.sequence != 0) json["sequence"] = row.target.sequence;
  if (!row.target.blocks.empty())
    json["first_block"] = row.target.blocks.front(), json["last_block"] = row.target.blocks.back();
  return json;
}

void printRows(const std::vector<prose::DifferenceRow>& rows) {
  std::string subject;
  for (const prose::DifferenceRow& row : rows) {
    if (row.subject != subject) print("%s\n", (subject = row.subject).c_str());
    print("  %s: %s -> %s\n", row.what.c_str(), row.before.c_str(), row.after.c_str());
  }
}

int compareSteps(const ComparisonArguments& arguments, bool json) {
  Recording recording;
  EventNames names;
  readTrace(arguments.file, [&](const Event& event) {
    names.note(event);
    recording.append(event);
  });
  requireStep("--from", arguments.from, recording);
  requireStep("--to", arguments.to, recording);
  const MachineState before = recording.stateAt(arguments.from), after = recording.stateAt(arguments.to);
  const auto rows =
      prose::differenceRows(differenceBetween(before, after), before, after, names.proseNames());
  if (json) {
    Json list = Json::array();
    for (const prose::DifferenceRow& row : rows) list.push_back(toJson(row));
    printJson({{"from", arguments.from}, {"to", arguments.to}, {"changes", list}});
  } else if (rows.empty()) {
    print("steps %d and %d are the same\n", arguments.from, arguments.to);
  } else {
    printRows(rows);
  }
  return 0;
}

}  // namespace

void addTrace(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("trace",
                                         "record a run, verify a trace, show it as text, compare two steps, "
                                         "resume its run, export it, ask about it");
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
  setWork(*recorder, program, [arguments](bool json) { return record(*arguments, json); });

  CLI::App* verifier = command->add_subcommand("verify", "replay a trace and check every event");
  verifier->add_option("FILE", arguments->file, "the trace")->required();
  setWork(*verifier, program, [arguments](bool json) { return verify(arguments->file, json); });

  CLI::App* resumer =
      command->add_subcommand("resume", "go on with the run of a trace from one of its steps");
  const auto resumed = std::make_shared<ResumeArguments>();
  resumer->add_option("FILE", resumed->file, "the trace")->required();
  addNumber(*resumer, resumed->step, {"--step", 0, std::numeric_limits<int>::max(), "the step to go on from"})
      ->required();
  resumer->add_option("--out", resumed->out, "the trace of the run that goes on");
  resumed->copyGiven = addEngineOptions(*resumer, arguments->engine);
  setWork(*resumer, program, [resumed, arguments](bool json) { return resumeTrace(*resumed, json); });

  CLI::App* comparing = command->add_subcommand("compare", "list what differs between two steps");
  const auto compared = std::make_shared<ComparisonArguments>();
  comparing->add_option("FILE", compared->file, "the trace")->required();
  addNumber(*comparing, compared->from, {"--from", 0, std::numeric_limits<int>::max(), "the earlier step"})
      ->required();
  addNumber(*comparing, compared->to, {"--to", 0, std::numeric_limits<int>::max(), "the later step"})
      ->required();
  setWork(*comparing, program, [compared](bool json) { return compareSteps(*compared, json); });

  CLI::App* exporter = command->add_subcommand("export", "write a trace's run for other programs");
  const auto exported = std::make_shared<ExportArguments>();
  exporter->add_option("FILE", arguments->file, "the trace")->required();
  CLI::Option_group* to = exporter->add_option_group("Form");
  to->add_option("--perfetto", exported->timeline,
                 "a timeline to write, for ui.perfetto.dev and chrome://tracing");
  to->add_option("--html", exported->page,
                 "a page to write, with the run inside: it opens in a browser, without a network");
  to->require_option(1);
  setWork(*exporter, program,
          [arguments, exported](bool json) { return exportTrace(arguments->file, *exported, json); });

  addQuiz(*command, program);

  CLI::App* showing = command->add_subcommand("show", "show what happened, step by step");
  showing->add_option("FILE", arguments->file, "the trace")->required();
  const auto isShort = std::make_shared<bool>(false);
  showing->add_flag("--headline", *isShort, "one sentence a step: what it decided");
  showing->callback([arguments, isShort, &program] {
    program.work = [arguments, isShort] {
      return *isShort ? showHeadlines(arguments->file) : showStory(arguments->file);
    };
  });
}

}  // namespace vitrine::cli
