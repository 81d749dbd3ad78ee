// vitrine-cli run: many requests at once, a line of JSON each.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <sstream>

#include "requests.h"

namespace vitrine::cli {
namespace {

struct Arguments {
  EngineArguments engine;
  std::string file;
};

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
      requests.push_back(requestFromJson(Json::parse(text)));
    } catch (const nlohmann::json::exception& error) {
      throw UsageError(place + "this is not JSON: " + error.what());
    } catch (const UsageError& error) {
      throw UsageError(place + error.what());
    } catch (const EngineError& error) {
      throw EngineError(error.code(), place + error.what(), error.hint());
    }
    std::string& name = requests.back().arguments.request.name;
    if (name.empty()) name = "r" + std::to_string(requests.size());
    if (!names.insert(name).second) throw UsageError(place + "the id \"" + name + "\" is taken");
  }
  if (requests.empty()) throw UsageError(file + " holds no request");
  return requests;
}

void printForPeople(const Json& answer, const std::string& name) {
  if (answer.contains("error")) {
    std::printf("%s: refused: %s\n", name.c_str(), answer["error"]["message"].get<std::string>().c_str());
    return;
  }
  for (const Json& sequence : answer["sequences"]) {
    const std::string text = sequence["text"];
    std::printf("%s (%s, %zu tokens): %s\n", name.c_str(),
                sequence["finish_reason"].get<std::string>().c_str(), sequence["token_ids"].size(),
                text.empty() ? sequence["token_ids"].dump().c_str() : text.c_str());
  }
}

void warnOfUselessOrder(const std::vector<RequestLine>& requests) {
  const auto isOrdered = [](const RequestLine& line) {
    return line.arguments.request.priority != 0 || line.arguments.request.deadlineMs != 0;
  };
  if (std::any_of(requests.begin(), requests.end(), isOrdered))
    std::fputs("vitrine-cli: \"priority\" and \"deadline_ms\" change nothing under --policy fcfs\n", stderr);
}

int run(const Arguments& arguments, bool json) {
  const std::vector<RequestLine> requests = readRequests(arguments.file);
  if (arguments.engine.policy == "fcfs") warnOfUselessOrder(requests);
  RunObserver observer;
  const LoadedEngine loaded = loadEngine(arguments.engine, observer);
  const RunReport report = runRequests(*loaded.engine, requests);
  Json answers = Json::array();
  int status = 0;
  for (const Outcome& outcome : report.outcomes) {
    Json answer = {{"id", outcome.name}};
    if (outcome.error) {
      status = 1;
      answer["error"] = errorToJson(*outcome.error);
      std::fprintf(stderr, "vitrine-cli: %s: %s\n", outcome.name.c_str(), outcome.error->what());
    } else {
      answer.update(answerToJson(outcome, observer, loaded.loadMs));
    }
    if (!json) printForPeople(answer, outcome.name);
    answers.push_back(std::move(answer));
  }
  const Json stats = observer.stats();
  if (json)
    printJson({{"requests", std::move(answers)}, {"steps", report.steps}, {"stats", stats}});
  else
    std::fprintf(stderr, "%d steps, %.1f tokens/s, %d preemptions, %d prefix block hits\n", report.steps,
                 stats["tokens_per_second"].get<double>(), stats["preemptions"].get<int>(),
                 stats["prefix_block_hits"].get<int>());
  return std::max(status, observer.reportFailures(report));
}

}  // namespace

void addRun(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("run", "answer many requests at once");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("--requests", arguments->file, "a file with one request of JSON a line")->required();
  addEngineOptions(*command, arguments->engine);
  addEngineSeed(*command, arguments->engine);
  addJson(*command, program);
  command->callback([arguments, &program] {
    program.work = [arguments, &program] { return run(*arguments, program.json); };
  });
}

}  // namespace vitrine::cli
