// vitrine-cli convert and quantize: a folder to a GGUF file and back, and either to a GGUF file in blocks.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <memory>

#include "program.h"
#include "request_run.h"
#include "vitrine/convert.h"

namespace vitrine::cli {
namespace {

struct ConvertArguments {
  std::string from, to, type = nameOf(ConvertType::kSame);
};

int convert(const ConvertArguments& arguments, bool json) {
  const bool visible = isatty(STDERR_FILENO) != 0;
  const ConvertReport report =
      convertModel(arguments.from, arguments.to, fromName<ConvertType>(arguments.type).value(),
                   [visible](double fraction, const char* what) {
                     if (visible) std::fprintf(stderr, "\r\033[Kwriting %s %3.0f %%", what, fraction * 100);
                     return true;
                   });
  if (visible) std::fputs("\r\033[K", stderr);
  noteIgnored(report.ignored);
  if (json)
    printJson({{"out", arguments.to},
               {"tensors", report.tensors},
               {"bytes", report.bytes},
               {"ignored_tensors", report.ignored.count}});
  else
    print("%s: %lld tensors, %.1f MiB\n", arguments.to.c_str(), static_cast<long long>(report.tensors),
          static_cast<double>(report.bytes) / (1 << 20));
  return 0;
}

void addCommand(CLI::App& command, Program& program, const std::shared_ptr<ConvertArguments>& arguments,
                const std::vector<std::string>& types) {
  command.add_option("model", arguments->from, "a Hugging Face model directory or a GGUF file")->required();
  CLI::Option* type =
      command.add_option("--type", arguments->type, "the type of the matrices that are written")
          ->check(CLI::IsMember(types));
  if (types.front() == arguments->type)
    type->capture_default_str();
  else
    type->required();
  setWork(command, program, [arguments](bool json) { return convert(*arguments, json); });
}

}  // namespace

void addConvert(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("convert", "a model folder to a GGUF file, or back");
  const auto arguments = std::make_shared<ConvertArguments>();
  command->add_option("--out", arguments->to, "a file that ends in .gguf, or a new directory")->required();
  const auto& all = Names<ConvertType>::list;
  addCommand(*command, program, arguments, {all.begin(), all.end()});
}

void addQuantize(CLI::App& app, Program& program) {
  CLI::App* command = app.add_subcommand("quantize", "a model as a GGUF file of blocks");
  const auto arguments = std::make_shared<ConvertArguments>();
  command->add_option("--out", arguments->to, "a file that ends in .gguf")
      ->required()
      ->check([](const std::string& path) {
        return std::string(path.ends_with(".gguf") ? "" : "must end in .gguf, not " + path);
      });
  addCommand(*command, program, arguments, blockTypeNames());
}

}  // namespace vitrine::cli
