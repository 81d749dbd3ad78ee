// vitrine-cli compare: the same requests under other options, or two traces: what differs.
//
// Both variants run once in each round, so that a drift of the machine's speed affects them alike. Each run
// begins with a fresh engine, since a prefix cache that is filled already would change what it does.
#include <CLI/CLI.hpp>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>

#include "bench/bench.h"
#include "bench/report.h"
#include "compare/contrast.h"
#include "compare/variation.h"
#include "request_run.h"
#include "vitrine/prose/compare_words.h"
#include "vitrine/trace.h"

namespace vitrine::cli {
namespace {

using compare::RunTally;

struct CompareArguments {
  EngineArguments engine;
  std::function<void(EngineArguments&)> copyGiven, copySeed;
  std::string scenario;
  std::vector<std::string> with, traces;
  int rounds = 3;
};

// One figure over all rounds, and of each side.
class RoundFigures {
 public:
  void add(std::optional<double> one, std::optional<double> other) {
    m_isKnown = m_isKnown && one && other;
    m_last = {one, other};
    m_one.push_back(one.value_or(0));
    m_other.push_back(other.value_or(0));
  }

  // Medians; of a figure that one side lacks, what the other one has in the last round.
  ContrastRow row(ContrastFigure figure) const {
    ContrastRow row{figure, m_last[0], m_last[1]};
    if (row.one) row.one = oneSummary().median;
    if (row.other) row.other = otherSummary().median;
    row.better = compare::betterOf(figure, row.one, row.other);
    return row;
  }
  Summary oneSummary() const { return summarise(m_one); }
  Summary otherSummary() const { return summarise(m_other); }
  // Of runs of the same round.
  std::optional<Summary> ratio() const {
    const bool isZero = std::ranges::count(m_one, 0.0) > 0 || std::ranges::count(m_other, 0.0) > 0;
    return m_isKnown && !isZero ? std::optional(summarise(ratios(m_other, m_one))) : std::nullopt;
  }
  std::optional<double> medianRatio() const {
    const std::optional<Summary> all = ratio();
    return all ? std::optional(all->median) : std::nullopt;
  }
  bool isSteady() const { return isSame(m_one) && isSame(m_other); }
  bool isZero() const { return oneSummary().max == 0 && otherSummary().max == 0; }

 private:
  static bool isSame(const std::vector<double>& values) {
    return std::ranges::adjacent_find(values, std::not_equal_to()) == values.end();
  }

  bool m_isKnown = true;
  std::array<std::optional<double>, 2> m_last;
  std::vector<double> m_one, m_other;
};

// What all rounds come to; answers and steps are those of the first one.
class TwoRuns {
 public:
  TwoRuns(std::string one, std::string other) : m_names{std::move(one), std::move(other)} {}

  void add(const RunTally& one, const RunTally& other) {
    for (int i = 0; i < kContrastFigureCount; ++i) {
      const auto figure = static_cast<ContrastFigure>(i);
      m_figures[static_cast<std::size_t>(i)].add(compare::figureOf(one, figure),
                                                 compare::figureOf(other, figure));
    }
    const SameAnswers answers = compare::sameAnswers(one, other);
    if (m_rounds++ == 0) {
      m_answers = answers;
      m_firstStep = compare::firstDifference(one, other);
      m_haveSameRequests = compare::haveSameRequests(one, other);
    } else if (answers != m_answers) {
      m_answersVary = true;
    }
  }
  void setChanges(std::vector<OptionChange> changes) { m_changes = std::move(changes); }

  Json toJson() const;
  void print() const;

 private:
  std::vector<ContrastFigure> figures() const;  // that are not zero on both sides
  std::vector<ContrastFigure> varying() const;  // that should be the same in each round, and are not
  const RoundFigures& of(ContrastFigure figure) const { return m_figures[static_cast<std::size_t>(figure)]; }
  Json figureToJson(ContrastFigure figure) const;
  std::vector<std::string> remarks() const;

  const std::array<std::string, 2> m_names;
  std::array<RoundFigures, kContrastFigureCount> m_figures;
  std::vector<OptionChange> m_changes;
  SameAnswers m_answers;
  std::optional<int> m_firstStep;
  bool m_haveSameRequests = true, m_answersVary = false;
  int m_rounds = 0;
};

std::vector<ContrastFigure> TwoRuns::figures() const {
  std::vector<ContrastFigure> some;
  for (int i = 0; i < kContrastFigureCount; ++i)
    if (const auto figure = static_cast<ContrastFigure>(i); !of(figure).isZero()) some.push_back(figure);
  return some;
}

std::vector<ContrastFigure> TwoRuns::varying() const {
  std::vector<ContrastFigure> some = figures();
  std::erase_if(some, [this](ContrastFigure figure) { return isTimed(figure) || of(figure).isSteady(); });
  return some;
}

Json TwoRuns::figureToJson(ContrastFigure figure) const {
  const RoundFigures& values = of(figure);
  const ContrastRow row = values.row(figure);
  const auto number = [](const std::optional<double>& value) {
    return value ? finite(*value) : Json(nullptr);
  };
  const std::optional<Summary> ratio = values.ratio();
  const auto amount = [&](const std::optional<double>& value) {
    return value && *value == std::floor(*value) ? Json(static_cast<std::int64_t>(*value)) : number(value);
  };
  Json json = {{"figure", nameOf(figure)},
               {"one", amount(row.one)},
               {"other", amount(row.other)},
               {"ratio", number(values.medianRatio())},
               {"better", nameOf(row.better)}};
  if (isTimed(figure) && m_rounds > 1 && ratio)
    json["rounds"] = {{"one", cli::toJson(values.oneSummary())},
                      {"other", cli::toJson(values.otherSummary())},
                      {"ratio", cli::toJson(*ratio)}};
  return json;
}

Json TwoRuns::toJson() const {
  Json changes = Json::array(), table = Json::array(), varies = Json::array();
  for (const OptionChange& change : m_changes)
    changes.push_back({{"option", change.option}, {"one", change.one}, {"other", change.other}});
  for (const ContrastFigure figure : figures()) table.push_back(figureToJson(figure));
  for (const ContrastFigure figure : varying()) varies.push_back(nameOf(figure));
  Json first = nullptr;
  if (m_answers.first)
    first = {{"id", m_answers.first->request},
             {"answer", m_answers.first->answer + 1},
             {"token", m_answers.first->token}};
  return {{"one", m_names[0]},
          {"other", m_names[1]},
          {"changes", changes},
          {"rounds", m_rounds},
          {"figures", table},
          {"varies", varies},
          {"same_requests", m_haveSameRequests},
          {"answers",
           {{"tokens", m_answers.tokens},
            {"same", m_answers.areSame()},
            {"complete", m_answers.complete},
            {"first_difference", first},
            {"verdict", prose::answersVerdict(m_answers)}}},
          {"first_step", m_firstStep ? Json(*m_firstStep) : Json(nullptr)}};
}

std::vector<std::string> TwoRuns::remarks() const {
  std::vector<std::string> lines = {prose::answersVerdict(m_answers)};
  lines.push_back(prose::firstDifferenceText(m_firstStep) + (m_firstStep ? "." : ""));
  if (!m_haveSameRequests) lines.emplace_back("The two runs did not answer the same requests.");
  if (m_answersVary) lines.emplace_back("Answers differ between rounds: those of the first round count.");
  std::string names;
  for (const ContrastFigure figure : varying())
    names += (names.empty() ? "" : "; ") + prose::contrastName(figure);
  if (!names.empty())
    lines.push_back("These figures depend on measured times, and differ between rounds: " + names + ".");
  return lines;
}

void TwoRuns::print() const {
  cli::print("1  %s\n2  %s\n", m_names[0].c_str(), m_names[1].c_str());
  if (!m_changes.empty()) cli::print("   %s\n", prose::changesText(m_changes).c_str());
  cli::print("\n");
  BenchTable table;
  for (const char* heading : {"", "1", "2", "2 : 1"}) table.columns.push_back({heading, heading});
  for (const ContrastFigure figure : figures()) {
    const ContrastRow row = of(figure).row(figure);
    table.rows.push_back({wordsCell(prose::contrastName(figure)),
                          wordsCell(prose::contrastValue(figure, row.one)),
                          wordsCell(prose::contrastValue(figure, row.other)),
                          wordsCell(prose::contrastRatio(of(figure).medianRatio()))});
  }
  BenchResults results;
  results.tables.push_back(std::move(table));
  results.remarks = remarks();
  printResults(results);
}

int finishComparison(const TwoRuns& runs, bool json) {
  if (json)
    printJson(runs.toJson());
  else
    runs.print();
  return 0;
}

// One run to its end. Returns the exit status.
int play(const Scenario& scenario, RunTally& tally) {
  RunObserver observer;
  EventFanOut sinks;
  sinks.add(&tally);
  sinks.add(&observer);
  const LoadedEngine loaded = loadEngine(scenario.engine, sinks);
  const RunReport report = runRequests(*loaded.engine, scenario.requests, scenario.commands);
  int status = observer.reportFailures(report);
  for (const Outcome& outcome : report.outcomes) {
    if (!outcome.error) continue;
    std::fprintf(stderr, "vitrine-cli: %s: %s\n", outcome.name.c_str(), outcome.error->what());
    status = 1;
  }
  return status;
}

int compareScenario(const CompareArguments& arguments, bool json) {
  if (arguments.with.empty())
    throw UsageError("--scenario needs --with", "Name what is to be changed: --with preemption=swap.");
  Scenario one = readScenario(arguments.scenario);
  arguments.copyGiven(one.engine);  // the command line overrides the scenario
  arguments.copySeed(one.engine);
  one.engine.chatTemplate = arguments.engine.chatTemplate;
  compare::Variation variation;
  for (const std::string& text : arguments.with)
    for (auto& option : compare::variationFromText(text).options)
      variation.options.push_back(std::move(option));
  const Scenario other = compare::varied(one, variation);
  std::vector<OptionChange> changes = compare::changedOptions(one, other);
  if (changes.empty())
    throw UsageError("--with " + compare::variationToText(variation) + " changes nothing",
                     "The scenario has these values already.");
  const std::vector<std::string> names = {one.title, "with " + compare::variationToText(variation)};
  TwoRuns runs(names[0], names[1]);
  runs.setChanges(std::move(changes));
  BenchArguments rounds;
  rounds.repeat = arguments.rounds;
  rounds.warmUp = 0;
  RunTally first;
  int status = 0;
  inRounds("compare", rounds, names, [&](int, std::size_t variant, bool) {
    if (variant == 0) {
      status = std::max(status, play(one, first));
      return;
    }
    RunTally second;
    status = std::max(status, play(other, second));
    runs.add(first, second);
  });
  return std::max(status, finishComparison(runs, json));
}

RunTally tallyOfTrace(const std::string& file) {
  RunTally tally;
  const TraceReading reading = readTrace(file, [&](const Event& event) { tally.publish(event); });
  if (!reading.whole)
    std::fprintf(stderr, "vitrine-cli: note: %s was cut short, and is compared as far as it goes\n",
                 file.c_str());
  if (reading.skipped > 0)
    std::fprintf(stderr, "vitrine-cli: note: %lld events of %s are unknown to this program\n",
                 static_cast<long long>(reading.skipped), file.c_str());
  return tally;
}

int compareTraces(const CompareArguments& arguments, bool json) {
  if (!arguments.with.empty()) throw UsageError("--with changes a scenario: name one with --scenario");
  const RunTally one = tallyOfTrace(arguments.traces[0]), other = tallyOfTrace(arguments.traces[1]);
  TwoRuns runs(arguments.traces[0], arguments.traces[1]);
  runs.setChanges(compare::changedOptions(one.options(), other.options()));
  runs.add(one, other);
  return finishComparison(runs, json);
}

}  // namespace

void addCompare(CLI::App& app, Program& program) {
  CLI::App* command =
      app.add_subcommand("compare", "run a scenario as it is and with other options, and say what differs");
  const auto arguments = std::make_shared<CompareArguments>();
  const std::vector<const CLI::Option*> what = {
      command->add_option("--scenario", arguments->scenario, "a scenario's name or file"),
      command->add_option("TRACES", arguments->traces, "or two traces")->expected(2)};
  command->add_option("--with", arguments->with,
                      "the engine's options of the second run: preemption=swap, no_prefix_cache=true, ...");
  addNumber(*command, arguments->rounds, {"--rounds", 1, 1000, "how often each of the two runs"});
  arguments->copyGiven = addEngineOptions(*command, arguments->engine);
  arguments->copySeed = addEngineSeed(*command, arguments->engine);
  addTemplateOption(*command, arguments->engine);
  setWork(
      *command, program,
      [arguments](bool json) {
        return arguments->traces.empty() ? compareScenario(*arguments, json)
                                         : compareTraces(*arguments, json);
      },
      what);
}

}  // namespace vitrine::cli
