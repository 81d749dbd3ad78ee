// vitrine-cli distribution: the candidates for the next token after each stage of the sampler.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <limits>
#include <memory>

#include "request_run.h"

namespace vitrine::cli {
namespace {

struct DistributionArguments {
  RequestArguments request;
  EngineArguments engine;
  std::string tokenIds;
  int generated = 0;
};

Json stagesToJson(const std::vector<SamplingStage>& stages) {
  Json out = Json::array();
  for (const SamplingStage& stage : stages) {
    Json candidates = Json::array();
    for (const Candidate& candidate : stage.top)
      candidates.push_back({{"token_id", candidate.token}, {"probability", candidate.probability}});
    out.push_back({{"name", stage.name}, {"candidates", std::move(candidates)}});
  }
  return {{"stages", std::move(out)}};
}

void printForPeople(const Engine& engine, const std::vector<SamplingStage>& stages) {
  constexpr std::size_t kShown = 8;
  for (const SamplingStage& stage : stages) {
    print("%s: %d left\n", stage.name.c_str(), stage.kept);
    for (std::size_t i = 0; i < std::min(kShown, stage.top.size()); ++i) {
      const Candidate& candidate = stage.top[i];
      const std::string piece =
          engine.tokenizer() == nullptr ? "" : engine.tokenizer()->piece(candidate.token);
      print("  %8.4f %%  %6d  %s\n", 100 * static_cast<double>(candidate.probability), candidate.token,
            piece.c_str());
    }
  }
}

int distribution(const DistributionArguments& arguments, bool json) {
  const std::vector<TokenId> ids = parseTokenIds("--token-ids", arguments.tokenIds);
  if (static_cast<std::size_t>(arguments.generated) >= ids.size())
    throw UsageError("--generated must leave at least one id for the prompt");
  arguments.request.validate();
  RunObserver observer;
  const LoadedEngine loaded = loadEngine(arguments.engine, observer);
  const auto stages =
      loaded.engine->distribution(ids, arguments.generated, arguments.request.request.sampling);
  json ? printJson(stagesToJson(stages)) : printForPeople(*loaded.engine, stages);
  return 0;
}

}  // namespace

void addDistribution(CLI::App& app, Program& program) {
  CLI::App* command =
      app.add_subcommand("distribution", "what each sampling stage leaves for the next token");
  const auto arguments = std::make_shared<DistributionArguments>();
  command->add_option("--token-ids", arguments->tokenIds, "the ids so far: 1,2,3")->required();
  addNumber(*command, arguments->generated,
            {"--generated", 0, std::numeric_limits<int>::max(),
             "how many of the last ids are output, for the penalties"});
  addSamplingOptions(*command, arguments->request);
  addEngineOptions(*command, arguments->engine);
  addEngineSeed(*command, arguments->engine);
  setWork(*command, program, [arguments](bool json) { return distribution(*arguments, json); });
}

}  // namespace vitrine::cli
