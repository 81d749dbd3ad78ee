// vitrine-cli generate: one prompt, one or several answers.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "request_run.h"

namespace vitrine::cli {
namespace {

struct GenerateArguments {
  RequestArguments request;
  EngineArguments engine;
  std::string promptFile, tokenIds, outputIds, tools;
};

// Without a tokenizer there is no text, so the ids are printed.
void printIds(const SequenceResult& sequence) {
  for (std::size_t i = 0; i < sequence.tokenIds.size(); ++i)
    print("%s%d", i == 0 ? "" : ",", sequence.tokenIds[i]);
}

void printForPeople(const Engine& engine, const RequestResult& result, bool streamed) {
  for (std::size_t i = 0; i < result.sequences.size() && !streamed; ++i) {
    if (result.sequences.size() > 1)
      print("%s--- answer %zu, score %.4f\n", i == 0 ? "" : "\n", i + 1, result.sequences[i].score);
    engine.tokenizer() != nullptr ? printText(result.sequences[i].text) : printIds(result.sequences[i]);
  }
  printText("\n");
}

int generate(const GenerateArguments& arguments, bool json) {
  RequestLine line{arguments.request, 0};
  if (!arguments.promptFile.empty()) line.arguments.request.prompt = readFile(arguments.promptFile);
  if (!arguments.tokenIds.empty())
    line.arguments.request.tokenIds = parseTokenIds("--token-ids", arguments.tokenIds);
  if (!arguments.outputIds.empty())
    line.arguments.request.outputIds = parseTokenIds("--output-ids", arguments.outputIds);
  line.arguments.tools = readTools(arguments.tools);
  line.arguments.validate();

  RunObserver observer;
  const LoadedEngine loaded = loadEngine(arguments.engine, observer);
  if (line.arguments.chat) {
    noteChatFormat(*loaded.engine);
    noteTools(*loaded.engine, line.arguments.dialogue());
  }
  const bool stream =
      !json && line.arguments.request.sequenceSlots() == 1 && loaded.engine->tokenizer() != nullptr;
  if (stream)
    observer.onText = [](SequenceId, const std::string& text) {
      printText(text);
      flushOutput();
    };
  const RunReport report = runRequests(*loaded.engine, {line});
  const Outcome& outcome = report.outcomes.front();
  if (outcome.error) throw *outcome.error;
  Json answer = answerToJson(outcome, observer, loaded.loadMs);
  observer.addSpeculation(answer);
  if (json) {
    printJson(answer);
    observer.reportSwaps();
    return observer.reportFailures(report);
  }
  printForPeople(*loaded.engine, *outcome.result, stream);
  const Json& timing = answer["timing"];
  std::fprintf(
      stderr, "%d prompt tokens, %d generated; loaded in %.0f ms, first token after %.1f ms, %.1f tokens/s\n",
      answer["usage"]["prompt_tokens"].get<int>(), answer["usage"]["completion_tokens"].get<int>(),
      timing["load_ms"].get<double>(), timing["ttft_ms"].get<double>(),
      timing["tokens_per_second"].get<double>());
  observer.reportSwaps();
  return observer.reportFailures(report);
}

}  // namespace

void addGenerate(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("generate", "answer one prompt");
  const auto arguments = std::make_shared<GenerateArguments>();
  const std::vector<const CLI::Option*> prompt = {
      command->add_option("--prompt", arguments->request.request.prompt, "the prompt as text"),
      command->add_option("--prompt-file", arguments->promptFile, "a file that holds the prompt"),
      command->add_option("--token-ids", arguments->tokenIds, "the prompt as ids: 1,2,3")};
  command->add_option("--output-ids", arguments->outputIds,
                      "the forced beginning of the answer, as ids: 4,5");
  addRequestOptions(*command, arguments->request);
  addEngineOptions(*command, arguments->engine);
  addTemplateOption(*command, arguments->engine);
  addToolsOption(*command, arguments->tools);
  setWork(
      *command, program, [arguments](bool json) { return generate(*arguments, json); }, prompt);
}

}  // namespace vitrine::cli
