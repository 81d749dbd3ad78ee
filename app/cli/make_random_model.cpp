// vitrine-cli make-random-model: a real model's shapes with random weights.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

#include "command_options.h"
#include "vitrine/random_model.h"

namespace vitrine::cli {
namespace {

struct MakeRandomModelArguments {
  std::string like, out, dtype = nameOf(RandomModelOptions().type);
  RandomModelOptions options;
};

int makeModel(MakeRandomModelArguments& arguments, bool json) {
  arguments.options.type = fromName<RandomModelType>(arguments.dtype).value();
  const bool visible = isatty(STDERR_FILENO) != 0;
  makeRandomModel(arguments.like, arguments.out, arguments.options,
                  [visible](double fraction, const char* what) {
                    if (visible) std::fprintf(stderr, "\r\033[Kwriting %s %3.0f %%", what, fraction * 100);
                    return true;
                  });
  if (visible) std::fputs("\r\033[K", stderr);
  if (json)
    printJson({{"like", arguments.like}, {"out", arguments.out}});
  else
    print("%s: random weights in the shape of %s\n", arguments.out.c_str(), arguments.like.c_str());
  return 0;
}

}  // namespace

void addMakeRandomModel(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("make-random-model", "a model directory with random weights");
  const auto arguments = std::make_shared<MakeRandomModelArguments>();
  command->add_option("--like", arguments->like, "the model whose shapes it takes")
      ->required()
      ->check(CLI::IsMember(randomModelPresets()));
  command->add_option("--out", arguments->out, "a new or empty directory")->required();
  const auto& types = Names<RandomModelType>::list;
  command->add_option("--dtype", arguments->dtype, "how the weights are stored")
      ->check(CLI::IsMember(std::vector<std::string>(types.begin(), types.end())))
      ->capture_default_str();
  addSeed(*command, arguments->options.seed, "same seed, same weights");
  setWork(*command, program, [arguments](bool json) { return makeModel(*arguments, json); });
}

}  // namespace vitrine::cli
