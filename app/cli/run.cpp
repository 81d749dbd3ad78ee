// vitrine-cli run: many requests at once, a line of JSON each, or a scenario.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <sstream>

#include "event_names.h"
#include "request_run.h"
#include "scenarios/scenario.h"
#include "vitrine/breakpoint_sink.h"
#include "vitrine/message_text.h"
#include "vitrine/prose/breakpoint_words.h"

namespace vitrine::cli {
namespace {

struct RunArguments {
  EngineArguments engine;
  std::function<void(EngineArguments&)> copyGiven, copySeed;
  std::string file, scenario;
  std::vector<std::string> until;  // breakpoints
  bool explainCache = false;
};

// --explain-cache: why prompts were computed again. Thread: the engine's.
class CacheExplainer final : public EventSink {
 public:
  void publish(const Event& event) override {
    m_names.note(event);
    if (const auto* missed = bodyOf<PrefixMissed>(event))
      m_misses[m_names.sequence(missed->sequence)] = event;
  }

  // Null when nothing of the request's prompt was computed again. The tokenizer may be null.
  Json toJson(const std::string& request, const Tokenizer* tokenizer) const {
    const auto found = m_misses.find(request);
    if (found == m_misses.end()) return nullptr;
    const PrefixMissed& missed = *bodyOf<PrefixMissed>(found->second);
    Json json = {{"cause", nameOf(missed.cause)},
                 {"blocks_of", m_names.request(missed.owner)},
                 {"matched_tokens", missed.matchedTokens},
                 {"recomputed_tokens", missed.recomputedTokens}};
    if (missed.cause == MissCause::kDiffers)
      json.update({{"position", missed.position}, {"ours", missed.ours}, {"theirs", missed.theirs}});
    else
      json["evicted_step"] = missed.evictedStep;
    prose::Names names = m_names.proseNames();
    if (tokenizer != nullptr)
      names.token = [tokenizer](TokenId id, const PrefixMissed&) {
        return tokenizer->decode({&id, 1}, false);
      };
    json["sentence"] = prose::describe(found->second, names).sentence;
    return json;
  }

 private:
  EventNames m_names;
  // By name, which is unique in a run; a miss is that of the request's first sequence, whose name is the
  // same.
  std::map<std::string, Event> m_misses;
};

Breakpoint breakpointOf(const std::string& condition) {
  try {
    return breakpointFromText(condition);
  } catch (const EngineError& error) {
    throw UsageError(std::string("--until: ") + error.what(), error.hint());
  }
}

// The conditions of --until; the run stops at the end of the step in which one of them is met. Thread: the
// engine's.
class Until final : public EventSink {
 public:
  explicit Until(const std::vector<std::string>& conditions);  // throws UsageError

  void publish(const Event& event) override;
  bool stopped() const { return m_stop.has_value(); }
  bool needsEntropy() const { return m_breakpoints.needsEntropy(); }

  Json toJson() const;  // null when none of them was met
  void print() const;   // why the run stopped, to standard error; nothing without conditions

 private:
  std::string sentence() const;

  const std::vector<std::string> m_conditions;
  BreakpointSink m_breakpoints;
  EventNames m_names;
  std::optional<BreakStop> m_stop;
};

Until::Until(const std::vector<std::string>& conditions) : m_conditions(conditions) {
  std::vector<Breakpoint> list;
  for (const std::string& one : conditions) list.push_back(breakpointOf(one));
  m_breakpoints.set(std::move(list));
}

void Until::publish(const Event& event) {
  m_names.note(event);
  m_breakpoints.publish(event);
  if (!m_stop) m_stop = m_breakpoints.takeStop();
}

std::string Until::sentence() const { return prose::stopReason(*m_stop, m_names.proseNames()); }

Json Until::toJson() const {
  if (!m_stop) return nullptr;
  const BreakHit& hit = m_stop->hit;
  Json json = {{"until", m_conditions[hit.place]}, {"step", hit.step}, {"phase", nameOf(hit.phase)}};
  if (hit.request != 0) json["id"] = m_names.request(hit.request);
  json["sentence"] = sentence();
  return json;
}

void Until::print() const {
  if (m_conditions.empty()) return;
  std::string said = m_stop ? sentence() : "The run ended, and nothing met --until";
  if (!m_stop)
    for (const std::string& one : m_conditions) said += " " + forMessage(one, 60);
  std::fprintf(stderr, "%s\n", said.c_str());
}

std::vector<RequestLine> readRequests(const std::string& file) {
  std::vector<RequestLine> requests;
  std::set<std::string> names;
  std::istringstream lines(readFile(file));
  int number = 0;
  for (std::string text; std::getline(lines, text);) {
    ++number;
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const std::string place = file + " line " + std::to_string(number) + ": ";
    try {
      requests.push_back(requestFromJson(parseJson(text)));
    } catch (const UsageError& error) {
      throw error.at(place);
    } catch (const EngineError& error) {
      throw EngineError(error.code(), place + error.what(), error.hint());
    }
    std::string& name = requests.back().arguments.request.name;
    if (name.empty()) name = "r" + std::to_string(requests.size());
    if (!names.insert(name).second)
      throw UsageError(place + "the id \"" + forMessage(name, 60) + "\" is taken");
  }
  if (requests.empty()) throw UsageError(file + " holds no request");
  return requests;
}

void printForPeople(const Json& answer, const std::string& name) {
  if (answer.contains("error")) {
    print("%s: rejected: %s\n", name.c_str(), answer["error"]["message"].get<std::string>().c_str());
    return;
  }
  if (answer.contains("stopped")) {
    print("%s: the run stopped before it arrived\n", name.c_str());
    return;
  }
  for (const Json& sequence : answer["sequences"]) {
    const std::string text = sequence["text"];
    print("%s (%s, %zu tokens): ", name.c_str(), sequence["finish_reason"].get<std::string>().c_str(),
          sequence["token_ids"].size());
    printText((text.empty() ? sequence["token_ids"].dump() : text) + "\n");  // whole, also behind a NUL
  }
  if (answer.contains("prefix_miss") && !answer["prefix_miss"].is_null())
    print("  %s\n", answer["prefix_miss"]["sentence"].get<std::string>().c_str());
}

void warnOfUselessOrder(const std::vector<RequestLine>& requests, const EngineOptions& options) {
  if (kWithPriority.holds(options) || kWithDeadline.holds(options)) return;
  const auto isOrdered = [](const RequestLine& line) {
    return line.arguments.request.priority != 0 || line.arguments.request.deadlineMs != 0;
  };
  if (std::any_of(requests.begin(), requests.end(), isOrdered))
    std::fprintf(stderr, "vitrine-cli: \"priority\" and \"deadline_ms\" change nothing under --policy %s\n",
                 nameOf(options.policy));
}

// A file of requests is a scenario without a description.
Scenario scenarioOf(const RunArguments& arguments) {
  Scenario scenario;
  if (!arguments.scenario.empty())
    scenario = readScenario(arguments.scenario);
  else
    scenario.requests = readRequests(arguments.file);
  arguments.copyGiven(scenario.engine);  // the command line overrides the file
  arguments.copySeed(scenario.engine);
  scenario.engine.chatTemplate = arguments.engine.chatTemplate;
  return scenario;
}

Json occurrencesToJson(const Expectations& expectations) {
  Json list = Json::array();
  for (std::size_t i = 0; i < expectations.wanted().size(); ++i) {
    const ExpectedEvent& wanted = expectations.wanted()[i];
    const Expectations::Occurrence& occurrence = expectations.occurrences()[i];
    list.push_back({{"words", wanted.words},
                    {"panel", wanted.panel},
                    {"event", wanted.event},
                    {"step", occurrence.seen ? Json(occurrence.step) : Json(nullptr)}});
  }
  return list;
}

void printSights(const Expectations& expectations) {
  for (std::size_t i = 0; i < expectations.wanted().size(); ++i) {
    const Expectations::Occurrence& occurrence = expectations.occurrences()[i];
    const std::string step = occurrence.seen ? "step " + std::to_string(occurrence.step) : "not in this run";
    std::fprintf(stderr, "  %s: %s\n", step.c_str(), expectations.wanted()[i].words.c_str());
  }
}

void printStats(std::int64_t steps, const Json& stats) {
  std::fprintf(stderr, "%lld steps, %.1f tokens/s, %d preemptions, %d prefix block hits\n",
               static_cast<long long>(steps), stats["tokens_per_second"].get<double>(),
               stats["preemptions"].get<int>(), stats["prefix_block_hits"].get<int>());
  std::fprintf(stderr, "at most %d sequences at once; the pool holds %d whole contexts\n",
               stats["max_sequences"].get<int>(), stats["fitting_sequences"].get<int>());
  if (const int deadlines = stats["deadlines"].get<int>(); deadlines > 0)
    std::fprintf(stderr, "%d of %d deadlines missed\n", stats["deadline_misses"].get<int>(), deadlines);
}

int reportAnswers(const RunReport& report, const RunObserver& observer, bool json,
                  const std::function<Json(const Outcome&)>& answerOf, Json& answers) {
  int status = 0;
  for (const Outcome& outcome : report.outcomes) {
    Json answer = {{"id", outcome.name}};
    if (!outcome.error && !outcome.result) {
      answer["stopped"] = "before it arrived";
    } else if (outcome.error) {
      status = 1;
      answer["error"] = errorToJson(*outcome.error);
      std::fprintf(stderr, "vitrine-cli: %s: %s\n", outcome.name.c_str(), outcome.error->what());
    } else {
      answer.update(answerOf(outcome));
    }
    if (!json) printForPeople(answer, outcome.name);
    answers.push_back(std::move(answer));
  }
  return std::max(status, observer.reportFailures(report));
}

// What a conversation of the run must hear of, once.
void noteConversations(const Engine& engine, const std::vector<RequestLine>& requests) {
  const auto isChat = [](const RequestLine& line) { return line.arguments.chat; };
  if (std::ranges::any_of(requests, isChat)) noteChatFormat(engine);
  const auto losesTools = [&](const RequestLine& line) {
    return isChat(line) && !line.arguments.tools.empty() &&
           !engine.chatFormat().takesTools(line.arguments.dialogue());
  };
  const auto first = std::ranges::find_if(requests, losesTools);
  if (first != requests.end()) noteTools(engine, first->arguments.dialogue());
}

int run(const RunArguments& arguments, bool json) {
  const Scenario scenario = scenarioOf(arguments);
  Until until(arguments.until);
  warnOfUselessOrder(scenario.requests, scenario.engine.options);
  RunObserver observer;
  Expectations expectations(scenario.expected);
  EventFanOut sinks;
  sinks.add(&observer);
  sinks.add(&expectations);
  if (!arguments.until.empty()) sinks.add(&until);
  CacheExplainer explainer;
  if (arguments.explainCache) sinks.add(&explainer);
  const LoadedEngine loaded = loadEngine(scenario.engine, sinks);
  noteConversations(*loaded.engine, scenario.requests);
  loaded.engine->setDetail({0, {}, until.needsEntropy()});
  const RunReport report =
      runRequests(*loaded.engine, scenario.requests, scenario.commands, [&] { return until.stopped(); });
  Json answers = Json::array();
  const auto answerOf = [&](const Outcome& outcome) {
    Json answer = answerToJson(outcome, observer, loaded.loadMs);
    if (arguments.explainCache)
      answer["prefix_miss"] = explainer.toJson(outcome.name, loaded.engine->tokenizer());
    return answer;
  };
  const int status = reportAnswers(report, observer, json, answerOf, answers);
  const Json stats = observer.stats();
  if (json) {
    Json out = {{"requests", std::move(answers)}, {"steps", report.steps}, {"stats", stats}};
    observer.addSpeculation(out);
    if (!arguments.scenario.empty()) out["look_at"] = occurrencesToJson(expectations);
    if (!arguments.until.empty()) out["stopped"] = until.toJson();
    printJson(out);
  } else {
    printStats(report.steps, stats);
    printSights(expectations);
    until.print();
  }
  observer.reportSwaps();
  return status;
}

}  // namespace

void addRun(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("run", "answer many requests at once");
  const auto arguments = std::make_shared<RunArguments>();
  const std::vector<const CLI::Option*> what = {
      command->add_option("--requests", arguments->file, "a file with one request of JSON a line"),
      command->add_option("--scenario", arguments->scenario, "a scenario's name or file")};
  arguments->copyGiven = addEngineOptions(*command, arguments->engine);
  arguments->copySeed = addEngineSeed(*command, arguments->engine);
  addTemplateOption(*command, arguments->engine);
  command->add_flag(
      "--explain-cache", arguments->explainCache,
      "say why a prompt was computed again: where it differs from cached ones, or what was evicted");
  command
      ->add_option("--until", arguments->until,
                   "stop after the step in which this happens: preemption, token=\" the\", entropy=3.5, "
                   "step=46, ..., and @REQUEST for one request only (may be given several times)")
      ->allow_extra_args(false);
  setWork(
      *command, program, [arguments](bool json) { return run(*arguments, json); }, what);
}

}  // namespace vitrine::cli
